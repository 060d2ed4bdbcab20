/** What a path alone says about a file: a test, an example, someone else's code, an old twin, a header. Pure. */

export interface PathFlags {
  readonly test: boolean;
  readonly example: boolean;
  readonly vendored: boolean;
  readonly compat: boolean;
  readonly header: boolean;
}

const words = (...names: readonly string[]): RegExp => new RegExp(`^(?:${names.join('|')})$`, 'i');

const TEST_FILE =
  /^test_|_tests?\.[^.]+$|[a-z0-9]Tests?\.[^.]+$|_spec\.[^.]+$|[.-](?:test|spec|bench)\.[^.]+$|[a-z0-9](?:Spec|Suite|TestCase)\.[^.]+$|^test[-_]?helpers?\b|^conftest\.py$|^tests?\.[^.]+$/;
const TEST_FOLDER =
  /^(?:tests?|__tests__|__mocks__|specs?|test-.+|.+-tests?|e2e|integration-tests?|fixtures?|testdata|testlib|mocks?|stubs?)$|[a-z]Tests?$/;
const TOP_TEST_FOLDER = words('testing', 'integration', 'qa');
const EXAMPLE_FOLDER = words(
  'examples?',
  'samples?',
  'demos?',
  'docs',
  'docs?_src',
  'documentation',
  'playgrounds?',
  'tutorials?',
  'benchmarks?',
  'bench',
  'benches',
  'fuzz',
  'sandbox',
);
const TOP_EXAMPLE_FOLDER = words(
  'doc',
  'perf',
  'guides?',
  'website',
  'www',
  'site',
  'scripts?',
  'tools?',
  'hack',
  'ci',
  '\\..+',
  'contrib',
  'starters?',
  'snippets?',
);
const VENDORED_FOLDER = words(
  'vendor(?:ed)?',
  'third_party',
  '_vendor',
  'single_include',
  'bundled',
  '__generated__',
);
const TOP_VENDORED_FOLDER = words('external', 'extern', 'deps', 'generated', 'gen');
const VENDORED_FILE =
  /\.min\.[^.]+$|_generated\.[^.]+$|\.pb\.[^.]+$|_pb2\.[^.]+$|\.g\.[^.]+$|\.Designer\.cs$/;
/** Prose about what was, and about who: it holds every word there is. */
const RECORD_FILE =
  /^(?:change(?:s|log)|history|news|release(?:s|[-_]?notes)?|authors|contributors|licen[cs]e)(?:[-_][^.]*)?(?:\.(?:md|markdown|rst|txt|adoc))?$/i;
const COMPAT = /^_?(?:compat|legacy|deprecated|shims?|polyfills?)(?:\..*)?$/i;
const HEADER = /\.(?:h|hpp|hh|pyi)$/;
const GENERATION_FOLDER = /^v\d+$/;

/** `hasPath` tells whether another file of the project has that path. */
export function pathFlags(path: string, hasPath: (path: string) => boolean): PathFlags {
  const end = path.lastIndexOf('/');
  return flagsIn(folderFlags(path.slice(0, Math.max(0, end))), path.slice(end + 1), hasPath);
}

/** What a folder says of the files in it: most have several. */
export interface FolderFlags extends Omit<PathFlags, 'header'> {
  /** From the top, empty for the top itself. */
  readonly parts: readonly string[];
  /** Whether a folder on the way is named after a generation. */
  readonly hasGeneration: boolean;
}

export function folderFlags(folder: string): FolderFlags {
  const parts = folder === '' ? [] : folder.split('/');
  const top = parts[0] ?? '';
  const some = (pattern: RegExp): boolean => parts.some((part) => pattern.test(part));
  return {
    parts,
    test: some(TEST_FOLDER) || TOP_TEST_FOLDER.test(top),
    example: some(EXAMPLE_FOLDER) || TOP_EXAMPLE_FOLDER.test(top),
    vendored: some(VENDORED_FOLDER) || TOP_VENDORED_FOLDER.test(top),
    compat: some(COMPAT),
    hasGeneration: some(GENERATION_FOLDER),
  };
}

/** The same for a file of the folder, by its name. */
export function flagsIn(folder: FolderFlags, file: string, hasPath: (path: string) => boolean): PathFlags {
  return {
    test: folder.test || TEST_FILE.test(file),
    example: folder.example || RECORD_FILE.test(file),
    vendored: folder.vendored || VENDORED_FILE.test(file),
    compat:
      folder.compat ||
      COMPAT.test(file) ||
      (folder.hasGeneration && isOldTwin([...folder.parts, file], hasPath)),
    header: HEADER.test(file),
  };
}

/** `lib/v3/parse.ts` beside `lib/parse.ts`. */
function isOldTwin(parts: readonly string[], hasPath: (path: string) => boolean): boolean {
  return parts.some(
    (part, at) =>
      at < parts.length - 1 &&
      GENERATION_FOLDER.test(part) &&
      hasPath(parts.filter((_, other) => other !== at).join('/')),
  );
}
