/** Two processes read and then write the same store, as fast as they can; no lock error, nothing lost. */
import { noteCount, openNotes } from '../storage/notes-store.ts';
import { startWriter } from './storage-process.ts';

export interface ContentionOptions {
  readonly program: string;
  readonly absPath: string;
  /** Of each process. */
  readonly transactions: number;
}

export interface ContentionReport {
  readonly expected: number;
  readonly counted: number;
  readonly rows: number;
  readonly sound: boolean;
  /** What failed processes said; empty when all went well. */
  readonly complaints: readonly string[];
  readonly overlapMs: number;
  readonly longestTransactionMs: number;
}

interface Timing {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly longestMs: number;
}

export async function runContention(options: ContentionOptions): Promise<ContentionReport> {
  const { program, absPath, transactions } = options;
  const writers = [0, 1].map(() => startWriter(program, ['count-up', absPath, String(transactions)]));
  await Promise.all(writers.map((writer) => writer.untilLines(1)));
  for (const writer of writers) writer.goAhead();
  const endings = await Promise.all(writers.map((writer) => writer.ended));
  const timings = writers.map((writer) => toTiming(writer.lines()[1]));

  const store = await openNotes(absPath);
  const counted = Number(store.read((tx) => tx.get('SELECT value FROM counter'))?.['value']);
  const rows = noteCount(store);
  const sound = (await store.verify()).kind === 'sound';
  store.close();
  return {
    expected: 2 * transactions,
    counted,
    rows,
    sound,
    complaints: endings.filter((end) => end.code !== 0 || end.stderr !== '').map((end) => end.stderr),
    overlapMs: Math.min(...timings.map((t) => t.endedAt)) - Math.max(...timings.map((t) => t.startedAt)),
    longestTransactionMs: Math.max(...timings.map((t) => t.longestMs)),
  };
}

function toTiming(line: string | undefined): Timing {
  const parsed: unknown = JSON.parse(line ?? '{}');
  const field = (name: string): number => {
    const value: unknown =
      typeof parsed === 'object' && parsed !== null ? Reflect.get(parsed, name) : undefined;
    return typeof value === 'number' ? value : Number.NaN;
  };
  return { startedAt: field('startedAt'), endedAt: field('endedAt'), longestMs: field('longestMs') };
}
