/** Ranked files become hits: each is read again, so that what is shown is what is on disk. */
import { nameWeight, type Definition, type LineRange } from '../../core/index.ts';
import type { FileEntry, Outline } from '../../storage/index.ts';
import { TextLines } from '../../text/index.ts';
import type { SearchParts } from '../ports.ts';
import type { ExactMatch } from '../query/exact.ts';
import { cursorAfter, type AskedPage } from '../query/parse-query.ts';
import type { Question } from '../query/question.ts';
import { FEATURES, type Weights } from '../rank/features.ts';
import type { ChosenChunk, WantedDefinitions } from '../rank/passages.ts';
import { isSourceFile, type RankedFile, type Ranking } from '../rank/rank.ts';
import {
  FOREMOST,
  type Detail,
  type Foremost,
  type Hit,
  type Reason,
  type SearchAnswer,
  type SearchRequest,
} from './hit.ts';
import { chooseSnippet, MOST_LINES_ABOVE, type LineWords, type Snippet } from './snippet.ts';

const MOST_LINES = 200;
/** Of a place nothing but one line is shown: its end is the definition's own. */
const LINES: Readonly<Record<Detail, number>> = { locations: Infinity, snippets: 8, full: MOST_LINES };
/** Shown whole among snippets: one that is nearly all there is worth the few lines that it lacks. */
const SMALL_DEFINITION = 16;

export interface Shape {
  readonly detail: Detail;
  readonly maxLines: number;
  /** A definition of up to so many lines is shown whole. */
  readonly wholeLines: number;
}

export function shapeOf({ detail = 'snippets', lines }: Pick<SearchRequest, 'detail' | 'lines'>): Shape {
  if (lines !== undefined) {
    const most = Math.max(1, Math.min(MOST_LINES, lines));
    return { detail, maxLines: most, wholeLines: most };
  }
  const maxLines = LINES[detail];
  return { detail, maxLines, wholeLines: detail === 'snippets' ? SMALL_DEFINITION : maxLines };
}

export interface PageOptions extends Pick<AskedPage, 'from' | 'limit'> {
  readonly shape: Shape;
}

export interface Page extends Pick<SearchAnswer, 'hits' | 'next'> {
  /** Exact text was found in another version of a file than the one that is shown. */
  readonly isOutdated: boolean;
  /** How many hits there are in all, where that is not how many files were found. */
  readonly matched?: number;
}

/** As many hits as were asked for: a file that is gone makes room for the next one. */
export async function showPage(
  files: readonly FoundFile[],
  { from, limit, ...how }: PageOptions,
  parts: SearchParts,
): Promise<Page> {
  const hits: Hit[] = [];
  let isOutdated = false;
  let at = from;
  while (hits.length < limit && at < files.length) {
    const some = files.slice(at, at + limit - hits.length);
    const shown = await Promise.all(some.map((file, place) => show(file, at + place + 1, how, parts)));
    for (const one of shown) {
      if (one === undefined) continue;
      hits.push(one.hit);
      isOutdated ||= one.isOutdated;
    }
    at += some.length;
  }
  return { hits, next: at < files.length ? cursorAfter(at) : undefined, isOutdated };
}

export interface Shown {
  readonly hit: Hit;
  readonly isOutdated: boolean;
}

