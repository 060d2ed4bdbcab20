/** TypeScript and JavaScript: relative paths, tsconfig paths, packages of the same repository. */
import { posix } from 'node:path';
import { folderOf, joinInside, type ProjectFiles } from './project-files.ts';
import {
  readPathRules,
  readWorkspacePackage,
  type PathRules,
  type WorkspacePackage,
} from './script-config.ts';

const EXTENSIONS = [
  '.ts',
  '.tsx',
  '.d.ts',
  '.mts',
  '.cts',
  '.js',
  '.jsx',
  '.mjs',
  '.cjs',
  '.vue',
  '.svelte',
  '.json',
];
/** What is written in an import and what the source is called. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.d.ts', '.jsx'],
  '.jsx': ['.tsx'],
  '.mjs': ['.mts', '.d.mts'],
  '.cjs': ['.cts', '.d.cts'],
};
const CONFIG_NAMES = ['tsconfig.json', 'jsconfig.json'];

export type ResolveSpecifier = (from: string, specifier: string) => string | undefined;

export function createScriptResolver(
  files: ProjectFiles,
  configs: ReadonlyMap<string, string>,
): ResolveSpecifier {
  const rulesOf = new Map<string, PathRules | undefined>();
  const packages = [...configs]
    .filter(([path]) => posix.basename(path) === 'package.json')
    .flatMap(([path, text]) => readWorkspacePackage(path, text) ?? []);

  /** Of the nearest configuration around a folder. */
  function rulesFor(folder: string): PathRules | undefined {
    if (rulesOf.has(folder)) return rulesOf.get(folder);
    const path = CONFIG_NAMES.map((name) => posix.join(folder, name)).find((each) => configs.has(each));
    const own = path === undefined ? undefined : readPathRules(configs, path);
    const rules = own ?? (folder === '' ? undefined : rulesFor(folderOf(folder)));
    rulesOf.set(folder, rules);
    return rules;
  }

  return (from, specifier) => {
    const bare = specifier.replace(/(?<=.)[?#].*$/, '');
    const folder = folderOf(from);
    if (/^\.{1,2}(?:\/|$)/.test(bare)) return fileAt(files, joinInside(folder, bare));
    if (bare.startsWith('#')) {
      const owner = nearestPackage(packages, folder);
      const own = owner && byPattern(files, { baseFolder: undefined, patterns: owner.own }, bare);
      if (own !== undefined) return own;
    }
    const rules = rulesFor(folder);
    return (
      byPattern(files, rules, bare) ??
      (rules?.baseFolder === undefined ? undefined : fileAt(files, joinInside(rules.baseFolder, bare))) ??
      inWorkspace(files, packages, bare) ??
      (bare.startsWith('/') ? fileAt(files, joinInside('', bare.slice(1))) : undefined)
    );
  };
}

function fileAt(files: ProjectFiles, path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  const written = posix.extname(path);
  const stem = path.slice(0, path.length - written.length);
  return files.first([
    ...(SOURCES[written] ?? []).map((extension) => stem + extension),
    path,
    ...(path === '' ? [] : EXTENSIONS.map((extension) => path + extension)),
    ...EXTENSIONS.map((extension) => posix.join(path, `index${extension}`)),
  ]);
}

/** The longest prefix before a `*` wins, as in the compiler. */
function byPattern(files: ProjectFiles, rules: PathRules | undefined, specifier: string): string | undefined {
  const fitting = (rules?.patterns ?? []).flatMap(({ from, to }) => {
    const star = from.indexOf('*');
    if (star === -1) return from === specifier ? [{ rank: Infinity, middle: '', to }] : [];
    const head = from.slice(0, star);
    const tail = from.slice(star + 1);
    const fits =
      specifier.length >= head.length + tail.length && specifier.startsWith(head) && specifier.endsWith(tail);
    return fits ? [{ rank: star, middle: specifier.slice(star, specifier.length - tail.length), to }] : [];
  });
  for (const { middle, to } of fitting.sort((a, b) => b.rank - a.rank)) {
    for (const target of to) {
      const found = fileAt(
        files,
        joinInside(
          '',
          target.replace('*', () => middle),
        ),
      );
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Of the innermost folder around a file that has one. */
function nearestPackage(packages: readonly WorkspacePackage[], from: string): WorkspacePackage | undefined {
  const around = packages.filter(
    ({ folder }) => folder === '' || from === folder || from.startsWith(`${folder}/`),
  );
  return around.toSorted((a, b) => b.folder.length - a.folder.length)[0];
}

function inWorkspace(
  files: ProjectFiles,
  packages: readonly WorkspacePackage[],
  specifier: string,
): string | undefined {
  const owner = packages.find(
    ({ name }) => name !== '' && (specifier === name || specifier.startsWith(`${name}/`)),
  );
  if (owner === undefined) return undefined;
  const rest = specifier.slice(owner.name.length + 1);
  const told = byPattern(files, { baseFolder: undefined, patterns: owner.exported }, rest);
  if (told !== undefined) return told;
  if (rest !== '') {
    const places = [rest, posix.join('src', rest)].map((place) =>
      fileAt(files, joinInside(owner.folder, place)),
    );
    return places.find((place) => place !== undefined);
  }
  // What is published is built and not listed; what it is built from usually is.
  const places = [
    ...owner.entries,
    ...['src/index', 'index', 'lib/index', 'src/main'].map((entry) => posix.join(owner.folder, entry)),
  ];
  return places.map((place) => fileAt(files, place)).find((place) => place !== undefined);
}
