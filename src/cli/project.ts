/** The project a command works on: its root, and its index. */
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { AppError, type Clock } from '../core/index.ts';
import type { Freshness, Indexing } from '../indexing/index.ts';
import { pathKind, workingDirectory } from '../platform/index.ts';
import type { Detector, KnownProjects } from '../project/index.ts';
import type { CommandContext } from './command.ts';
import { pathFrom } from './look/paths.ts';
import { createProgressLine } from './progress-line.ts';

/** The named project, or the one found; relative to the working directory. `known` gets a note of a project that is worked on. */
export async function projectRoot(
  detector: Detector,
  argument?: string,
  known?: Pick<KnownProjects, 'remember' | 'list'>,
): Promise<string> {
  const detection = await detector.detect({
    transport: 'cli',
    argument: argument === undefined ? undefined : resolve(argument),
  });
  if (detection.kind === 'found') {
    known?.remember(detection.project);
    return detection.project.root;
  }
  if (detection.kind === 'refused')
    throw new AppError('no_project', detection.refused.message, {
      hint: 'Name the directory of a project, or change into one.',
    });
  const above = known && (await knownAbove(known));
  throw new AppError('no_project', 'No project here: no .git or manifest at or above this directory.', {
    hint:
      above === undefined
        ? 'Change into a project, or begin one here with `git init`; or take this directory as it is: `waymark search "…" --project .`. `waymark projects` lists those that are known.'
        : `${above} is above, and known, but not by a .git or a manifest: set WAYMARK_PROJECT=${above} to work on it.`,
  });
}

const MOST_KNOWN = 1_000;

/** A project that is known by what was said, which a directory below it cannot be found by. */
export async function knownAbove(known: Pick<KnownProjects, 'list'>): Promise<string | undefined> {
  const here = workingDirectory();
  if (here === undefined) return undefined;
  const above = (await known.list(MOST_KNOWN)).filter(
    ({ root }) => here === root || here.startsWith(root.endsWith(sep) ? root : `${root}${sep}`),
  );
  return above.toSorted((a, b) => b.root.length - a.root.length)[0]?.root;
}

/** A path as one types it where one is; what is not there is taken as the project has it. */
export function projectPath(root: string, given: string): string {
  const absPath = resolve(given);
  const path = relative(root, absPath);
  const isWithin = path !== '' && path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
  return isWithin && isThere(absPath) ? path.replaceAll('\\', '/') : given;
}

/** A path of the project as one would type it here. */
export function typedPath(root: string, path: string): string {
  return pathFrom(workingDirectory(), join(root, path)).replaceAll('\\', '/');
}

/** Whether a word is the path of a file or folder: `docs` alone may as well be a word to look for. */
export function isTypedPath(word: string): boolean {
  const path = withoutLine(word);
  return looksLikePath(path) && isThere(resolve(path));
}

/** As hits are named: `src/a.ts:12`, `src/a.ts:12-20`. */
export function withoutLine(word: string): string {
  const [, path = word] = /^(.+?):\d+(?:-\d+)?$/.exec(word) ?? [];
  return isThere(resolve(word)) ? word : path;
}

/** What a single word is, if it is a path: one that is there, or one that is not. */
export function pathLook(word: string): 'there' | 'missing' | undefined {
  const path = withoutLine(word);
  if (isThere(resolve(path))) return 'there';
  return /^[^*"]*[/\\][^*"]*\.\w+$/.test(path) ? 'missing' : undefined;
}

function looksLikePath(word: string): boolean {
  return /[/\\]|\.\w+$/.test(word);
}

function isThere(absPath: string): boolean {
  const kind = pathKind(absPath);
  return kind === 'file' || kind === 'directory';
}

export async function ensureIndex(
  root: string,
  { indexing, clock }: { readonly indexing: Indexing; readonly clock: Clock },
  { output, stop }: Pick<CommandContext, 'output' | 'stop'>,
): Promise<Freshness> {
  const line = createProgressLine(output, clock);
  try {
    return await indexing.ensure(root, {
      signal: stop,
      mayWrite: true,
      wait: 'endless',
      onProgress: (step) => line.show(step),
    });
  } finally {
    line.end();
  }
}
