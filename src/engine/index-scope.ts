/** Which files of a project are indexed: what its settings say, and the ignore rules that git keeps outside of it. */
import type { Config, Environment } from '../config/index.ts';
import type { IndexScope } from '../indexing/index.ts';
import { wantedLanguages } from '../languages/index.ts';
import { gate } from '../memory/index.ts';
import { homeDirectory } from '../platform/index.ts';
import { findGitDir, findGlobalExcludes, readGitIdentity, type Disk } from '../workspace/index.ts';

export function toScope(
  root: string,
  { include, exclude, languages }: Config,
  { environment, disk }: { readonly environment: Environment; readonly disk: Disk },
): IndexScope {
  const places = { home: homeDirectory(), configHome: environment['XDG_CONFIG_HOME'] };
  const wanted = wantedLanguages(languages);
  return {
    list: {
      include,
      exclude,
      otherLanguage: wanted.otherLanguage,
      nameWithoutSecret,
      globalExcludes: findGlobalExcludes(places),
      gitDir: findGitDir(root, disk),
      disk,
      gitDirOf: (absFolder) => readGitIdentity(absFolder, disk)?.commonDir,
    },
    languages: wanted.languages,
  };
}

/** Shorter names, and those without a digit, cannot hold one. */
const MAY_HOLD_SECRET = /^(?=.*\d).{16}/s;

function nameWithoutSecret(name: string): string | undefined {
  if (!MAY_HOLD_SECRET.test(name)) return undefined;
  const said = gate.clean(name);
  return said === name ? undefined : said;
}
