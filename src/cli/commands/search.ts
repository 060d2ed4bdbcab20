import { join, resolve } from 'node:path';
import { AppError } from '../../core/index.ts';
import type { Hit } from '../../search/index.ts';
import { escapeControl } from '../../text/index.ts';
import { renderFreshness, symbolOf, toFreshnessValue } from '../../tools/index.ts';
import type { Command, OptionValues } from '../command.ts';
import type { Paint } from '../output.ts';
import { projectRoot } from '../project-root.ts';

const DEFAULT_LIMIT = 10;

/** Searches a project, and prints what it finds as grep does. */
export const searchCommand: Command = {
  name: 'search',
  group: 'See what Waymark sees',
  summary: 'Find code by meaning, words, name, "exact text" or /regex/',
  examples: [
    'waymark search "how are sessions expired"',
    'waymark search "SessionStore.get kind:class" --limit 3',
    `waymark search '/retry_\\w+/ ' --json`,
  ],
  places: ['index'],
  argument: { name: 'query', description: 'what to look for, with filters such as lang:ts path:src/**' },
  options: [
    { name: 'project', valueName: 'path', description: 'the project; the one you are in if left out' },
    { name: 'limit', valueName: 'n', description: 'how many files at most (10)' },
    { name: 'context', short: 'C', valueName: 'lines', description: 'lines to show of each (12)' },
    { name: 'similar-to', valueName: 'path:line', description: 'find what is like the code there' },
    { name: 'open', description: 'print links that editors open' },
  ],
  async run({ services, output, stop }, argument, options) {
    const { indexing, search, detector, known } = await services();
    const given = options['project'];
    const root = await projectRoot(detector, typeof given === 'string' ? resolve(given) : undefined, known);
    const similar = options['similar-to'];
    if (argument === undefined && similar === undefined) {
      throw new AppError('bad_argument', 'There is nothing to look for.', {
        hint: 'waymark search "how are routes registered"',
      });
    }
    const freshness = await indexing.ensure(root, { signal: stop, mayWrite: true });
    const lines = numberOf(options, 'context');
    const answer = await search.run({
      roots: [root],
      query: argument ?? '',
      limit: numberOf(options, 'limit') ?? DEFAULT_LIMIT,
      detail: lines === 0 ? 'locations' : (lines ?? 0) > 12 ? 'full' : 'snippets',
      ...(typeof similar === 'string' ? { similarTo: similar } : {}),
      signal: stop,
    });
    if (freshness.state !== 'fresh' && !output.json) output.talk(renderFreshness(freshness));
    const text = answer.hits.map((hit) => render(hit, output.paint, options, lines)).join('\n\n');
    if (answer.hits.length > 0 || output.json)
      output.answer(text, { ...answer, index: toFreshnessValue(freshness) });
    return answer.hits.length > 0 ? 0 : 1;
  },
};

function render(hit: Hit, paint: Paint, options: OptionValues, most: number | undefined): string {
  const symbol = symbolOf(hit);
  const place =
    options['open'] === true
      ? `vscode://file/${join(hit.root, hit.path)}:${hit.startLine}`
      : `${hit.path}:${hit.startLine}`;
  const head = `${paint.bold(escapeControl(place))}${symbol === undefined ? '' : ` ${paint.dim(escapeControl(symbol))}`}`;
  const lines = hit.lines
    .slice(0, most ?? hit.lines.length)
    .map((line, at) => `${paint.dim(`${hit.startLine + at}:`)}${escapeControl(line)}`);
  return [head, ...(most === 0 ? [] : lines)].join('\n');
}

function numberOf(options: OptionValues, name: string): number | undefined {
  const given = options[name];
  if (given === undefined) return undefined;
  if (typeof given === 'string' && /^\d{1,4}$/.test(given)) return Number(given);
  throw new AppError('bad_argument', `--${name} takes a number.`, { hint: `waymark search "…" --${name} 5` });
}
