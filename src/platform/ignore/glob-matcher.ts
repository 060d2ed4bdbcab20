/** Globs as one question about a path. */
import { foldAscii, toByteText } from './byte-text.ts';
import { compileGlobs, findGlob } from './globs.ts';

/** Hostile globs times many files still end; what is not decided by then does not match. */
const MOST_STEPS = 20_000_000;

/** Whether any of them matches a file, in any case of letters; a folder's name matches all that is in it, at any depth. */
export function createGlobMatcher(globs: readonly string[]): (path: string) => boolean {
  const compiled = compileGlobs(
    globs.flatMap((glob) => {
      const folder = glob.replace(/\/+$/, '');
      return [glob, folder.includes('/') ? `${folder}/**` : `**/${folder}/**`];
    }),
    true,
  );
  const budget = { left: MOST_STEPS };
  return (path) => {
    const folded = foldAscii(toByteText(path));
    const name = folded.slice(folded.lastIndexOf('/') + 1);
    return findGlob(compiled, { path: folded, name, isFolder: false }, budget) !== undefined;
  };
}
