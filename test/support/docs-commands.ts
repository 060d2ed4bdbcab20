/** The commands that pages tell readers to type. */
import type { Page } from '../../scripts/site/pages.mjs';

export interface DocsCommand {
  readonly page: string;
  readonly line: string;
}

const FENCE = /^```(sh|console)?\n(.*?)^```$/gms;

/** Whole lines: of `sh` blocks all, of others what stands behind a prompt. */
export function fencedCommands({ path, text }: Page): readonly DocsCommand[] {
  return [...text.matchAll(FENCE)].flatMap(([, kind, block = '']) =>
    joinLines(block)
      .map((line) => (kind === 'sh' ? line : (/^\$ (.*)/.exec(line)?.[1] ?? '')))
      .flatMap((line) => line.split(/ && | \| /))
      .map((line) => ({ page: path, line: line.replace(/(?:^|\s)#\s.*$/, '').trim() }))
      .filter(({ line }) => line !== ''),
  );
}

function joinLines(block: string): readonly string[] {
  return block.replaceAll(/\\\n\s*/g, ' ').split('\n');
}

/** `waymark …` in the running text. */
export function inlineCommands({ path, text }: Page): readonly DocsCommand[] {
  const prose = text.replaceAll(/^```.*?^```$/gms, '');
  return [...prose.matchAll(/`(waymark [a-z][^`]*)`/g)].map(([, line = '']) => ({ page: path, line }));
}

/** What compose files and jobs start. */
export function startedCommands({ path, text }: Page): readonly DocsCommand[] {
  return [...text.matchAll(/^\s*(?:- )?(?:command|run): (?:npx -y )?(waymark .*)$/gm)].map(
    ([, line = '']) => ({
      page: path,
      line,
    }),
  );
}

/** As a shell splits them; of quotes and backslashes alone. */
export function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g)].map(([word]) =>
    word.replaceAll(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => double ?? single ?? ''),
  );
}
