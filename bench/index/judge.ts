/** What was measured, against what it should be. */
import { average, meanOf, type Row } from './row.ts';

const GOALS = {
  searchableMs: 400,
  timesSooner: 10,
  timesCompleteSooner: 4,
  rssMb: 400,
  unchangedMs: 150,
  sizeRatio: 1.5,
} as const;

/** Without a goal: what is good to know beside the others. */
type Result = readonly [what: string, measured: number, kind: 'most' | 'least', goal: number | undefined];

/** `whole`: all trees as one project; `unchanged`: how long a run over so many files took that changed nothing. */
export function judge(
  rows: readonly Row[],
  whole: Row,
  unchanged: { readonly files: number; readonly ms: number },
): boolean {
  const mean = meanOf(rows);
  const compared = rows.filter(({ codegraphMs }) => !Number.isNaN(codegraphMs));
  const sooner = (theirs: (row: Row) => number, ours: (row: Row) => number): number =>
    average(compared.map((row) => theirs(row) / ours(row)));
  /** Large trees count for more than small ones here. */
  const together = (theirs: (row: Row) => number, ours: (row: Row) => number): number =>
    average(compared.map(theirs)) / average(compared.map(ours));
  const itsCommand = (row: Row): number => row.codegraphMs;
  const own = (row: Row): number => row.codegraphOwnMs;
  const results: readonly Result[] = [
    ['mean ms to searchable, by a process that runs already', mean.runningMs, 'most', GOALS.searchableMs],
    [
      'mean ms to searchable, by a server that was just started',
      mean.searchableMs,
      'most',
      GOALS.searchableMs,
    ],
    [
      `times sooner than the command of codegraph with its start, by a process that runs already, mean of ${compared.length}`,
      sooner(itsCommand, (row) => row.runningMs),
      'least',
      GOALS.timesSooner,
    ],
    [
      'times sooner complete than the command of codegraph with its start, by a process that runs already',
      sooner(itsCommand, (row) => row.runningCompleteMs),
      'least',
      GOALS.timesCompleteSooner,
    ],
    [
      'the two for all these trees together: searchable',
      together(itsCommand, (row) => row.runningMs),
      'least',
      undefined,
    ],
    ['and complete', together(itsCommand, (row) => row.runningCompleteMs), 'least', undefined],
    [
      'the two against what codegraph says that indexing took, without the start of its processes: searchable',
      sooner(own, (row) => row.runningMs),
      'least',
      GOALS.timesSooner,
    ],
    ['and complete', sooner(own, (row) => row.runningCompleteMs), 'least', GOALS.timesCompleteSooner],
    [
      'times sooner than codegraph, by a server that was just started',
      sooner(itsCommand, (row) => row.searchableMs),
      'least',
      GOALS.timesSooner,
    ],
    [
      'times sooner than codegraph, from the start of each process to its answer',
      sooner(itsCommand, (row) => row.processMs),
      'least',
      GOALS.timesSooner,
    ],
    [
      'times sooner complete than codegraph, from the start of each process',
      sooner(itsCommand, (row) => row.completeMs),
      'least',
      GOALS.timesCompleteSooner,
    ],
    [
      'for comparison: parsing alone by one process, from its start, nothing kept',
      sooner(itsCommand, (row) => row.parseMs),
      'least',
      undefined,
    ],
    [`peak RSS in MB for ${(whole.sourceBytes / 1e6).toFixed(0)} MB`, whole.rssMb, 'most', GOALS.rssMb],
    ['index ÷ source, all as one', whole.dbBytes / whole.sourceBytes, 'most', GOALS.sizeRatio],
    [`ms for ${unchanged.files} unchanged files`, unchanged.ms, 'most', GOALS.unchangedMs],
  ];
  process.stdout.write('\n| what | measured | goal | |\n|---|---|---|---|\n');
  const verdicts = results
    .filter(([, measured]) => !Number.isNaN(measured))
    .map(([what, measured, kind, goal]) => {
      const met = goal === undefined || (kind === 'most' ? measured <= goal : measured >= goal);
      const verdict =
        goal === undefined ? ' | ' : `${kind === 'most' ? '≤' : '≥'} ${goal} | ${met ? 'met' : 'missed'}`;
      process.stdout.write(`| ${what} | ${measured.toFixed(2)} | ${verdict} |\n`);
      return met;
    });
  return verdicts.every(Boolean);
}
