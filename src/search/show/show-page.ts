/** Ranked files become hits: each is read again, so that what is shown is what is on disk. */
import type { Definition, LineRange } from '../../core/index.ts';
import { cursorAfter } from '../query/cursor.ts';
import type { FoundFile } from '../find-in-project.ts';
import type { TextLines } from '../../text/index.ts';
import type { Detail, Hit, SearchAnswer, SearchRequest } from './hit.ts';
import type { AskedPage } from '../query/page-of.ts';
import type { SearchParts } from '../ports.ts';
import { chooseSnippet, MOST_LINES_ABOVE, type Snippet } from './snippet.ts';

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

interface Shown {
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
  const best = file.chunk();
  const chunk = isSame ? best : { startLine: 1, endLine: text.lines.length };
  const matches = file.exact?.hash === text.hash ? file.exact.lines : undefined;
  const definitions: readonly Definition[] =
    (matches === undefined ? outline?.touching(aroundChunk(chunk, wholeLines)) : outline?.all()) ?? [];
  const chosen = chooseSnippet({
    lines: text.lines,
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
  const startLine = detail === 'locations' ? tellingLine(text.lines, snippet) : snippet.startLine;
  const hit: Hit = {
    root: file.root,
    path: file.path,
    language: file.language,
    startLine,
    endLine,
    definition:
      definition === undefined
        ? undefined
        : {
            name: definition.name,
            kind: definition.kind,
            container: definition.container,
            signature: definition.signature,
          },
    rank,
    after: cursorAfter(rank),
    lines: text.lines.slice(startLine - 1, detail === 'locations' ? startLine : endLine),
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
  return { hit, isOutdated: file.exact !== undefined && matches === undefined };
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
