/** Structure as a service: loads the facts of a project's last commit, and answers from them. */
import { AppError } from '../core/index.ts';
import { quoteForeign } from '../text/index.ts';
import { type CodeMap, cyclesOf, type CyclesTold, mapAround, mapFolder, tellCycles } from './code-map.ts';
import {
  createFileGraph,
  type FileGraph,
  reach,
  type Reached,
  usedByFile,
  wantUsersOf,
} from './file-graph.ts';
import { createOpenProjects, type OpenProject } from './open-projects.ts';
import { outlineFile, type OutlinedFile, rankFiles } from './outline-map.ts';
import { type Asked, type AskedBy, createParsedAsNeeded, type Unseen } from './parsed-as-needed.ts';
import type { StructureParts } from './ports.ts';
import type { LoadedFiles } from './project-facts.ts';
import { createResolver } from './resolver.ts';
import { findReferences, type ReferencesQuery, type SymbolReferences } from './references.ts';
import { findPath, refuseSymbol } from './symbols.ts';
import { isRunnableTest } from './test-path.ts';

export interface ReferencesRequest extends Asked, Omit<ReferencesQuery, 'allowed'> {
  readonly paths?: readonly string[] | undefined;
}

export interface DependenciesRequest extends Asked {
  readonly file: string;
  readonly direction?: 'in' | 'out' | undefined;
  readonly depth?: number | undefined;
}

export interface ImpactRequest extends Asked {
  readonly files?: readonly string[] | undefined;
  readonly changed?: boolean | undefined;
  readonly branch?: string | undefined;
  readonly depth?: number | undefined;
}

export interface OutlineRequest extends Asked {
  readonly path?: string | undefined;
  readonly focus?: readonly string[] | undefined;
}

export interface CodeMapRequest extends Asked {
  /** A folder's folders and files; with `file` what is around that instead. */
  readonly folder?: string | undefined;
  readonly file?: string | undefined;
}

export interface CodeMapAnswer extends CodeMap {
  /** Of the whole project. */
  readonly cycles: CyclesTold;
  readonly unseen: Unseen;
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
  references(request: ReferencesRequest, call?: AskedBy): Promise<ReferencesAnswer>;
  dependencies(request: DependenciesRequest, call?: AskedBy): Promise<FilesAnswer>;
  impact(request: ImpactRequest, call?: AskedBy): Promise<FilesAnswer>;
  outline(request: OutlineRequest, call?: AskedBy): Promise<OutlineAnswer>;
  codeMap(request: CodeMapRequest, call?: AskedBy): Promise<CodeMapAnswer>;
  /** Forgets what is in memory of a project. */
  forget(root: string): void;
}

/** More nodes than this are a picture of nothing. */
const MOST_MAPPED = 150;
const MAP_DEPTH = 2;
const USUAL_DEPTH = { dependencies: 1, impact: 3 } as const;

