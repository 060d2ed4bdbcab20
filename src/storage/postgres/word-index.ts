/**
 * The words of a memory as this process keeps them: a recall weighs dozens of words, and the database walks through every entry that
 * has one. What changed since is read before each recall. Until all are there, the database is asked.
 */
import type { Clock, MemoryBudget } from '../../core/index.ts';
import type { FindFilter, MemoryStore } from '../memory-store.ts';
import { numberColumn, textColumn, type Row } from './driver.ts';
import type { Space } from './memory-keys.ts';
import { countEntries, countWords, type Reader, wordSeqs } from './memory-queries.ts';

export interface WordIndex extends Pick<MemoryStore, 'frequencies' | 'byWords'> {
  /** This process wrote: what it read before is not believed any more. */
  expire(): void;
  forget(): void;
}

/** For all memories of a process. */
export const MOST_WORD_BYTES = 64 * 1024 * 1024;

export interface WordIndexParts {
  readonly reader: Reader;
  readonly space: Space;
  readonly budget: MemoryBudget;
  readonly clock: Pick<Clock, 'elapsed'>;
}

/** One recall asks several times; a commit of another instance is seen by the next one. */
const FRESH_MS = 20;
/** An entry and a word of it, both as numbers in a list. */
const BYTES_PER_WORD = 16;

export function createWordIndex({ reader, space, budget, clock }: WordIndexParts): WordIndex {
  let table: WordTable | undefined;
  let asked = 0;
  let forgotten = 0;
  /** Counts what this process wrote. */
  let writes = 0;
  let seen = { writes: -1, at: -Infinity };
  let running: { readonly writes: number; readonly done: Promise<void> } | undefined;

  async function read(): Promise<void> {
    const begun = { writes, at: clock.elapsed() };
    const forgottenBefore = forgotten;
    const before = table ?? createWordTable();
    const rows = await reader.all(
      CHANGED,
      space.tenant,
      space.space,
      before.change,
      budget.bytes / BYTES_PER_WORD,
    );
    const [first] = rows;
    if (first === undefined) return;
    const isBehind = before.change > 0 && numberColumn(first, 'cleared') > before.change;
    if (isBehind || before.isMostlyGone()) {
      table = undefined;
      return read();
    }
    if (before.change === 0 && numberColumn(first, 'change') > 0 && first['has_room'] !== true) return;
    if (forgotten !== forgottenBefore) return;
    before.take(rows);
    [table, seen] = [before, begun];
  }

  /** Shared by those who ask meanwhile, unless something was written here since it began. */
  function refresh(): Promise<void> {
    if (running?.writes === writes) return running.done;
    const before = running?.done.catch(() => {}) ?? Promise.resolve();
    const mine = { writes, done: before.then(read) };
    running = mine;
    const end = (): void => {
      if (running === mine) running = undefined;
    };
    mine.done.then(end, end);
    return mine.done;
  }

  async function current(): Promise<WordTable | undefined> {
    asked += 1;
    if (table === undefined) {
      // A command asks once or twice; nothing waits for all the words.
      if (asked > ASKED_BY_COMMANDS) void refresh().catch(() => {});
      return undefined;
    }
    const isFresh = seen.writes === writes && clock.elapsed() - seen.at < FRESH_MS;
    if (!isFresh) await refresh();
    if (table !== undefined) budget.use(index, table.words * BYTES_PER_WORD);
    return table;
  }

  const index: WordIndex = {
    async frequencies(words) {
      const known = await current();
      if (known !== undefined) return { total: known.last, counts: known.count(words) };
      return { total: await countEntries(reader, space), counts: await countWords(reader, space, words) };
    },
    async byWords(words, filter) {
      return (await current())?.find(words, filter) ?? wordSeqs(reader, space, { ...filter, words });
    },
    expire: () => void (writes += 1),
    forget() {
      table = undefined;
      asked = 0;
      forgotten += 1;
      budget.drop(index);
    },
  };
  return index;
}

const ASKED_BY_COMMANDS = 6;

