/** What a file, a folder or the whole project defines, the most used first. */
import type { Definition } from '../core/index.ts';
import type { FileGraph } from './file-graph.ts';
import type { ProjectFacts } from './project-facts.ts';
import { isLocal } from './symbols.ts';
import { isTestPath } from './test-path.ts';

export interface OutlinedFile {
  readonly path: string;
  /** How many files import it; unknown while files wait that may. */
  readonly users: number | undefined;
  readonly definitions: readonly OutlinedDefinition[];
}

export interface OutlinedDefinition {
  readonly name: string;
  readonly kind: string;
  readonly line: number;
  readonly container: string | undefined;
  readonly signature: string;
  /** How many other files name it; unknown for a single file. */
  readonly users: number | undefined;
}

const MOST_FILES = 60;
const MOST_PER_FILE = 8;

export interface MapOptions {
  /** Of the folder; empty for the project. */
  readonly folder: string;
  /** Paths or names whose surroundings count more. */
  readonly focus: readonly string[];
}

/** Files by how many import them, then by how many names they define that others use; tests last. */
export function rankFiles(
  project: ProjectFacts,
  graph: FileGraph,
  options: MapOptions,
): readonly OutlinedFile[] {
  const { folder, focus } = options;
  const isFocused = (path: string): boolean => focus.some((each) => path.includes(each));
  const near = new Set(
    [...project.files.keys()]
      .filter(isFocused)
      .flatMap((path) => [path, ...(graph.uses.get(path) ?? []), ...(graph.usedBy.get(path) ?? [])]),
  );
  const usersOf = (path: string): number => graph.usedBy.get(path)?.length ?? 0;
  return [...project.files.values()]
    .filter(({ path, row }) => row !== undefined && (folder === '' || path.startsWith(`${folder}/`)))
    .map(({ path }) => ({ path, isNear: near.has(path), isTest: isTestPath(path), users: usersOf(path) }))
    .toSorted(
      (a, b) =>
        Number(b.isNear) - Number(a.isNear) ||
        Number(a.isTest) - Number(b.isTest) ||
        b.users - a.users ||
        (a.path < b.path ? -1 : 1),
    )
    .slice(0, MOST_FILES)
    .map(({ path, users }) => ({ path, users, definitions: topDefinitions(project, path) }))
    .filter(({ definitions }) => definitions.length > 0);
}

function topDefinitions(project: ProjectFacts, path: string): readonly OutlinedDefinition[] {
  const file = project.open(path);
  const seen = new Set<string>();
  return (file?.facts.definitions ?? [])
    .filter((each) => {
      const isTop = each.owner === undefined && each.ownerName === undefined && !isLocal(each);
      const isNew = isTop && each.scope.kind === 'file' && !seen.has(each.name);
      if (isNew) seen.add(each.name);
      return isNew;
    })
    .map(({ name, kind, line }) => ({
      name,
      kind,
      line,
      container: undefined,
      signature: '',
      users: project.naming(name).filter((other) => other.path !== path).length,
    }))
    .toSorted((a, b) => b.users - a.users || a.line - b.line)
    .slice(0, MOST_PER_FILE);
}

/** All of one file, in the order of its text. */
export function outlineFile(
  path: string,
  definitions: readonly Definition[],
  users: number | undefined,
): OutlinedFile {
  return {
    path,
    users,
    definitions: definitions.map(({ name, kind, startLine, container, signature }) => ({
      name,
      kind,
      line: startLine,
      container,
      signature,
      users: undefined,
    })),
  };
}
