/** Projects whose facts are in memory: as of their last commit, read when they are asked for. */
import { createImportResolver, isParsable, PARSER_ID } from '../languages/index.ts';
import type { IndexStore } from '../storage/index.ts';
import type { FileCycles } from './code-map.ts';
import type { FileGraph } from './file-graph.ts';
import { readImportConfigs } from './import-configs.ts';
import type { StructureParts } from './ports.ts';
import { createProjectFacts, loadFiles, type LoadedFiles, type ProjectFacts } from './project-facts.ts';
import { createResolver, type Resolver } from './resolver.ts';
import {
  createWaitingFiles,
  FEW_WAITING,
  NONE_WAITING,
  type WaitingFile,
  type WaitingFiles,
} from './waiting-files.ts';

export interface OpenProject {
  readonly store: IndexStore;
  readonly loaded: LoadedFiles;
  readonly project: ProjectFacts;
  readonly resolver: Resolver;
  readonly failed: number;
  /** Languages that are read by name alone. */
  readonly byName: readonly { readonly language: string; readonly files: number }[];
  /** Made when they are first asked for. */
  graph: FileGraph | undefined;
  cycles: FileCycles | undefined;
}

export interface OpenProjects {
  open(root: string): Promise<OpenProject>;
  forget(root: string): void;
}

const NO_GRAPH = { graph: undefined, cycles: undefined } as const;
const MOST_PROJECTS = 4;
/** What was opened is kept until it is this much as it is stored; open it takes some six times as much. */
const MOST_OPENED_BYTES = 16 * 1024 * 1024;

export function createOpenProjects(
  parts: Pick<StructureParts, 'store' | 'readConfig' | 'readText'>,
): OpenProjects {
  const projects = new Map<string, OpenProject>();

  async function read(root: string, store: IndexStore, loaded: LoadedFiles): Promise<OpenProject> {
    const configs = readImportConfigs(loaded.files.values(), (path) => parts.readConfig(root, path));
    const imports = createImportResolver({ paths: loaded.files.keys(), configs });
    const waiting = await readWaiting(root, store, loaded);
    const project = createProjectFacts(loaded, { imports, waiting });
    const failed = (await store.parseFailures()).length;
    const byName = countByName(loaded);
    return { store, loaded, project, resolver: createResolver(project), failed, byName, ...NO_GRAPH };
  }

  async function readWaiting(root: string, store: IndexStore, { files }: LoadedFiles): Promise<WaitingFiles> {
    const waiting = (await store.unparsed(PARSER_ID)).flatMap(({ path, language }): WaitingFile[] => {
      const file = files.get(path);
      return file !== undefined && isParsable(language) ? [file] : [];
    });
    if (waiting.length === 0) return NONE_WAITING;
    return createWaitingFiles({
      files: waiting,
      trigrams: waiting.length <= FEW_WAITING ? new Map() : await store.trigrams(),
      readText: ({ path, hash, plainBy }) => parts.readText(root, path, { hash, plainBy })?.lines.text,
    });
  }

  function renew(same: OpenProject): OpenProject {
    const project = same.project.renewed();
    const isWhole = project.waiting.count === 0;
    const { graph, cycles } = isWhole ? same : NO_GRAPH;
    return { ...same, project, resolver: createResolver(project), graph, cycles };
  }

  return {
    async open(root) {
      const store = await parts.store(root);
      const known = projects.get(root);
      const before = known?.store === store ? known : undefined;
      const loaded = await loadFiles(store, before?.loaded);
      const same = before?.loaded === loaded ? before : undefined;
      // What is noted of files that wait is of one answer.
      const mayStay = same?.project.waiting.count === 0 && same.project.openedBytes() <= MOST_OPENED_BYTES;
      if (same !== undefined && mayStay) return same;
      const opened = same === undefined ? await read(root, store, loaded) : renew(same);
      projects.delete(root);
      projects.set(root, opened);
      const [oldest] = projects.keys();
      if (projects.size > MOST_PROJECTS && oldest !== undefined) projects.delete(oldest);
      return opened;
    },
    forget: (root) => void projects.delete(root),
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

function countByName({ files }: LoadedFiles): OpenProject['byName'] {
  const byName = new Map<string, number>();
  for (const { language, row } of files.values())
    if (row !== undefined && !RESOLVED.has(language)) byName.set(language, (byName.get(language) ?? 0) + 1);
  return [...byName]
    .filter(([, count]) => count >= files.size * LEAST_TOLD)
    .map(([language, count]) => ({ language, files: count }));
}
