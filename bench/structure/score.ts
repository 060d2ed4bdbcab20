/**
 * Precision, recall and F1 of answers, averaged over symbols, at the level of lines, of the definitions around them, and of files.
 * Import and export lines, the definition itself and uses that the precise indexer could not resolve count for nothing.
 */
import type { SampledSymbol, Truth } from './truth.ts';

export interface Score {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

export interface Scores {
  readonly line: Score;
  readonly caller: Score;
  readonly file: Score;
}

type Level = keyof Scores;
type Lines = readonly (readonly [path: string, line: number])[];

const SILENT: ReadonlySet<string> = new Set(['import', 'export', 'close']);

interface Tally {
  n: number;
  precision: number;
  answered: number;
  recall: number;
  asked: number;
  f1: number;
}

export function createScorer(truth: Truth): (answers: ReadonlyMap<string, Lines>, only?: 'calls') => Scores {
  const unresolved = unresolvedOf(truth);
  const around = (path: string, line: number): string => enclosing(truth, path, line);
  return (answers, only) => {
    const tallies: Record<Level, Tally> = { line: newTally(), caller: newTally(), file: newTally() };
    for (const symbol of truth.sample) {
      const counts = (kind: string): boolean => (only === 'calls' ? kind === 'call' : !SILENT.has(kind));
      const loud = symbol.refs.filter(({ kind }) => counts(kind));
      if (only === 'calls' && (symbol.kind === 'type' || loud.length === 0)) continue;
      const lines = answers.get(symbol.id) ?? [];
      scoreSymbol(tallies, { symbol, lines, counts, unresolved, around });
    }
    return { line: toScore(tallies.line), caller: toScore(tallies.caller), file: toScore(tallies.file) };
  };
}

interface Scored {
  readonly symbol: SampledSymbol;
  readonly lines: Lines;
  readonly counts: (kind: string) => boolean;
  readonly unresolved: ReadonlyMap<string, readonly string[]>;
  readonly around: (path: string, line: number) => string;
}

function scoreSymbol(tallies: Record<Level, Tally>, scored: Scored): void {
  const { symbol, lines, counts, unresolved, around } = scored;
  const loud = symbol.refs.filter(({ kind }) => counts(kind));
  const quiet = symbol.refs.filter(({ kind }) => !counts(kind));
  const silent = [...quiet, ...symbol.defs].map(({ file, line }) => `${file}:${line}`);
  const neutral = new Set([
    ...silent,
    ...(symbol.neutral ?? []).map((place) => place.replace(/:\d+$/, '')),
    ...(unresolved.get(symbol.name) ?? []),
  ]);
  const told = lines.map(([path, line]) => `${path}:${line}`);
  put(
    tallies.line,
    told,
    loud.map(({ file, line }) => `${file}:${line}`),
    neutral,
  );
  const places = [...neutral].map((place): [string, number] => {
    const at = place.lastIndexOf(':');
    return [place.slice(0, at), Number(place.slice(at + 1))];
  });
  const isSilent = new Set(silent);
  put(
    tallies.caller,
    lines
      .filter(([path, line]) => !isSilent.has(`${path}:${line}`))
      .map(([path, line]) => `${path}#${around(path, line)}`),
    loud.map(({ file, in: caller }) => `${file}#${caller}`),
    new Set(places.map(([path, line]) => `${path}#${around(path, line)}`)),
  );
  const own = new Set(symbol.defs.map(({ file }) => file));
  put(
    tallies.file,
    lines.map(([path]) => path).filter((path) => !own.has(path)),
    loud.map(({ file }) => file).filter((path) => !own.has(path)),
    new Set([...places.map(([path]) => path), ...own]),
  );
}

function put(
  tally: Tally,
  told: readonly string[],
  truth: readonly string[],
  neutral: ReadonlySet<string>,
): void {
  const wanted = new Set(truth);
  const graded = [...new Set(told)].filter((each) => wanted.has(each) || !neutral.has(each));
  const right = graded.filter((each) => wanted.has(each)).length;
  if (wanted.size === 0 && graded.length === 0) return;
  const precision = graded.length === 0 ? 0 : right / graded.length;
  const recall = wanted.size === 0 ? 0 : right / wanted.size;
  tally.n++;
  if (graded.length > 0) {
    tally.precision += precision;
    tally.answered++;
  }
  if (wanted.size > 0) {
    tally.recall += recall;
    tally.asked++;
  }
  tally.f1 += precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
}

function newTally(): Tally {
  return { n: 0, precision: 0, answered: 0, recall: 0, asked: 0, f1: 0 };
}

function toScore({ n, precision, answered, recall, asked, f1 }: Tally): Score {
  return { precision: precision / (answered || 1), recall: recall / (asked || 1), f1: f1 / (n || 1) };
}

function unresolvedOf({ files, resolved }: Truth): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { path, uses } of files.values())
    for (const [line, column, name] of uses) {
      if (resolved.get(path)?.has(`${line}:${column}`) === true) continue;
      found.set(name, [...(found.get(name) ?? []), `${path}:${line}`]);
    }
  return found;
}

/** The innermost definition around a line, as the truth names it. */
function enclosing({ files }: Truth, path: string, line: number): string {
  let best: readonly [string, string, number, number, number?] | undefined;
  for (const each of files.get(path)?.defs ?? []) {
    const [, , first, last] = each;
    if (first > line || line > last) continue;
    if (best === undefined || first > best[2] || (first === best[2] && last <= best[3])) best = each;
  }
  return best === undefined ? '<file>' : `${best[1]}@${best[2]}`;
}

export interface Edges {
  readonly edges: number;
  readonly impact: number;
}

/** F1 of file → file edges, and of the files that depend on a file through others. */
export function scoreImports(
  told: ReadonlyMap<string, readonly string[]>,
  truth: Readonly<Record<string, readonly string[]>>,
): Edges {
  const edgesOf = (entries: Iterable<readonly [string, readonly string[]]>): Set<string> =>
    new Set(
      [...entries]
        .filter(([from]) => from in truth)
        .flatMap(([from, all]) =>
          all.filter((to) => to in truth && to !== from).map((to) => `${from}\0${to}`),
        ),
    );
  const [ours, theirs] = [edgesOf(told), edgesOf(Object.entries(truth))];
  return { edges: f1Of(ours, theirs), impact: f1Of(closure(ours), closure(theirs)) };
}

function f1Of(told: ReadonlySet<string>, truth: ReadonlySet<string>): number {
  const right = [...told].filter((each) => truth.has(each)).length;
  return (2 * right) / (told.size + truth.size || 1);
}

function closure(edges: ReadonlySet<string>): Set<string> {
  const usedBy = new Map<string, string[]>();
  for (const edge of edges) {
    const [from = '', to = ''] = edge.split('\0');
    usedBy.set(to, [...(usedBy.get(to) ?? []), from]);
  }
  const all = new Set<string>();
  for (const start of usedBy.keys()) {
    const seen = new Set<string>();
    const open = [start];
    for (let at = open.pop(); at !== undefined; at = open.pop())
      for (const user of usedBy.get(at) ?? [])
        if (!seen.has(user)) {
          seen.add(user);
          open.push(user);
        }
    for (const user of seen) if (user !== start) all.add(`${start}\0${user}`);
  }
  return all;
}
