/** Which definitions of the best files a pasted text is about. Pure. */
import type { Definition } from '../../core/index.ts';
import { partHashesOf } from '../../text/index.ts';
import type { Question, ReportQuestion } from '../query/question.ts';
import {
  DEFINITION_COLUMN as COLUMN,
  DEFINITION_FEATURES,
  type DefinitionFeature,
} from './definition-features.ts';
import { literalsIn } from './literals.ts';
import { ownLines, ownsLine, type OwnLines } from './own-lines.ts';

/** One of the best files, with what is known of its lines. */
export interface FileToRead {
  readonly path: string;
  readonly score: number;
  /** Code, and no test, example or vendored file. */
  readonly isSource: boolean;
  readonly definitions: readonly Definition[];
  readonly lineCount: number;
  /** Which terms of the question are on which lines: pairs of a line, from 0, and the place of a term, in the order of the lines. */
  readonly words: Uint32Array;
  /** As it stands in the file, from 0. */
  lineAt(line: number): string;
  /** How well the passage that holds a line, from 1, matches the title. */
  titleNear(line: number): number;
}

export interface MeasuredDefinition {
  /** The file's place among those that were read. */
  readonly file: number;
  readonly own: OwnLines;
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

interface Measuring {
  readonly own: OwnLines;
  readonly at: number;
  readonly file: FileToRead;
  readonly literals: ReadonlySet<string>;
}

const NO_DEFINITION: Partial<Pick<Definition, 'container' | 'kind'>> & Pick<Definition, 'name'> = {
  name: '',
};
const NO_LITERALS: ReadonlySet<string> = new Set();

type AskedReport = Pick<Question, 'terms' | 'tokens'> & { readonly report: ReportQuestion };

export function measureDefinitions(
  files: readonly FileToRead[],
  { terms, tokens, report }: AskedReport,
): MeasuredDefinition[] {
  const held = new HeldWords(terms.length);
  const all = files.flatMap((file, at) => {
    const lines = ownLines(file.definitions, file.lineCount);
    const owners = lines[0]?.owners ?? new Int32Array();
    held.add(file.words, owners, lines.length);
    const literals = readLiterals(file, owners, report);
    return lines.map((own): Measuring => ({
      own,
      at,
      file,
      literals: literals.get(own.place) ?? NO_LITERALS,
    }));
  });
  const mean = all.reduce((sum, { own }) => sum + own.count, 0) / Math.max(1, all.length);
  const scores = scoreFiles(files, all);
  const best = Math.max(...scores);
  const rarities = Float64Array.from(held.holding, (holding) => Math.log(1 + all.length / (1 + holding)));
  const worths = rarities.map((rarity, term) => rarity * (tokens.get(terms[term]?.hash ?? 0) ?? 0));
  const rarityOf = new Map(terms.map(({ hash }, term) => [hash, rarities[term] ?? 0]));
  const withLiteral = countEach(all.flatMap(({ literals }) => [...literals]));
  const sameName = countEach(all.map(({ own }) => own.definition?.name ?? ''));
  const parts = partsOfNames(all);
  const namedWorth = (text: string): number =>
    text.length < SHORTEST_NAME ? 0 : (report.named.get(text) ?? 0);
  // `Cart.addItem` is about the method: what it belongs to is named on the way.
  const withNamed = new Set(
    all.flatMap(({ own: { definition }, at }) =>
      definition?.container !== undefined && namedWorth(definition.name) > 0
        ? [`${at} ${lastPart(definition.container)}`]
        : [],
    ),
  );
  const inFile = countEach(all.map(({ at }) => at));
  const shares = new Float64Array(all.length);
  const rows = all.map((one, place): MeasuredDefinition => {
    const { own, at } = one;
    const { definition, count } = own;
    shares[place] = held.score(place, K1 * (1 - B + (B * count) / mean), worths);
    const features = new Float64Array(DEFINITION_FEATURES.length);
    const { name, container = '', kind } = definition ?? NO_DEFINITION;
    let inText = 0;
    for (const hash of parts.get(name) ?? []) inText += rarityOf.get(hash) ?? 0;
    const named = namedWorth(name);
    const isNamed = named > 0 && !withNamed.has(`${at} ${name}`);
    features[COLUMN.fileScore] = (scores[at] ?? 0) - best;
    features[COLUMN.nameInText] = inText;
    features[COLUMN.named] = isNamed ? named / Math.sqrt(sameName.get(name) ?? 1) : 0;
    features[COLUMN.containerInTitle] = shareOf(parts.get(container) ?? [], report.title);
    features[COLUMN.linked] = isLinked(one, report) ? 1 : 0;
    features[COLUMN.literal] = worthOf(one.literals, withLiteral);
    features[COLUMN.titlePassage] = bestTitlePassage(one);
    features[COLUMN.lines] = Math.log1p(count);
    features[COLUMN.crowd] = Math.log1p(inFile.get(at) ?? 0);
    features[COLUMN.isCallable] = kind !== undefined && CALLABLE.has(kind) ? 1 : 0;
    features[COLUMN.isType] = kind !== undefined && TYPES.has(kind) ? 1 : 0;
    features[COLUMN.isRest] = definition === undefined ? 1 : 0;
    return { file: at, own, features };
  });
  compareInFile(rows, shares);
  scaleToBest(rows);
  return rows;
}

/** On how many of its own lines each definition holds each word; in flat lists, since there may be a hundred thousand. */
class HeldWords {
  /** By word: how many definitions hold it. */
  readonly holding: Uint32Array;
  private readonly counted: Uint32Array;
  private readonly definitions: { readonly words: Uint32Array; readonly counts: Uint32Array }[] = [];

