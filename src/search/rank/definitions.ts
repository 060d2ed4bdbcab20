/** Which definitions of the best files a pasted text is about. Pure. */
import type { Definition, LineRange } from '../../core/index.ts';
import { hashWord, partsIn } from '../../text/index.ts';
import type { Question, ReportQuestion } from '../query/question.ts';
import { DEFINITION_COLUMN, DEFINITION_FEATURES, type DefinitionFeature } from './definition-features.ts';
import { literalsIn } from './literals.ts';
import { ownLines, type OwnLines } from './own-lines.ts';

/** Which words of the question are on a line, each once, with how rare it is. */
export type WordsOnLine = readonly (readonly [word: number, rarity: number])[];

/** One of the best files, with what is known of its lines. */
export interface FileToRead {
  readonly path: string;
  readonly score: number;
  /** Code, and no test, example or vendored file. */
  readonly isSource: boolean;
  readonly definitions: readonly Definition[];
  /** By line, from 0. */
  readonly words: readonly WordsOnLine[];
  /** As it stands in the file, from 0. */
  lineAt(line: number): string;
  /** How well the passage that holds a line, from 1, matches the title. */
  titleNear(line: number): number;
}

export interface MeasuredDefinition {
  /** The file's place among those that were read. */
  readonly file: number;
  /** Undefined for the lines of a file that are in none. */
  readonly definition: Definition | undefined;
  /** Its lines, from 1, without those of definitions inside of it. */
  readonly ownLines: readonly number[];
  /** From the first of them to the last. */
  readonly range: LineRange;
  readonly features: Float64Array;
}

const K1 = 1.2;
const B = 0.6;
const CALLABLE = new Set<Definition['kind']>(['function', 'method']);
const TYPES = new Set<Definition['kind']>([
  'class',
  'interface',
  'struct',
  'enum',
  'trait',
  'type',
  'module',
]);
/** Short ones are everywhere. */
const SHORTEST_NAME = 3;
/** Words of one line that may be a message. */
const WORDS_OF_LITERAL = 2;
/** What a literal of a file adds to the score of the file, per e-fold of its length where no other file has it. */
const LITERAL_POINTS = 0.24;

interface Measuring extends OwnLines {
  readonly at: number;
  readonly file: FileToRead;
  /** On how many of its lines each word stands. */
  readonly counts: ReadonlyMap<number, number>;
  readonly literals: ReadonlySet<string>;
}

export function measureDefinitions(
  files: readonly FileToRead[],
  { tokens, report }: Pick<Question, 'tokens'> & { readonly report: ReportQuestion },
): MeasuredDefinition[] {
  const all = files.flatMap((file, at) =>
    ownLines(file.definitions, file.words.length).map((own): Measuring => {
      const counts = countWords(own.lines, file.words);
      return { ...own, at, file, counts, literals: readLiterals(own.lines, file, report) };
    }),
  );
  const mean = all.reduce((sum, { lines }) => sum + lines.length, 0) / Math.max(1, all.length);
  const scores = scoreFiles(files, all);
  const best = Math.max(...scores);
  const holding = countEach(all.flatMap(({ counts }) => [...counts.keys()]));
  const withLiteral = countEach(all.flatMap(({ literals }) => [...literals]));
  const sameName = countEach(all.map(({ definition }) => definition?.name ?? ''));
  const rarity = (word: number): number => Math.log(1 + all.length / (1 + (holding.get(word) ?? 0)));
  const namedWorth = (text: string): number =>
    text.length < SHORTEST_NAME ? 0 : (report.named.get(hashWord(text)) ?? 0);
  // `Cart.addItem` is about the method: what it belongs to is named on the way.
  const withNamed = new Set(
    all.flatMap(({ definition, at }) =>
      definition?.container !== undefined && namedWorth(definition.name) > 0
        ? [`${at} ${lastPart(definition.container)}`]
        : [],
    ),
  );
  const inFile = countEach(all.map(({ at }) => at));
  const held = new Float64Array(all.length);
  const rows = all.map((one, place): MeasuredDefinition => {
    const { definition, lines, at, counts } = one;
    const norm = K1 * (1 - B + (B * lines.length) / mean);
    for (const [word, count] of counts)
      held[place] = (held[place] ?? 0) + (count / (count + norm)) * rarity(word) * (tokens.get(word) ?? 0);
    const features = new Float64Array(DEFINITION_FEATURES.length);
    const set = (feature: DefinitionFeature, value: number): void => {
      features[DEFINITION_COLUMN[feature]] = value;
    };
    const name = definition?.name ?? '';
    const container = partsIn(definition?.container ?? '');
    set('fileScore', (scores[at] ?? 0) - best);
    set(
      'nameInText',
      partsIn(name).reduce((sum, { hash }) => (tokens.has(hash) ? sum + rarity(hash) : sum), 0),
    );
    set('named', withNamed.has(`${at} ${name}`) ? 0 : namedWorth(name) / Math.sqrt(sameName.get(name) ?? 1));
    set(
      'containerInTitle',
      container.filter(({ hash }) => report.title.has(hash)).length / Math.max(1, container.length),
    );
    set('namedContainer', namedWorth(lastPart(definition?.container ?? '')) > 0 ? 1 : 0);
    set('linked', isLinked(one, report) ? 1 : 0);
    set('literal', worthOf(one.literals, withLiteral));
    set('titlePassage', bestTitlePassage(one));
    set('lines', Math.log1p(lines.length));
    set('crowd', Math.log1p(inFile.get(at) ?? 0));
    set('isCallable', definition !== undefined && CALLABLE.has(definition.kind) ? 1 : 0);
    set('isType', definition !== undefined && TYPES.has(definition.kind) ? 1 : 0);
    set('isRest', definition === undefined ? 1 : 0);
    return {
      file: at,
      definition,
      ownLines: lines,
      range: { startLine: lines[0] ?? 1, endLine: lines.at(-1) ?? 1 },
      features,
    };
  });
  compareInFile(rows, held);
  scaleToBest(rows);
  return rows;
}