export function createStructure(parts: StructureParts): Structure {
  const projects = createOpenProjects(parts);
  const answerFrom = createParsedAsNeeded(parts, projects);

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

  async function filesFrom(
    asked: Asked,
    call: AskedBy,
    { from, direction, depth }: ReachRequest,
  ): Promise<FilesAnswer> {
    const { answer, opened, unseen } = await answerFrom(asked, call, (project) =>
      reachFrom(project, { from: from(project), direction, depth }),
    );
    // What waits may use a file in ways that its text does not tell.
    const waiting = direction === 'in' ? opened.project.waiting.count : unseen.waiting;
    return { ...answer, unseen: { ...unseen, waiting } };
  }

  async function changedPaths({ root, changed, branch }: ImpactRequest): Promise<readonly string[]> {
    if (changed !== true && branch === undefined) return [];
    const told = await parts.changedFiles(root, branch);
    if (told.kind === 'told') return told.paths;
    throw new AppError('bad_argument', 'Git does not tell here which files changed.', {
      hint: 'It needs a git repository with a commit. Name the files instead.',
    });
  }

  return {
    async references({ paths, ...query }, call = {}) {
      const allowed = paths === undefined || paths.length === 0 ? undefined : parts.compileGlobs(paths);
      const { answer, opened, unseen } = await answerFrom(query, call, async (opening) => {
        const found = findReferences(opening.project, opening.resolver, { ...query, allowed });
        return found.symbols.length === 0 ? refuse(opening, query.symbol) : found;
      });
      const { symbols, others } = answer;
      const lineOf = createLines(query.root, opened.loaded);
      return {
        symbols: symbols.map((symbol) => ({
          ...symbol,
          references: symbol.references.map((each) => ({
            ...each,
            text: lineOf(each.path, each.line),
          })),
        })),
        others: others.map(({ path, definition }) => ({ path, line: definition.line })),
        unseen,
      };
    },
    dependencies: ({ file, direction = 'out', depth = USUAL_DEPTH.dependencies, ...asked }, call = {}) =>
      filesFrom(asked, call, { from: ({ project }) => [findPath(project, file)], direction, depth }),
    async impact(request, call = {}) {
      const { files = [], changed, branch, depth = USUAL_DEPTH.impact } = request;
      if (files.length === 0 && changed !== true && branch === undefined)
        throw new AppError('bad_argument', 'No file is named.', {
          hint: 'Name files, or ask for changed files or a branch.',
        });
      const changedOnes = await changedPaths(request);
      const from = ({ project }: OpenProject): readonly string[] => {
        const named = files.map((file) => findPath(project, file));
        return [...new Set([...named, ...changedOnes])];
      };
      return filesFrom(request, call, { from, direction: 'in', depth });
    },
    async outline({ path = '', focus = [], ...asked }, call = {}) {
      const wanted = path.replace(/^\.?\/|\/$/g, '').replace(/^\.$/, '');
      const { answer, unseen } = await answerFrom(asked, call, async (project) => {
        const paths = [...project.project.files.keys()];
        const isFolder = wanted === '' || paths.some((each) => each.startsWith(`${wanted}/`));
        return isFolder ? outlineFolder(project, wanted, focus) : outlineOne(project, wanted);
      });
      return { ...answer, unseen };
    },
    async codeMap({ folder = '', file, ...asked }, call = {}) {
      const { answer, unseen } = await answerFrom(asked, call, (opened) => {
        const { project } = opened;
        const graph = wholeGraph(opened);
        const cycles = (opened.cycles ??= cyclesOf(graph));
        const look = { most: MOST_MAPPED, cycles };
        const map =
          file === undefined
            ? mapFolder(project.files.keys(), graph, { ...look, folder: folder.replace(/\/$/, '') })
            : mapAround(graph, { ...look, file: findPath(project, file), depth: MAP_DEPTH });
        return { ...map, cycles: tellCycles(cycles) };
      });
      return { ...answer, unseen };
    },
    forget: (root) => projects.forget(root),
  };
}

interface ReachRequest {
  readonly from: (opened: OpenProject) => readonly string[];
  readonly direction: 'in' | 'out';
  readonly depth: number;
}

/** Of the files that are parsed. */
function graphOf(opened: OpenProject): FileGraph {
  return (opened.graph ??= createFileGraph(opened.project, opened.resolver));
}

function wholeGraph(opened: OpenProject): FileGraph {
  opened.project.waiting.wantAll();
  return graphOf(opened);
}

function reachFrom(
  opened: OpenProject,
  { from, direction, depth }: Omit<ReachRequest, 'from'> & { readonly from: readonly string[] },
): Omit<FilesAnswer, 'unseen'> {
  const edgesOf = direction === 'in' ? usersOf : usedOf;
  const found = reach((path) => edgesOf(opened, path), from, depth);
  return { from, files: found.map((each) => ({ ...each, isTest: isRunnableTest(each.path) })) };
}

function usersOf(opened: OpenProject, path: string): readonly string[] {
  wantUsersOf(opened.project, path);
  return graphOf(opened).usedBy.get(path) ?? [];
}

function usedOf(opened: OpenProject, path: string): readonly string[] {
  const { project, resolver, graph } = opened;
  const file = project.open(path);
  return graph?.uses.get(path) ?? (file === undefined ? [] : usedByFile(project, resolver, file));
}

async function refuse({ store, project }: OpenProject, written: string): Promise<never> {
  const waiting = project.waiting.paths();
  const isSure = project.waiting.wanted().length === 0;
  // To look for near names is no reason to parse anything.
  const aside = project.renewed();
  const outlines = isSure && waiting.length > 0 ? await store.outlinesOf(waiting) : [];
  const outlined = outlines.flatMap((outline) => outline.all().map(({ name }) => name));
  throw refuseSymbol(aside, createResolver(aside), { written, outlined });
}

type Outlined = Omit<OutlineAnswer, 'unseen'>;

function outlineFolder(opened: OpenProject, folder: string, focus: readonly string[]): Outlined {
  return { files: rankFiles(opened.project, wholeGraph(opened), { folder, focus }), isMap: true };
}

async function outlineOne(opened: OpenProject, given: string): Promise<Outlined> {
  const file = findPath(opened.project, given);
  opened.project.isParsed(file);
  // To count them takes all files, and what the file defines is asked for.
  const users = opened.project.waiting.count === 0 ? usersOf(opened, file).length : undefined;
  const definitions = await opened.store.definitionsOf(file);
  if (definitions.length > 0) return { files: [outlineFile(file, definitions, users)], isMap: false };
  throw new AppError('not_found', `${quoteForeign(file)} defines nothing.`, { hint: 'Read the file.' });
}