  constructor(words: number) {
    this.holding = new Uint32Array(words);
    this.counted = new Uint32Array(words);
  }

  /** The definitions of the next file. */
  add(pairs: Uint32Array, owners: Int32Array, definitions: number): void {
    // Sorted by definition: those of one may stand apart, around another inside of it.
    const ends = new Uint32Array(definitions + 1);
    for (let pair = 0; pair < pairs.length; pair += 2) {
      const owner = (owners[(pairs[pair] ?? 0) + 1] ?? 0) + 1;
      ends[owner] = (ends[owner] ?? 0) + 1;
    }
    for (let at = 1; at <= definitions; at++) ends[at] = (ends[at] ?? 0) + (ends[at - 1] ?? 0);
    const sorted = new Uint32Array(pairs.length / 2);
    const next = ends.slice();
    for (let pair = 0; pair < pairs.length; pair += 2) {
      const owner = owners[(pairs[pair] ?? 0) + 1] ?? 0;
      const place = next[owner] ?? 0;
      sorted[place] = pairs[pair + 1] ?? 0;
      next[owner] = place + 1;
    }
    for (let at = 0; at < definitions; at++) this.count(sorted.subarray(ends[at], ends[at + 1]));
  }

  /** The words of one definition, each as often as there are lines with it; each once afterwards. */
  private count(list: Uint32Array): void {
    const { counted, holding } = this;
    let size = 0;
    for (let at = 0; at < list.length; at++) {
      const word = list[at] ?? 0;
      if (counted[word] === 0) list[size++] = word;
      counted[word] = (counted[word] ?? 0) + 1;
    }
    const words = list.subarray(0, size);
    const counts = new Uint32Array(size);
    for (let at = 0; at < size; at++) {
      const word = words[at] ?? 0;
      counts[at] = counted[word] ?? 0;
      counted[word] = 0;
      holding[word] = (holding[word] ?? 0) + 1;
    }
    this.definitions.push({ words, counts });
  }