/** Passages are some dozens of lines long: of each, a line is asked. */
const PASSAGE_STEP = 8;

function bestTitlePassage({ lines, file }: Measuring): number {
  const last = lines.length - 1;
  return lines.reduce(
    (best, line, at) =>
      at % PASSAGE_STEP === 0 || at === last ? Math.max(best, file.titleNear(line)) : best,
    0,
  );
}

/** A message is printed by the file that spells it: what hardly any other file holds says the most. */
function scoreFiles(files: readonly FileToRead[], all: readonly Measuring[]): readonly number[] {
  const literals = files.map(
    ({ isSource }, at) =>
      new Set(isSource ? all.flatMap((one) => (one.at === at ? [...one.literals] : [])) : []),
  );
  const holding = countEach(literals.flatMap((held) => [...held]));
  return files.map(({ score }, at) => score + LITERAL_POINTS * worthOf(literals[at] ?? new Set(), holding));
}

/** Of the one that says most: a long one that few hold. */
function worthOf(literals: ReadonlySet<string>, holding: ReadonlyMap<string, number>): number {
  return Math.max(
    0,
    ...[...literals].map((literal) => Math.log(literal.length) / Math.sqrt(holding.get(literal) ?? 1)),
  );
}

function readLiterals(
  lines: readonly number[],
  file: FileToRead,
  { plainText }: ReportQuestion,
): ReadonlySet<string> {
  const found = new Set<string>();
  for (const line of lines)
    if ((file.words[line - 1]?.length ?? 0) >= WORDS_OF_LITERAL)
      for (const literal of literalsIn(file.lineAt(line - 1), plainText)) found.add(literal);
  return found;
}

function isLinked({ lines, file }: Measuring, { links }: ReportQuestion): boolean {
  const path = file.path.toLowerCase();
  const [first = 1, last = 0] = [lines[0], lines.at(-1)];
  return links.some(
    (link) =>
      (path === link.path || path.endsWith(`/${link.path}`)) &&
      link.startLine <= last &&
      link.endLine >= first,
  );
}

function countWords(lines: readonly number[], words: readonly WordsOnLine[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const line of lines)
    for (const [word] of words[line - 1] ?? []) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function countEach<T>(values: readonly T[]): ReadonlyMap<T, number> {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

function lastPart(name: string): string {
  return name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf(':'), name.lastIndexOf('\\')) + 1);
}

/** How much of the text a definition holds beside the others of its file. */
function compareInFile(rows: readonly MeasuredDefinition[], held: Float64Array): void {
  const most: number[] = [];
  rows.forEach(({ file }, place) => (most[file] = Math.max(most[file] ?? 0, held[place] ?? 0)));
  rows.forEach(({ file, features }, place) => {
    const best = most[file] ?? 0;
    features[DEFINITION_COLUMN.share] = best > 0 ? (held[place] ?? 0) / best : 0;
  });
}

const SCALED = ['nameInText', 'literal', 'titlePassage'] as const satisfies readonly DefinitionFeature[];

function scaleToBest(rows: readonly MeasuredDefinition[]): void {
  for (const feature of SCALED) {
    const column = DEFINITION_COLUMN[feature];
    let most = 0;
    for (const row of rows) most = Math.max(most, row.features[column] ?? 0);
    if (most > 0) for (const row of rows) row.features[column] = (row.features[column] ?? 0) / most;
  }
}