/** The words of an entry come with it, so that nothing is of another moment. */
const CHANGED = `
  SELECT s.change, s.cleared, s.seq AS last, s.worded, s.words AS total, s.words <= $4 AS has_room,
    e.seq, e.kind, e.words, t.words AS list, t.weights
  FROM space s
  LEFT JOIN entry e ON e.tenant_id = s.tenant_id AND e.space_id = s.id AND e.change > 0 AND e.change > $3
    AND ($3 > 0 OR s.words <= $4)
  LEFT JOIN LATERAL (
    SELECT array_agg(w.word) AS words, array_agg(w.weight) AS weights FROM entry_word w
    WHERE w.tenant_id = e.tenant_id AND w.space_id = e.space_id AND w.seq = e.seq) t ON e.deleted_at IS NULL
  WHERE s.tenant_id = $1 AND s.id = $2`;

interface WordTable {
  /** Up to which change it is. */
  readonly change: number;
  /** The last place in the memory: about how many entries there are. */
  readonly last: number;
  /** How many words it holds of all entries. */
  readonly words: number;
  take(rows: readonly Row[]): void;
  /** What was changed or removed takes room until all is read again. */
  isMostlyGone(): boolean;
  count(words: readonly string[]): ReadonlyMap<string, number>;
  find(words: readonly string[], filter: FindFilter): readonly number[];
}

/** Removed, or written again in another place of the table. */
const GONE = '';

function createWordTable(): WordTable {
  const totals = { change: 0, last: 0, worded: 0, words: 0 };
  const seqs: number[] = [];
  const kinds: string[] = [];
  const lengths: number[] = [];
  const placeOf = new Map<number, number>();
  /** Of each word: a place in the lists above and its weight there, in turn. */
  const postings = new Map<string, number[]>();
  let held = 0;

  function add(row: Row, seq: number): void {
    const { list, weights } = row;
    if (!Array.isArray(list) || !Array.isArray(weights)) return;
    const place = seqs.push(seq) - 1;
    kinds.push(textColumn(row, 'kind'));
    lengths.push(numberColumn(row, 'words'));
    placeOf.set(seq, place);
    for (const [at, word] of list.entries()) {
      const known = postings.get(word);
      if (known === undefined) postings.set(word, [place, Number(weights[at])]);
      else known.push(place, Number(weights[at]));
    }
    held += list.length;
  }

  function* entriesWith(word: string): Generator<readonly [place: number, weight: number]> {
    const known = postings.get(word) ?? [];
    for (let at = 0; at < known.length; at += 2) {
      const place = known[at] ?? 0;
      if (kinds[place] !== GONE) yield [place, known[at + 1] ?? 0];
    }
  }

  return {
    get change() {
      return totals.change;
    },
    get last() {
      return totals.last;
    },
    get words() {
      return held;
    },
    take(rows) {
      for (const row of rows) {
        totals.change = numberColumn(row, 'change');
        totals.last = numberColumn(row, 'last');
        totals.worded = numberColumn(row, 'worded');
        totals.words = numberColumn(row, 'total');
        if (row['seq'] === null) continue;
        const seq = numberColumn(row, 'seq');
        const before = placeOf.get(seq);
        if (before !== undefined) kinds[before] = GONE;
        placeOf.delete(seq);
        add(row, seq);
      }
    },
    isMostlyGone: () => seqs.length > 1_000 && placeOf.size < seqs.length / 2,
    count(words) {
      const counts = [...new Set(words)].map((word) => [word, [...entriesWith(word)].length] as const);
      return new Map(counts.filter(([, count]) => count > 0));
    },
    /** BM25, as the statement for the same weighs it. */
    find(words, { kinds: asked, limit }) {
      const scores = new Map<number, number>();
      const average = totals.words / Math.max(1, totals.worded);
      for (const word of new Set(words)) {
        const found = [...entriesWith(word)];
        const rarity = Math.max(1e-6, Math.log((totals.worded - found.length + 0.5) / (found.length + 0.5)));
        for (const [place, weight] of found) {
          const length = (lengths[place] ?? 0) / Math.max(average, 1e-9);
          const score = (rarity * weight * 2.2) / (weight + 1.2 * (0.25 + 0.75 * length));
          scores.set(place, (scores.get(place) ?? 0) + score);
        }
      }
      const wanted: readonly string[] | undefined = asked;
      return [...scores]
        .toSorted(([a, left], [b, right]) => right - left || (seqs[a] ?? 0) - (seqs[b] ?? 0))
        .slice(0, wanted === undefined ? limit : limit * 4)
        .filter(([place]) => wanted?.includes(kinds[place] ?? GONE) ?? true)
        .slice(0, limit)
        .map(([place]) => seqs[place] ?? 0);
    },
  };
}
