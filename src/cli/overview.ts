/** What there is to know of the project one is in, gathered for people: nothing is written, indexed or started. */
import { currentPlaces, listClientStates, type ClientState } from '../clients/index.ts';
import type { Environment } from '../config/index.ts';
import type { Detection, GitIdentity, ProjectSource } from '../core/index.ts';
import type { FreshState } from '../indexing/index.ts';
import { countOf, escapeControl } from '../text/index.ts';
import type { Services } from './command.ts';
import { knownAbove } from './project.ts';

interface IndexFacts {
  /** `missing`: there is no index yet. */
  readonly state: FreshState | { readonly kind: 'missing' };
  readonly files: number;
  readonly leftOut: number;
}

export interface Checkpoint {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  readonly branch: string | undefined;
}

export interface Overview {
  readonly detection: Detection;
  /** Where there is no project: one above that is known all the same. */
  readonly above: string | undefined;
  readonly git: GitIdentity | undefined;
  /** Undefined where there is no project. */
  readonly index: IndexFacts | undefined;
  readonly memory:
    | {
        readonly counts: string;
        readonly entries: Readonly<Record<string, number>>;
        readonly lastCheckpoint: Checkpoint | undefined;
      }
    | undefined;
  readonly agents: readonly ClientState[];
  readonly home: string;
}

export async function readOverview(services: Services, env: Environment): Promise<Overview> {
  const { detector, known } = services;
  const detection = await detector.detect({ transport: 'cli', explain: true });
  const root = detection.kind === 'found' ? detection.project.root : undefined;
  const places = currentPlaces(env);
  return {
    detection,
    above: detection.kind === 'none' ? await knownAbove(known) : undefined,
    git: root === undefined ? undefined : detector.git(root, 'cli'),
    index: root === undefined ? undefined : await readIndex(services, root),
    memory: root === undefined ? undefined : await readMemory(services, root),
    agents: listClientStates(places, root),
    home: places.home,
  };
}

async function readIndex({ indexing }: Services, root: string): Promise<IndexFacts> {
  const { state } = await indexing.state(root);
  if (state === 'missing') return { state: { kind: 'missing' }, files: 0, leftOut: 0 };
  const { files, skips } = await indexing.stats(root);
  return { state: await indexing.following.check(root), files, leftOut: skips };
}

async function readMemory({ engine, memory }: Services, root: string): Promise<Overview['memory']> {
  const { readMemoryFacts } = await import('../tools/index.ts');
  const {
    counts,
    value: { entries },
  } = await readMemoryFacts(engine, root);
  // Looking for one would make a memory where there is none.
  const isAny = (entries['checkpoint'] ?? 0) > 0;
  const [last] = isAny ? await memory.list(root, { kinds: ['checkpoint'], limit: 1 }) : [];
  return {
    counts,
    entries,
    lastCheckpoint: last && {
      id: last.entry.id,
      name: last.entry.name,
      createdAt: last.entry.createdAt,
      branch: last.entry.provenance.branch,
    },
  };
}

/** How the project was found, in plain words. */
export function sayHowFound({
  source,
  via,
}: {
  readonly source: ProjectSource;
  readonly via: string;
}): string {
  switch (source) {
    case 'cwd':
    case 'pwd':
    case 'env':
      return `found by ${escapeControl(via)}`;
    case 'argument':
      return 'as you named it';
    case 'switched':
    case 'roots':
    case 'client_meta':
    case 'query_param':
      return `found by ${escapeControl(`${source}, ${via}`)}`;
  }
}

export function sayIndex({ state, files }: IndexFacts): string {
  const of = `${files.toLocaleString('en')} ${files === 1 ? 'file' : 'files'}`;
  switch (state.kind) {
    case 'missing':
      return 'none yet';
    case 'fresh':
      return `fresh, ${of}`;
    case 'changed':
      return `${of}, ${countOf(state.count, 'change')} since; the next search takes ${state.count === 1 ? 'it' : 'them'} in`;
    case 'updating':
      return `${of}, being updated`;
    case 'unknown':
      return `${of}; whether they changed since is not known`;
  }
}

/** `Claude Code, Cursor connected; Codex is not`. */
export function sayAgents(agents: readonly ClientState[]): string {
  const named = (wanted: ClientState['state']): readonly string[] =>
    agents.filter(({ state }) => state === wanted).map(({ client }) => client.name);
  const [connected, found] = [named('connected'), named('found')];
  if (agents.length === 0) return 'none found on this machine';
  const others = found.length === 0 ? '' : `not connected: ${found.join(', ')}`;
  if (connected.length === 0) return `none connected; found: ${found.join(', ')}`;
  return [connected.join(', '), others].filter((part) => part !== '').join('; ');
}

/** What to type next, with why: the most useful first. */
export function nextSteps({
  detection,
  above,
  index,
  agents,
}: Overview): readonly (readonly [string, string])[] {
  if (detection.kind === 'refused')
    return [['waymark status --verbose', 'what names the project cannot be used: this says why']];
  if (detection.kind === 'none')
    return [
      above === undefined
        ? ['cd PROJECT', 'change to the directory of your project, or begin one here with `git init`']
        : [`export WAYMARK_PROJECT=${above}`, 'work on the folder above, which has no .git or manifest'],
      ['waymark projects', 'the projects that Waymark knows'],
    ];
  const isConnected = agents.some(({ state }) => state === 'connected');
  const isIndexed = index?.state.kind !== 'missing';
  return [
    ...(isIndexed ? [] : [['waymark index', 'make the index; the first search does it, too'] as const]),
    ...(isConnected ? [] : [['waymark setup', 'connect your agents; every change is shown first'] as const]),
    ['waymark "how are errors handled"', 'search by meaning, words or names'],
    ['waymark outline', 'what the project defines'],
  ];
}

/** The same for a program: one line. */
export function nextStep({ detection, index }: Pick<Overview, 'detection' | 'index'>): string {
  if (detection.kind === 'refused') return 'correct what names the project: its path cannot be used';
  if (detection.kind === 'none')
    return 'change to the directory of your project, or set WAYMARK_PROJECT to its absolute path';
  if (index?.state.kind === 'missing') return `waymark index ${detection.project.root}`;
  return 'waymark search "where do we …"';
}
