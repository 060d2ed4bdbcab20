/** Pushed projects in place of the disk: where they stand, what their files were, and how old that is. */
import { isPushedRoot, parsePushedRoot, type Clock, type ProjectPlace } from '../core/index.ts';
import type { Freshness } from '../indexing/index.ts';
import type { Hit, SearchAnswer, SearchRequest, SourceText } from '../search/index.ts';
import type { IndexStore, Pushes } from '../storage/index.ts';
import { TextLines } from '../text/index.ts';
import { createDiskBeneath, type Disk } from '../workspace/index.ts';
import { ENGINE_METHODS, type Engine } from './port.ts';

/** Nothing is there, and nothing is looked for. */
export const NO_DISK: Disk = createDiskBeneath([]);

export interface PushedProjects {
  /** To be waited for before anything is asked of a root; does nothing for one on disk. */
  prepare(root: string): Promise<void>;
  placeOf(root: string): ProjectPlace;
  /** As `hashProjectFile` makes it. */
  hashOf(root: string, path: string): string | undefined;
  /** As many lines as the file has, all empty: what they say is not here. */
  textOf(root: string, path: string): SourceText | undefined;
  freshnessOf(root: string): Promise<Freshness>;
  /** With the lines of its hits, where the server keeps the text. */
  withLines(answer: SearchAnswer, detail: SearchRequest['detail']): Promise<SearchAnswer>;
}

interface Prepared {
  readonly generation: number;
  readonly files: ReadonlyMap<string, { readonly hash: string; readonly lines: number }>;
}

const MOST_PREPARED = 16;
const MARK_CHARS = 24;

export function createPushedProjects(
  pushes: Pushes | undefined,
  { store, clock }: { readonly store: (root: string) => Promise<IndexStore>; readonly clock: Clock },
): PushedProjects {
  const prepared = new Map<string, Prepared>();
  const fileOf = (root: string, path: string) => prepared.get(root)?.files.get(path);
  return {
    async prepare(root) {
      if (!isPushedRoot(root)) return;
      const index = await store(root);
      if (prepared.get(root)?.generation === (await index.generation())) return;
      const { generation, files } = await index.files();
      prepared.delete(root);
      prepared.set(root, {
        generation,
        files: new Map(files.map(({ path, hash, lines }) => [path, { hash, lines }])),
      });
      const [oldest] = prepared.keys();
      if (prepared.size > MOST_PREPARED && oldest !== undefined) prepared.delete(oldest);
    },
    placeOf(root) {
      const { identity = root, branch } = parsePushedRoot(root) ?? {};
      return { root, name: identity.slice(identity.lastIndexOf('/') + 1), identity, folder: '', branch };
    },
    hashOf(root, path) {
      const hash = fileOf(root, path)?.hash;
      return hash && Buffer.from(hash, 'base64url').toString('hex').slice(0, MARK_CHARS);
    },
    textOf(root, path) {
      const file = fileOf(root, path);
      if (file === undefined) return undefined;
      return { lines: new TextLines('\n'.repeat(file.lines)), hash: file.hash, isHidden: true };
    },
    async freshnessOf(root) {
      const tree = await pushes?.tree(root);
      if (tree === undefined) return { state: 'missing' };
      const ageMs = Math.max(0, clock.now() - tree.pushedAt);
      return { state: 'pushed', commit: tree.commit, ageMs, showsLines: tree.hasSource };
    },
    async withLines(answer, detail) {
      const hidden = answer.hits.filter(({ isHidden }) => isHidden === true);
      if (pushes === undefined || hidden.length === 0) return answer;
      const texts = new Map<string, TextLines>();
      for (const root of new Set(hidden.map((hit) => hit.root))) {
        const paths = hidden.filter((hit) => hit.root === root).map(({ path }) => path);
        for (const [path, text] of await pushes.source(root, [...new Set(paths)]))
          texts.set(`${root} ${path}`, new TextLines(text));
      }
      const fill = (hit: Hit): Hit => {
        const text = texts.get(`${hit.root} ${hit.path}`);
        if (hit.isHidden !== true || text === undefined) return hit;
        const { isHidden: _, ...shown } = hit;
        const end = detail === 'locations' ? hit.startLine : hit.endLine;
        return { ...shown, lines: text.slice(hit.startLine - 1, end) };
      };
      return { ...answer, hits: answer.hits.map(fill) };
    },
  };
}

/** The engine whose calls wait until what they need of pushed projects is read. */
export function preparing(engine: Engine, { prepare }: Pick<PushedProjects, 'prepare'>): Engine {
  const methods = Object.fromEntries(
    ENGINE_METHODS.map((method) => [
      method,
      async (request: Readonly<Record<string, unknown>>, call?: object) => {
        for (const root of [request['root'], request['roots']].flat())
          if (typeof root === 'string') await prepare(root);
        // The request is the one that this method takes: callers know it by the same interface.
        return (engine[method] as (request: unknown, call?: object) => Promise<unknown>)(request, call);
      },
    ]),
    // One function for each name of the port.
  ) as unknown as Omit<Engine, 'close' | 'forClient' | 'forTenant'>;
  const own: Engine = {
    ...methods,
    forClient: (client) => preparing(engine.forClient(client), { prepare }),
    forTenant: (tenant) => (tenant === undefined ? own : engine.forTenant(tenant)),
    close: () => engine.close(),
  };
  return own;
}
