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
  known?: Pick<KnownProjects, 'remember'>,
): Promise<string> {
  const detection = await detector.detect({
    transport: 'cli',
    argument: argument === undefined ? undefined : resolve(argument),
  });
  if (detection.kind === 'found') {
    known?.remember(detection.project);
    return detection.project.root;
  }
  const message = detection.kind === 'refused' ? detection.refused.message : 'No project here.';
  throw new AppError('no_project', message, { hint: 'Name the directory of a project, or change into one.' });
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
  return /[/\\]|\.\w+$/.test(word) && isThere(resolve(word));
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
