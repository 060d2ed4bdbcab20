/** One recall over everything that holds in a project: its own memory, the person's, its guides, and other projects if asked. */
import type { Clock } from '../core/index.ts';
import type { EntryKind, MemoryEntry, MemorySpaces, MemoryStore } from '../storage/index.ts';
import type { Encoder } from './entry-keys.ts';
import { checkLimit, checkPresent } from './entry-text.ts';
import { createGuideEntries } from './guide-entries.ts';
import { fromTop, type Surroundings } from './make-entry.ts';
import type { Ranked } from './rank.ts';
import { createWordCounts, type Found, recall, type RecallOptions, type WordCounts } from './recall.ts';
import { penaltyOf, stalenessOf, type Stale } from './staleness.ts';
import { createVectorCache, type VectorCache } from './vector-cache.ts';

/** `all` looks into the memories of every project of this user, and is never the default. */
export type RecallScope = 'project' | 'all';

export interface RecallQuery {
  readonly text: string;
  readonly stack?: string | undefined;
  readonly kinds: readonly EntryKind[];
  readonly limit: number;
  readonly files?: readonly string[] | undefined;
  readonly scope?: RecallScope | undefined;
  /** False for a caller who is not the person that runs the program: then that person's facts are not looked at. */
  readonly isPerson?: boolean | undefined;
}

export interface Recalled extends Ranked {
  /** The name of the other project it comes from; undefined for this one's own. */
  readonly elsewhere: string | undefined;
  /** What became of the files and definitions it speaks of; empty if nothing did. */
  readonly stale?: Stale | undefined;
  /** It is the person's, and holds in every project. */
  readonly ofPerson?: true;
}

export interface RecallAnswer {
  /** Empty if nothing is near enough. */
  readonly hits: readonly Recalled[];
  /** Then the nearest of this project, for their names alone. */
  readonly nearest: readonly MemoryEntry[];
}

interface RecallSpacesOptions {
  readonly spaces: MemorySpaces;
  readonly around: Surroundings;
  readonly encoder: () => Encoder | undefined;
  readonly clock: Clock;
  readonly open: (space: string) => Promise<MemoryStore>;
}

/** What was learned here comes first when it is about as good. */
const HERE = 1.1;
const NOTHING: Found = { hits: [], nearest: [] };

export function createRecall(
  options: RecallSpacesOptions,
): (root: string, query: RecallQuery) => Promise<RecallAnswer> {
  const { spaces, around, encoder, clock, open } = options;
  const caches = new Map<string, { readonly vectors: VectorCache; readonly wordCounts: WordCounts }>();
  const guidesOf = createGuideEntries(around);

  async function recallIn(space: string, asked: Omit<RecallOptions, 'now'>): Promise<Found> {
    const store = (await spaces.exists(space)) ? await open(space) : undefined;
    if (store === undefined && (asked.beside ?? []).length === 0) return NOTHING;
    const kept = caches.get(space) ?? { vectors: createVectorCache(), wordCounts: createWordCounts() };
    caches.set(space, kept);
    return recall(store, { encoder: encoder(), ...kept }, { ...asked, now: clock.now() });
  }

  return async (root, query) => {
    checkPresent('query', query.text);
    checkLimit('query', query.text);
    checkLimit('stack', query.stack ?? '');
    const place = around.placeOf(root);
    const { text, stack, kinds, limit } = query;
    const exists = (path: string): boolean => around.hashFile(place.root, path) !== undefined;
    const files = query.files?.map((path) => fromTop(place, path, exists));
    const asked = { text, stack, kinds, limit, files, branch: place.branch };
    const [own, person] = await Promise.all([spaces.spaceOf(place.identity), spaces.spaceOf(around.person)]);
    const beside = kinds.includes('guide') ? guidesOf(root, encoder()) : [];
    // Twice as many: those whose files changed fall behind.
    const asksPerson = kinds.includes('fact') && query.isPerson !== false;
    const [mine, theirs] = await Promise.all([
      recallIn(own, { ...asked, limit: 2 * limit, beside }),
      asksPerson ? recallIn(person, { ...asked, kinds: ['fact'] }) : NOTHING,
    ]);
    const found: Recalled[] = [
      ...mine.hits.map((hit) => {
        const stale = stalenessOf(hit.entry, place.root, around);
        return { ...hit, score: hit.score - penaltyOf(stale), stale, elsewhere: undefined };
      }),
      ...theirs.hits.map((hit) => ({ ...hit, elsewhere: undefined, ofPerson: true as const })),
    ];
    if (query.scope === 'all')
      for (const space of (await spaces.list()).filter((name) => name !== own && name !== person)) {
        const identities = await (await open(space)).identities();
        // A memory that a project outside of the asker's limit shares is not told at all.
        if (!identities.every(({ identity }) => around.mayTell?.(identity) ?? true)) continue;
        const elsewhere = identities[0]?.name ?? space;
        const { hits } = await recallIn(space, asked);
        for (const hit of hits) found.push({ ...hit, elsewhere });
      }
    const rank = ({ score, elsewhere }: Recalled): number => (elsewhere === undefined ? score * HERE : score);
    const hits = found.toSorted((a, b) => rank(b) - rank(a)).slice(0, limit);
    return { hits, nearest: hits.length === 0 ? mine.nearest.slice(0, limit).map(({ entry }) => entry) : [] };
  };
}
