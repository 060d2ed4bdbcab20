/** Structure as a service: loads the facts of a project's last commit, and answers from them. */
import { AppError } from '../core/index.ts';
import { createImportResolver, isParsable } from '../languages/index.ts';
import type { IndexStore } from '../storage/index.ts';
import { quoteForeign } from '../text/index.ts';
import {
  type CodeMap,
  cyclesOf,
  type CyclesTold,
  type FileCycles,
  mapAround,
  mapFolder,
  tellCycles,
} from './code-map.ts';
import { createFileGraph, type FileGraph, reach, type Reached } from './file-graph.ts';
import { readImportConfigs } from './import-configs.ts';
import { outlineFile, type OutlinedFile, rankFiles } from './outline-map.ts';
import type { StructureParts } from './ports.ts';
import { createProjectFacts, loadFiles, type LoadedFiles, type ProjectFacts } from './project-facts.ts';
import { findReferences, type ReferencesQuery, type SymbolReferences } from './references.ts';
import { createResolver, type Resolver } from './resolver.ts';
import { findPath } from './symbols.ts';
import { isRunnableTest } from './test-path.ts';

export interface ReferencesRequest extends Omit<ReferencesQuery, 'allowed'> {
  readonly root: string;
  readonly paths?: readonly string[] | undefined;
}

export interface DependenciesRequest {
  readonly root: string;
  readonly file: string;
  readonly direction?: 'in' | 'out' | undefined;
  readonly depth?: number | undefined;
}

export interface ImpactRequest {
  readonly root: string;
  readonly files?: readonly string[] | undefined;
  readonly changed?: boolean | undefined;
  readonly branch?: string | undefined;
  readonly depth?: number | undefined;
}

export interface OutlineRequest {
  readonly root: string;
  readonly path?: string | undefined;
  readonly focus?: readonly string[] | undefined;
}

export interface CodeMapRequest {
  readonly root: string;
  /** A folder's folders and files; with `file` what is around that instead. */
  readonly folder?: string | undefined;
  readonly file?: string | undefined;
}

export interface CodeMapAnswer extends CodeMap {
  /** Of the whole project. */
  readonly cycles: CyclesTold;
  readonly unseen: Unseen;
}

/** What an answer could not see. */
export interface Unseen {
  /** Files that wait to be parsed, could not be, or are read by name alone, by language. */
  readonly waiting: number;
  readonly failed: number;
  readonly byName: readonly { readonly language: string; readonly files: number }[];
  /** Files that were parsed while the call waited: after the first index it takes longer than later ones. */
  readonly waitedFor: number;
}

export interface ReferencesAnswer {
  readonly symbols: readonly ShownSymbol[];
  /** Further definitions of the name that are not answered for. */
  readonly others: readonly { readonly path: string; readonly line: number }[];
  readonly unseen: Unseen;
}

/** With the text of each line, as it is in the file now. */
export type ShownSymbol = Omit<SymbolReferences, 'references'> & {
  readonly references: readonly (SymbolReferences['references'][number] & { readonly text: string })[];
};

export interface FilesAnswer {
  readonly from: readonly string[];
  /** A test is one that can be run; what supports tests is a file like others. */
  readonly files: readonly (Reached & { readonly isTest: boolean })[];
  readonly unseen: Unseen;
}

export interface OutlineAnswer {
  readonly files: readonly OutlinedFile[];
  readonly isMap: boolean;
  readonly unseen: Unseen;
}

export interface Structure {
  references(request: ReferencesRequest): Promise<ReferencesAnswer>;
  dependencies(request: DependenciesRequest): Promise<FilesAnswer>;
  impact(request: ImpactRequest): Promise<FilesAnswer>;
  outline(request: OutlineRequest): Promise<OutlineAnswer>;
  codeMap(request: CodeMapRequest): Promise<CodeMapAnswer>;
  /** Forgets what is in memory of a project. */
  forget(root: string): void;
}

interface Opened {
  readonly store: IndexStore;
  readonly loaded: LoadedFiles;
  readonly project: ProjectFacts;
  readonly resolver: Resolver;
  readonly unseen: Unseen;
  graph?: FileGraph;
  cycles?: FileCycles;
}

const MOST_PROJECTS = 4;
/** What was opened is kept until it is this much as it is stored; open it takes some six times as much. */
const MOST_OPENED_BYTES = 16 * 1024 * 1024;
/** More nodes than this are a picture of nothing. */
const MOST_MAPPED = 150;
const MAP_DEPTH = 2;
const USUAL_DEPTH = { dependencies: 1, impact: 3 } as const;

