/** Which definitions of the best files a pasted text is about. Pure. */
import type { Definition, LineRange } from '../../core/index.ts';
import { hashWord, partsIn } from '../../text/index.ts';
import type { Question, ReportQuestion } from '../query/question.ts';
import { DEFINITION_COLUMN, DEFINITION_FEATURES, type DefinitionFeature } from './definition-features.ts';

/** Which words of the question are on a line, each once, with how rare it is. */
export type WordsOnLine = readonly (readonly [word: number, rarity: number])[];

/** One of the best files, with what is known of its lines. */
export interface FileToRead {
  readonly score: number;
  readonly definitions: readonly Definition[];
  /** By line, from 0. */
  readonly words: readonly WordsOnLine[];
  /** Of the passage that holds a line, from 1. */
  passageAt(line: number): { readonly nearness: number; readonly words: number; readonly title: number };
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
const DATA = new Set<Definition['kind']>(['constant', 'variable']);
/** Short ones are everywhere. */
const SHORTEST_NAME = 3;

export function measureDefinitions(
  files: readonly FileToRead[],
  question: Question & { readonly report: ReportQuestion },
): MeasuredDefinition[] {
  const all = files.flatMap((file, at) => ownLines(file).map((own) => ({ ...own, at })));
  const mean = all.reduce((sum, { lines }) => sum + lines.length, 0) / Math.max(1, all.length);
  const { tokens, report } = question;
  const best = Math.max(...files.map(({ score }) => score));
  const titleStems = new Set(question.stems);
  const counted = all.map(({ lines, at }) => countWords(lines, files[at]?.words ?? []));
  const holding = new Map<number, number>();
  for (const counts of counted)
    for (const word of counts.keys()) holding.set(word, (holding.get(word) ?? 0) + 1);
  const rows = all.map(({ definition, lines, at, isHead }, place) => {
    const file = files[at];
    const counts = counted[place] ?? new Map<number, WordCount>();
    const norm = K1 * (1 - B + (B * lines.length) / mean);
    let [words, titleWords, messageWords, localWords, localTitle] = [0, 0, 0, 0, 0];
    for (const [word, { count, rarity }] of counts) {
      const often = count / (count + norm);
      const local = Math.log(1 + all.length / (1 + (holding.get(word) ?? 0)));
      words += often * rarity * (tokens.get(word) ?? 0);
      localWords += often * local * (tokens.get(word) ?? 0);
      if (report.title.has(word)) {
        titleWords += often * rarity;
        localTitle += often * local;
      }
      if (report.messages.has(word)) messageWords += often * rarity;
    }
    const name = definition?.name ?? '';
    const parts = partsIn(name);
    const covered = (isIn: (hash: number) => boolean): number =>
      parts.length === 0 ? 0 : parts.filter(({ hash }) => isIn(hash)).length / parts.length;
    const features = new Float64Array(DEFINITION_FEATURES.length);
    const set = (feature: DefinitionFeature, value: number): void => {
      features[DEFINITION_COLUMN[feature]] = value;
    };
    const mentionedWeight = (text: string): number =>
      text.length < SHORTEST_NAME ? 0 : (report.mentioned.get(hashWord(text)) ?? 0);
    set('fileScore', (file?.score ?? 0) - best);
    set('fileRank', 1 / (1 + at));
    set('words', words);
    set('titleWords', titleWords);
    set('messageWords', messageWords);
    set('nameCoverage', covered((hash) => titleStems.has(hash)) * Math.sqrt(parts.length));
    set(
      'nameInText',
      covered((hash) => tokens.has(hash)),
    );
    set('mentioned', mentionedWeight(name));
    const passage = file?.passageAt(definition?.startLine ?? lines[0] ?? 1);
    set('nearness', passage?.nearness ?? 0);
    set('passage', passage?.words ?? 0);
    set('titlePassage', passage?.title ?? 0);
    set('localWords', localWords);
    set('localTitle', localTitle);
    set('distinct', Math.log1p(counts.size));
    set('isHead', isHead ? 1 : 0);
    set('isData', definition !== undefined && DATA.has(definition.kind) ? 1 : 0);
    set('isRest', definition === undefined ? 1 : 0);
    set('lines', Math.log1p(lines.length));
    set('namedContainer', mentionedWeight(lastPart(definition?.container ?? '')));
    const range = { startLine: lines[0] ?? 1, endLine: lines.at(-1) ?? 1 };
    return { file: at, definition, ownLines: lines, range, features };
  });
  scaleToBest(rows, [
    'words',
    'titleWords',
    'messageWords',
    'localWords',
    'localTitle',
    'passage',
    'titlePassage',
  ]);
  // How much of what its file holds of the text is here.
  const sums = files.map((_, at) =>
    rows.reduce(
      (sum, row) => (row.file === at ? Math.max(sum, row.features[DEFINITION_COLUMN.words] ?? 0) : sum),
      0,
    ),
  );
  for (const { features, file } of rows)
    features[DEFINITION_COLUMN.share] =
      (features[DEFINITION_COLUMN.words] ?? 0) / Math.max(1e-9, sums[file] ?? 0);
  return rows;
}

interface WordCount {
  readonly rarity: number;
  count: number;
}

/** On how many of the lines each word stands. */
function countWords(lines: readonly number[], words: readonly WordsOnLine[]): Map<number, WordCount> {
  const counts = new Map<number, WordCount>();
  for (const line of lines)
    for (const [word, rarity] of words[line - 1] ?? []) {
      const known = counts.get(word);
      if (known === undefined) counts.set(word, { rarity, count: 1 });
      else known.count += 1;
    }
  return counts;
}

function lastPart(name: string): string {
  return name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf(':'), name.lastIndexOf('\\')) + 1);
}

function scaleToBest(rows: readonly MeasuredDefinition[], features: readonly DefinitionFeature[]): void {
  for (const feature of features) {
    const column = DEFINITION_COLUMN[feature];
    let most = 0;
    for (const row of rows) most = Math.max(most, row.features[column] ?? 0);
    if (most > 0) for (const row of rows) row.features[column] = (row.features[column] ?? 0) / most;
  }
}

interface OwnLines {
  readonly definition: Definition | undefined;
  /** Its lines, from 1, without those of definitions inside of it; for no definition, the lines that are in none. */
  readonly lines: readonly number[];
  /** It holds other definitions: a class, a module. */
  readonly isHead: boolean;
}

/** Each line belongs to the smallest definition around it. */
function ownLines({ definitions, words }: FileToRead): OwnLines[] {
  const owner = new Int32Array(words.length + 1).fill(-1);
  const order = definitions
    .map((definition, at) => ({ at, size: definition.endLine - definition.startLine }))
    .sort((a, b) => b.size - a.size);
  for (const { at } of order) {
    const { startLine, endLine } = definitions[at] ?? { startLine: 1, endLine: 0 };
    owner.fill(at, startLine, Math.min(endLine, words.length) + 1);
  }
  const rest: number[] = [];
  const lines: number[][] = definitions.map(() => []);
  for (let line = 1; line < owner.length; line++) (lines[owner[line] ?? -1] ?? rest).push(line);
  const own = definitions.flatMap((definition, at): OwnLines[] => {
    const its = lines[at] ?? [];
    if (its.length === 0) return [];
    return [{ definition, lines: its, isHead: its.length < definition.endLine - definition.startLine + 1 }];
  });
  return rest.length === 0 ? own : [...own, { definition: undefined, lines: rest, isHead: false }];
}
