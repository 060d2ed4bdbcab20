/** What the tests of project detection share. */
import { pathToFileURL } from 'node:url';
import { tempFolder, type OnEnd } from '../support/temp-folder.ts';

/** A version-controlled folder of this name. */
export function project(name: string, onEnd?: OnEnd) {
  const root = tempFolder({ [`${name}/.git/HEAD`]: 'ref: refs/heads/main\n' }, onEnd).join(name);
  return { root, uri: pathToFileURL(root).href };
}

/** The root in a tool's structured answer, or null. */
export const rootOf = (answer: { structured: Readonly<Record<string, unknown>> }): unknown =>
  // The tool's own schema says so.
  (answer.structured['project'] as { root: string } | null)?.root ?? null;