  /** How much of the text a definition holds, as BM25 counts. */
  score(definition: number, norm: number, worths: Float64Array): number {
    const { words, counts } = this.definitions[definition] ?? { words: this.holding, counts: this.holding };
    let sum = 0;
    for (let at = 0; at < words.length; at++) {
      const count = counts[at] ?? 0;
      sum += (count / (count + norm)) * (worths[words[at] ?? 0] ?? 0);
    }
    return sum;
  }
}

/** Hashes of the parts of each name, and of what it belongs to. */
function partsOfNames(all: readonly Measuring[]): ReadonlyMap<string, readonly number[]> {
  const names = [
    ...new Set(
      all.flatMap(({ own: { definition } }) => [definition?.name ?? '', definition?.container ?? '']),
    ),
  ];
  const parts = partHashesOf(names);
  return new Map(names.map((name, at) => [name, parts[at] ?? []]));
}

/** Passages are some dozens of lines long: of each, a line is asked. */
const PASSAGE_STEP = 8;

function bestTitlePassage({ own, file }: Measuring): number {
  const { startLine, endLine } = own.range;
  let best = 0;
  let at = 0;
  for (let line = startLine; line <= endLine; line++) {
    if (!ownsLine(own, line)) continue;
    if (at % PASSAGE_STEP === 0 || at === own.count - 1) best = Math.max(best, file.titleNear(line));
    at += 1;
  }
  return best;
}

/** A message is printed by the file that spells it: what hardly any other file holds says the most. */
function scoreFiles(files: readonly FileToRead[], all: readonly Measuring[]): readonly number[] {
  const literals = files.map(() => new Set<string>());
  for (const one of all)
    if (one.file.isSource) for (const literal of one.literals) literals[one.at]?.add(literal);
  const holding = countEach(literals.flatMap((held) => [...held]));
  return files.map(({ score }, at) => score + LITERAL_POINTS * worthOf(literals[at] ?? NO_LITERALS, holding));
}

/** Of the one that says most: a long one that few hold. */
function worthOf(literals: ReadonlySet<string>, holding: ReadonlyMap<string, number>): number {
  let most = 0;
  for (const literal of literals)
    most = Math.max(most, Math.log(literal.length) / Math.sqrt(holding.get(literal) ?? 1));
  return most;
}

/** By definition: the pieces of its literals that the text holds. */
function readLiterals(
  { words, lineAt }: FileToRead,
  owners: Int32Array,
  { plainText, plainWords }: ReportQuestion,
): ReadonlyMap<number, ReadonlySet<string>> {
  const found = new Map<number, Set<string>>();
  for (let pair = 0; pair < words.length;) {
    const line = words[pair] ?? 0;
    const first = pair;
    while (pair < words.length && words[pair] === line) pair += 2;
    if (pair - first < 2 * WORDS_OF_LITERAL) continue;
    const literals = literalsIn(lineAt(line), plainText, plainWords);
    if (literals.length === 0) continue;
    const owner = owners[line + 1] ?? 0;
    const held = found.get(owner) ?? new Set<string>();
    found.set(owner, held);
    for (const literal of literals) held.add(literal);
  }
  return found;
}

function isLinked({ own: { range }, file }: Measuring, { links }: ReportQuestion): boolean {
  if (links.length === 0) return false;
  const path = file.path.toLowerCase();
  return links.some(
    (link) =>
      (path === link.path || path.endsWith(`/${link.path}`)) &&
      link.startLine <= range.endLine &&
      link.endLine >= range.startLine,
  );
}

function countEach<T>(values: readonly T[]): ReadonlyMap<T, number> {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

function shareOf(hashes: readonly number[], among: ReadonlyMap<number, number>): number {
  let found = 0;
  for (const hash of hashes) if (among.has(hash)) found += 1;
  return found / Math.max(1, hashes.length);
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
    features[COLUMN.share] = best > 0 ? (held[place] ?? 0) / best : 0;
  });
}

const SCALED = ['nameInText', 'literal', 'titlePassage'] as const satisfies readonly DefinitionFeature[];

function scaleToBest(rows: readonly MeasuredDefinition[]): void {
  for (const feature of SCALED) {
    const column = COLUMN[feature];
    let most = 0;
    for (const row of rows) most = Math.max(most, row.features[column] ?? 0);
    if (most > 0) for (const row of rows) row.features[column] = (row.features[column] ?? 0) / most;
  }
}