/** The file as it is now, not as it was indexed; nothing if it is gone. */
async function show(
  file: FoundFile,
  rank: number,
  { shape: { detail, maxLines, wholeLines } }: Pick<PageOptions, 'shape'>,
  parts: SearchParts,
): Promise<Shown | undefined> {
  const text = parts.readText(file.root, file.path, file);
  if (text === undefined) return undefined;
  const isSame = text.hash === file.hash;
  if (!isSame && text.lines.length === 0) return undefined;
  // Of a file that changed since, only its words are known; where they are now is looked for in all of it.
  const outline = isSame ? await file.outline() : undefined;
  const lines = text.isHidden === true ? signatureLines(text.lines.length, outline) : text.lines;
  const best = file.chunk();
  const chunk = isSame ? best : { startLine: 1, endLine: text.lines.length };
  const matches = file.exact?.hash === text.hash ? file.exact.lines : undefined;
  const definitions: readonly Definition[] =
    (matches === undefined ? outline?.touching(aroundChunk(chunk, wholeLines)) : outline?.all()) ?? [];
  const chosen = chooseSnippet({
    lines,
    chunk,
    definitions,
    question: file.question,
    words: file.words,
    wants: (definition) => file.wants(definition),
    ...(detail === 'locations' ? { maxWindow: 1 } : {}),
    // The place of a match is its line.
    maxLines: detail === 'locations' && matches !== undefined ? 1 : maxLines,
    wholeLines,
    ...(matches === undefined ? {} : { matches }),
  });
  const isPlace = detail === 'locations' && matches === undefined;
  const snippet = isPlace && chosen.definition === undefined ? namePlace(chosen, chunk, definitions) : chosen;
  const { definition, endLine } = snippet;
  const startLine = detail === 'locations' ? tellingLine(lines, snippet) : snippet.startLine;
  const hit: Hit = {
    root: file.root,
    path: file.path,
    language: file.language,
    startLine,
    endLine,
    definition: toldOf(definition),
    rank,
    after: cursorAfter(rank),
    lines: lines.slice(startLine - 1, detail === 'locations' ? startLine : endLine),
    continuesTo:
      detail !== 'locations' &&
      definition !== undefined &&
      definition.startLine >= startLine &&
      definition.endLine > endLine
        ? Math.min(definition.endLine, text.lines.length)
        : undefined,
    moreLines: (matches ?? (isSame ? best.moreLines : [])).filter((at) => at < startLine || at > endLine),
    score: file.score,
    reasons: file.reasons(),
  };
  const shown = text.isHidden === true ? withoutText(hit) : hit;
  return { hit: shown, isOutdated: file.exact !== undefined && matches === undefined };
}

/** Of a file whose text is not here, the lines that its definitions tell of: enough to choose the place by, and not to be shown. */
export function signatureLines(count: number, outline: Outline | undefined): TextLines {
  const lines = Array.from({ length: count }, () => '');
  for (const { startLine, signature, name } of outline?.all() ?? [])
    if (startLine <= count) lines[startLine - 1] = (signature || name).replaceAll(/[\r\n]+/g, ' ');
  return new TextLines(`${lines.join('\n')}\n`);
}

export function withoutText(hit: Hit): Hit {
  return { ...hit, lines: [], continuesTo: undefined, isHidden: true };
}

/** What a hit tells of a definition. */
export function toldOf(definition: Definition | undefined): Hit['definition'] {
  if (definition === undefined) return undefined;
  const { name, kind, container, signature } = definition;
  return { name, kind, container, signature };
}

/** No snippet of it has a line further away. */
function aroundChunk({ startLine, endLine }: LineRange, maxLines: number): LineRange {
  return { startLine: startLine - MOST_LINES_ABOVE, endLine: endLine + Math.min(maxLines, MOST_LINES) };
}

/** A place is told by a name: where no line holds a word of the question, by the first definition of the passage. */
function namePlace(chosen: Snippet, chunk: LineRange, definitions: readonly Definition[]): Snippet {
  const definition = definitions.find(
    ({ startLine }) => startLine >= chunk.startLine && startLine <= chunk.endLine,
  );
  if (definition === undefined) return chosen;
  const { startLine } = definition;
  return {
    ...chosen,
    definition,
    startLine,
    endLine: Math.max(startLine, Math.min(chunk.endLine, definition.endLine)),
  };
}

