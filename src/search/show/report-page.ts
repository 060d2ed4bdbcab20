/** The answer to a pasted text: the definitions it is about, over all of the best files, best first. */
import type { Definition, LineRange } from '../../core/index.ts';
import type { TextLines } from '../../text/index.ts';
import type { SearchParts } from '../ports.ts';
import { cursorAfter } from '../query/parse-query.ts';
import type { Question, ReportQuestion } from '../query/question.ts';
import { DEFINITION_FEATURES } from '../rank/definition-features.ts';
import { measureDefinitions, type FileToRead, type MeasuredDefinition } from '../rank/definitions.ts';
import { ownsLine, type OwnLines } from '../rank/own-lines.ts';
import { DEFINITION_WEIGHTS } from '../rank/weights.ts';
import type { Hit, Reason } from './hit.ts';
import {
  signatureLines,
  toldOf,
  withoutText,
  type FoundFile,
  type Page,
  type PageOptions,
  type Shape,
} from './page.ts';
import { bestWindow } from './snippet.ts';

/** So many of the best files are read. */
const FILES_READ = 10;
/** The first few places are most often the right ones, and what is edited is seldom at the head of them: more of these is shown. */
const FIRST_PLACES = 3;
const FIRST_LINES = { maxLines: 20, wholeLines: 30 } as const;
const OTHER_LINES = { maxLines: 8, wholeLines: 12 } as const;
/** Of one file, so many definitions at most: the other files have something to say, too. */
const MOST_PER_FILE = 12;

interface ReadFile extends FileToRead {
  readonly file: FoundFile;
  readonly isHidden: boolean;
  readonly lines: TextLines;
}

export async function showReport(
  files: readonly FoundFile[],
  { from, limit, shape }: PageOptions,
  parts: SearchParts,
): Promise<Page> {
  const read = (await Promise.all(files.slice(0, FILES_READ).map((file) => readFound(file, parts)))).filter(
    (one) => one !== undefined,
  );
  const question = read[0]?.file.question;
  const places =
    question?.report === undefined ? [] : rankPlaces(read, { ...question, report: question.report });
  const hits = places.slice(from, from + limit).map((place, at) => toHit(place, read, from + at + 1, shape));
  const next = from + limit < places.length ? cursorAfter(from + limit) : undefined;
  return { hits, next, isOutdated: false, matched: places.length };
}

/** The file as it is now; nothing if it is gone. What it defines is known only while it is as it was indexed. */
async function readFound(file: FoundFile, parts: SearchParts): Promise<ReadFile | undefined> {
  const text = parts.readText(file.root, file.path, file);
  if (text === undefined || text.lines.length === 0) return undefined;
  const outline = text.hash === file.hash ? await file.outline() : undefined;
  const isHidden = text.isHidden === true;
  const lines = isHidden ? signatureLines(text.lines.length, outline) : text.lines;
  return {
    file,
    isHidden,
    lines,
    path: file.path,
    score: file.score,
    isSource: file.isSource,
    definitions: outline?.all() ?? [],
    lineCount: lines.length,
    words: file.words.pairsIn(lines),
    lineAt: (line) => lines.at(line),
    titleNear: (line) => file.titleNear(line),
  };
}

interface Place {
  readonly measured: MeasuredDefinition;
  readonly score: number;
}

function rankPlaces(
  read: readonly ReadFile[],
  question: Question & { readonly report: ReportQuestion },
): Place[] {
  const counts = new Uint8Array(read.length);
  return measureDefinitions(read, question)
    .map((measured): Place => ({ measured, score: scoreOf(measured) }))
    .sort((a, b) => b.score - a.score)
    .filter(({ measured: { file } }) => {
      counts[file] = (counts[file] ?? 0) + 1;
      return (counts[file] ?? 0) <= MOST_PER_FILE;
    });
}

const WEIGHT_LIST = Float64Array.from(DEFINITION_FEATURES, (feature) => DEFINITION_WEIGHTS[feature]);

function scoreOf({ features }: MeasuredDefinition): number {
  let sum = 0;
  for (let at = 0; at < features.length; at++) sum += (features[at] ?? 0) * (WEIGHT_LIST[at] ?? 0);
  return sum;
}

function toHit(place: Place, read: readonly ReadFile[], rank: number, shape: Shape): Hit {
  const { own } = place.measured;
  const one = read[place.measured.file];
  if (one === undefined) throw new RangeError('A place is in a file that was read.');
  const { file, lines } = one;
  const { startLine, endLine } = rangeOf(own, one, shaped(shape, rank));
  const { definition } = own;
  const hit: Hit = {
    root: file.root,
    path: file.path,
    language: file.language,
    startLine,
    endLine,
    definition: toldOf(definition),
    rank,
    after: cursorAfter(rank),
    lines: lines.slice(startLine - 1, shape.detail === 'locations' ? startLine : endLine),
    continuesTo:
      shape.detail !== 'locations' && definition !== undefined && definition.endLine > endLine
        ? Math.min(definition.endLine, lines.length)
        : undefined,
    moreLines: [],
    score: place.score,
    reasons: reasonsOf(place.measured, file),
  };
  return one.isHidden ? withoutText(hit) : hit;
}

/** As the caller asked, or by the place's rank. */
function shaped({ detail, maxLines, wholeLines }: Shape, rank: number): Shape {
  const isAsked = detail !== 'snippets' || maxLines >= wholeLines;
  if (isAsked) return { detail, maxLines, wholeLines };
  return { detail, ...(rank <= FIRST_PLACES ? FIRST_LINES : OTHER_LINES) };
}

/** All of a small definition; of a longer one the lines that hold most of the text, of a place its first line. */
function rangeOf(
  own: OwnLines,
  { file, lines, words }: ReadFile,
  { detail, maxLines, wholeLines }: Shape,
): LineRange {
  const { definition, range } = own;
  const whole = wholeOf(definition, range, lines.length);
  if (detail === 'locations') return { startLine: whole.startLine, endLine: whole.endLine };
  if (definition !== undefined && whole.endLine - whole.startLine < wholeLines) return whole;
  const window = bestWindow(
    { maxLines },
    {
      start: range.startLine,
      end: range.endLine,
      // Lines of definitions inside of it are theirs.
      wordsOn: (line) => (ownsLine(own, line) ? file.words.ofLine(words, line - 1) : []),
    },
  );
  return { startLine: window.startLine, endLine: Math.min(window.endLine, range.endLine) };
}

function wholeOf(definition: Definition | undefined, range: LineRange, last: number): LineRange {
  const { startLine, endLine } = definition ?? range;
  return { startLine: Math.min(startLine, last), endLine: Math.min(endLine, last) };
}

/** What speaks for the definition, then what speaks for its file. */
function reasonsOf({ features }: MeasuredDefinition, file: FoundFile): readonly Reason[] {
  const own = DEFINITION_FEATURES.flatMap((feature, at): Reason[] => {
    const points = Math.round(DEFINITION_WEIGHTS[feature] * (features[at] ?? 0) * 100) / 100;
    return points > 0 && !OF_FILE.has(feature) ? [{ feature, points }] : [];
  }).sort((a, b) => b.points - a.points);
  return [...own.slice(0, 1), ...file.reasons()];
}

/** They are told by the file's own reasons. */
const OF_FILE: ReadonlySet<string> = new Set(['fileScore', 'lines', 'share', 'isCallable']);
