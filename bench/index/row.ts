/** What is measured of one tree, and how it is printed. */

/** One cold run of everything over one tree, each behind the other, so that a busy moment hits all of them alike. */
export interface Times {
  /** By a process that runs already and has indexed another project: from the call to the answer of a search. */
  readonly runningMs: number;
  /** The same, with everything parsed exactly. */
  readonly runningCompleteMs: number;
  /** By a server that was started just now: from its first call to the answer of a search. */
  readonly searchableMs: number;
  /** `waymark search` in a project without an index: from the start of the process to its end. */
  readonly processMs: number;
  /** `waymark index --exact`, from the start of the process to its end. */
  readonly completeMs: number;
  readonly hashMs: number;
  /** A process that parses the same files and keeps nothing, from its start to its end. */
  readonly parseMs: number;
  /** NaN where it knows none of the languages, or was not asked. */
  readonly codegraphMs: number;
  readonly codegraphOwnMs: number;
}

export interface Row extends Times {
  readonly name: string;
  readonly files: number;
  readonly chunks: number;
  readonly sourceBytes: number;
  readonly rssMb: number;
  readonly dbBytes: number;
}

export const COLUMNS: readonly (readonly [head: string, cell: (row: Row) => string | number])[] = [
  ['repository', ({ name }) => name],
  ['files', ({ files }) => files],
  ['MB', ({ sourceBytes }) => (sourceBytes / 1e6).toFixed(2)],
  ['chunks', ({ chunks }) => chunks],
  ['running ms', ({ runningMs }) => runningMs],
  ['MB/s', ({ sourceBytes, runningMs }) => (sourceBytes / 1000 / runningMs).toFixed(1)],
  ['running, exact ms', ({ runningCompleteMs }) => runningCompleteMs],
  ['just started ms', ({ searchableMs }) => searchableMs],
  ['search command ms', ({ processMs }) => processMs],
  ['index --exact ms', ({ completeMs }) => completeMs],
  ['codegraph ms', ({ codegraphMs }) => codegraphMs],
  ['of its own ms', ({ codegraphOwnMs }) => codegraphOwnMs],
  ['× sooner', ({ codegraphMs, runningMs }) => (codegraphMs / runningMs).toFixed(1)],
  ['× complete sooner', ({ codegraphMs, runningCompleteMs }) => (codegraphMs / runningCompleteMs).toFixed(1)],
  ['parsing alone ms', ({ parseMs }) => parseMs],
  ['read+hash ms', ({ hashMs }) => hashMs],
  ['×', ({ hashMs, runningMs }) => (runningMs / hashMs).toFixed(1)],
  ['peak RSS MB', ({ rssMb }) => rssMb],
  ['index ÷ source', ({ dbBytes, sourceBytes }) => (dbBytes / sourceBytes).toFixed(2)],
];

export function print(row: Row): void {
  const cells = COLUMNS.map(([, cell]) => cell(row)).map((value) =>
    typeof value === 'number' ? value.toFixed(0) : value,
  );
  process.stdout.write(`| ${cells.map((cell) => (cell === 'NaN' ? '' : cell)).join(' | ')} |\n`);
}

export function meanOf(rows: readonly Row[]): Row {
  const mean = (pick: (row: Row) => number): number => average(rows.map(pick));
  return {
    name: `mean of ${rows.length}`,
    files: mean(({ files }) => files),
    chunks: mean(({ chunks }) => chunks),
    sourceBytes: mean(({ sourceBytes }) => sourceBytes),
    runningMs: mean(({ runningMs }) => runningMs),
    runningCompleteMs: mean(({ runningCompleteMs }) => runningCompleteMs),
    searchableMs: mean(({ searchableMs }) => searchableMs),
    processMs: mean(({ processMs }) => processMs),
    completeMs: mean(({ completeMs }) => completeMs),
    hashMs: mean(({ hashMs }) => hashMs),
    parseMs: mean(({ parseMs }) => parseMs),
    rssMb: mean(({ rssMb }) => rssMb),
    dbBytes: mean(({ dbBytes }) => dbBytes),
    codegraphMs: Number.NaN,
    codegraphOwnMs: Number.NaN,
  };
}

export function median(of: readonly number[]): number {
  return of.toSorted((a, b) => a - b)[Math.floor(of.length / 2)] ?? Number.NaN;
}

export function average(of: readonly number[]): number {
  return of.reduce((sum, value) => sum + value, 0) / of.length;
}