export function createStructure(parts: StructureParts): Structure {
  const projects = new Map<string, Opened>();

  function readProject(root: string, loaded: LoadedFiles): ProjectFacts {
    const configs = readImportConfigs(loaded.files.values(), (path) => parts.readConfig(root, path));
    return createProjectFacts(loaded, createImportResolver({ paths: loaded.files.keys(), configs }));
  }

  async function open(root: string): Promise<Opened> {
    const store = await parts.store(root);
    const known = projects.get(root);
    const before = known?.store === store ? known : undefined;
    const loaded = await loadFiles(store, before?.loaded);
    if (before?.loaded === loaded && before.project.openedBytes() <= MOST_OPENED_BYTES) return before;
    const same = before?.loaded === loaded ? before : undefined;
    const project = same?.project.renewed() ?? readProject(root, loaded);
    const unseen = same?.unseen ?? (await readUnseen(store, loaded));
    const opened: Opened = { ...same, store, loaded, project, resolver: createResolver(project), unseen };
    projects.delete(root);
    projects.set(root, opened);
    const [oldest] = projects.keys();
    if (projects.size > MOST_PROJECTS && oldest !== undefined) projects.delete(oldest);
    return opened;
  }

  /** Each file is read once for an answer. */
  function createLines(root: string, { files }: LoadedFiles): (path: string, line: number) => string {
    const texts = new Map<string, ReturnType<StructureParts['readText']>>();
    return (path, line) => {
      if (!texts.has(path)) texts.set(path, parts.readText(root, path, files.get(path)));
      return (
        texts
          .get(path)
          ?.lines.at(line - 1)
          ?.trim() ?? ''
      );
    };
  }

  const graphOf = (opened: Opened): FileGraph =>
    (opened.graph ??= createFileGraph(opened.project, opened.resolver));

  function toFiles(
    opened: Opened,
    from: readonly string[],
    direction: 'in' | 'out',
    depth: number,
  ): FilesAnswer {
    const graph = graphOf(opened);
    const edges = direction === 'in' ? graph.usedBy : graph.uses;
    const files = reach(edges, from, depth).map((each) => ({ ...each, isTest: isRunnableTest(each.path) }));
    return { from, files, unseen: opened.unseen };
  }

  async function changedPaths({ root, changed, branch }: ImpactRequest): Promise<readonly string[]> {
    if (changed !== true && branch === undefined) return [];
    const told = await parts.changedFiles(root, branch);
    if (told.kind === 'told') return told.paths;
    throw new AppError('bad_argument', 'Git does not tell here which files changed.', {
      hint: 'Name the files instead.',
    });
  }

  return {
    async references({ root, paths, ...query }) {
      const opened = await open(root);
      const allowed = paths === undefined || paths.length === 0 ? undefined : parts.compileGlobs(paths);
      const lineOf = createLines(root, opened.loaded);
      const { symbols, others } = findReferences(opened.project, opened.resolver, { ...query, allowed });
      return {
        symbols: symbols.map((symbol) => ({
          ...symbol,
          references: symbol.references.map((each) => ({
            ...each,
            text: lineOf(each.path, each.line),
          })),
        })),
        others: others.map(({ path, definition }) => ({ path, line: definition.line })),
        unseen: opened.unseen,
      };
    },
    async dependencies({ root, file, direction = 'out', depth = USUAL_DEPTH.dependencies }) {
      const opened = await open(root);
      return toFiles(opened, [findPath(opened.project, file)], direction, depth);
    },
    async impact(request) {
      const opened = await open(request.root);
      const named = (request.files ?? []).map((file) => findPath(opened.project, file));
      const from = [...new Set([...named, ...(await changedPaths(request))])];
      const isAsked = request.changed === true || request.branch !== undefined;
      if (from.length === 0 && !isAsked)
        throw new AppError('bad_argument', 'No file is named.', {
          hint: 'Name files, or ask for changed files or a branch.',
        });
      return toFiles(opened, from, 'in', request.depth ?? USUAL_DEPTH.impact);
    },
    async outline({ root, path = '', focus = [] }) {
      const opened = await open(root);
      const { project, unseen, store } = opened;
      const wanted = path.replace(/^\.?\/|\/$/g, '').replace(/^\.$/, '');
      const isFolder =
        wanted === '' || [...project.files.keys()].some((each) => each.startsWith(`${wanted}/`));
      if (isFolder)
        return { files: rankFiles(project, graphOf(opened), { folder: wanted, focus }), isMap: true, unseen };
      const file = findPath(project, wanted);
      const definitions = await store.definitionsOf(file);
      const users = graphOf(opened).usedBy.get(file)?.length ?? 0;
      if (definitions.length === 0)
        throw new AppError('not_found', `${quoteForeign(file)} defines nothing.`, { hint: 'Read the file.' });
      return { files: [outlineFile(file, definitions, users)], isMap: false, unseen };
    },
    async codeMap({ root, folder = '', file }) {
      const opened = await open(root);
      const { project, unseen } = opened;
      const graph = graphOf(opened);
      const cycles = (opened.cycles ??= cyclesOf(graph));
      const asked = { most: MOST_MAPPED, cycles };
      const map =
        file === undefined
          ? mapFolder(project.files.keys(), graph, { ...asked, folder: folder.replace(/\/$/, '') })
          : mapAround(graph, { ...asked, file: findPath(project, file), depth: MAP_DEPTH });
      return { ...map, cycles: tellCycles(cycles), unseen };
    },
    forget: (root) => void projects.delete(root),
  };
}

async function readUnseen(store: IndexStore, { files }: LoadedFiles): Promise<Unseen> {
  const failed = (await store.parseFailures()).length;
  const parsed = (await store.stats()).parsed.reduce((sum, { exact }) => sum + exact, 0);
  let parsable = 0;
  const byName = new Map<string, number>();
  for (const { language, row } of files.values()) {
    if (isParsable(language)) parsable++;
    if (row !== undefined && !isResolved(language)) byName.set(language, (byName.get(language) ?? 0) + 1);
  }
  return {
    waiting: Math.max(0, parsable - parsed - failed),
    failed,
    waitedFor: 0,
    byName: [...byName]
      .filter(([, count]) => count >= files.size * LEAST_TOLD)
      .map(([language, count]) => ({ language, files: count })),
  };
}

/** A script among a thousand files is not worth a line of every answer. */
const LEAST_TOLD = 0.05;
const RESOLVED: ReadonlySet<string> = new Set([
  'typescript',
  'tsx',
  'javascript',
  'vue',
  'svelte',
  'html',
  'python',
  'go',
  'php',
  'ruby',
  'java',
  'csharp',
  'rust',
  'kotlin',
  'scala',
  'swift',
  'c',
  'cpp',
]);

function isResolved(language: string): boolean {
  return RESOLVED.has(language);
}