/** Of a place one line is enough: where the definition begins, or the first that is not blank. */
function tellingLine(lines: TextLines, { definition, startLine, endLine }: Snippet): number {
  if (definition !== undefined && definition.startLine >= startLine && definition.startLine <= endLine)
    return definition.startLine;
  const solid = lines.slice(startLine - 1, endLine).findIndex((line) => line.trim() !== '');
  return startLine + Math.max(0, solid);
}

/** What the files of one ranking have in common. */
interface SharedByFiles {
  readonly root: string;
  readonly ranking: Ranking;
  readonly question: Question;
  readonly weights: Weights;
  readonly wanted: WantedDefinitions;
  readonly words: LineWords;
  outlineOf(path: string): Promise<Outline>;
}

/** One file of a ranking. Few of many are shown: what only those need is worked out when it is asked for. */
export class FoundFile {
  readonly root: string;
  readonly path: string;
  readonly score: number;
  /** Lines that match exactly. */
  readonly exact: ExactMatch | undefined;
  readonly question: Question;
  private readonly file: RankedFile;
  private readonly foremost: Foremost | undefined;
  private readonly shared: SharedByFiles;

  constructor(
    file: RankedFile,
    { exact, isRare }: { readonly exact: ExactMatch | undefined; readonly isRare: boolean },
    shared: SharedByFiles,
  ) {
    this.root = shared.root;
    this.path = file.facts.path;
    this.foremost = exact !== undefined ? 'exact' : isRare ? 'rare' : undefined;
    this.score = file.score + (this.foremost === undefined ? 0 : FOREMOST[this.foremost].points);
    this.exact = exact;
    this.question = shared.question;
    this.file = file;
    this.shared = shared;
  }

  get language(): string {
    return this.entry?.language ?? '';
  }

  get hash(): string {
    return this.entry?.hash ?? '';
  }

  get plainBy(): number {
    return this.entry?.plainBy ?? 0;
  }

  /** Which words of the question are on a line. */
  get words(): LineWords {
    return this.shared.words;
  }

  reasons(): readonly Reason[] {
    return reasonsOf(this.file, this.shared.weights, this.foremost);
  }

  /** Whether a filter asks for this definition. */
  wants({ name, kind }: Definition): boolean {
    const { names, weights } = this.shared.wanted;
    if (names.length + weights.length === 0) return false;
    return names.includes(name) || weights.includes(nameWeight(kind, this.language));
  }

  /** Where its best chunk is. */
  chunk(): ChosenChunk {
    return this.shared.ranking.chunkOf(this.file, this.shared.wanted);
  }

  /** How well the passage that holds a line matches the title of a pasted text. */
  titleNear(line: number): number {
    return this.shared.ranking.titleNear(this.file, line);
  }

  /** Code, and no test, example or vendored file. */
  get isSource(): boolean {
    return isSourceFile(this.file.facts);
  }

  /** What the file defines, as it was indexed. */
  outline(): Promise<Outline> {
    return this.shared.outlineOf(this.path);
  }

  private get entry(): FileEntry | undefined {
    const { segment, local } = this.file.facts;
    return segment.files[local];
  }
}

const MOST_REASONS = 5;

function reasonsOf(file: RankedFile, weights: Weights, foremost: Foremost | undefined): Reason[] {
  const reasons: Reason[] = [];
  FEATURES.forEach((feature) => {
    const points = Math.round(file.feature(feature) * weights[feature] * 100) / 100;
    if (points !== 0) addReason(reasons, { feature, points });
  });
  if (foremost !== undefined) addReason(reasons, { feature: foremost, points: FOREMOST[foremost].points });
  return reasons;
}

/** The heaviest first; of equal ones the earlier. */
function addReason(reasons: Reason[], reason: Reason): void {
  const weight = Math.abs(reason.points);
  let at = reasons.length;
  while (at > 0 && Math.abs(reasons[at - 1]?.points ?? 0) < weight) at -= 1;
  if (at >= MOST_REASONS) return;
  if (reasons.length === MOST_REASONS) reasons.pop();
  reasons.splice(at, 0, reason);
}
