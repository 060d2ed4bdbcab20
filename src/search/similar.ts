/** `path:line` as a question: what is like the code there? */
import { AppError } from '../core/index.ts';
import { hashWord, tokenize } from '../text/index.ts';
import { readQuestion, type Question } from './question.ts';
import type { SearchParts } from './ports.ts';
import type { View } from './view.ts';

const PLACE = /^(.+?)(?::(\d+)(?:-\d+)?)?$/;
const MOST_LINES = 40;
const MOST_TOKENS = 24;

export function readSimilar(
  place: string,
  root: string,
  view: View,
  parts: SearchParts,
): { readonly path: string; readonly question: Question } {
  const [, path = '', line = '1'] = PLACE.exec(place) ?? [];
  const found = view.segments.flatMap((segment) =>
    segment.files.flatMap((file, local) =>
      file.path === path && segment.alive[local] === 1 ? [{ segment, local }] : [],
    ),
  )[0];
  const text = found === undefined ? undefined : parts.readText(root, path);
  if (found === undefined || text === undefined) {
    throw new AppError('not_found', `${path} is not in the index.`, {
      hint: 'Give the path of a file as a search shows it, with a line: src/app.ts:12.',
    });
  }
  const { segment, local } = found;
  const wanted = Number(line);
  let [start, end] = [1, text.lines.length];
  for (let chunk = segment.chunkOffsets[local] ?? 0; chunk < (segment.chunkOffsets[local + 1] ?? 0); chunk++)
    if ((segment.startLines[chunk] ?? 0) <= wanted)
      [start, end] = [segment.startLines[chunk] ?? 1, segment.endLines[chunk] ?? 1];
  const code = text.lines.slice(start - 1, Math.min(end, start + MOST_LINES - 1)).join('\n');
  return {
    path,
    question: { ...readQuestion(code), isSymbol: false, tokens: mostTelling(code), names: [], spelled: [] },
  };
}

/** The words that occur most often say what a piece of code is about; ranking weighs them by rarity. */
function mostTelling(code: string): Map<number, number> {
  const counts = new Map<string, number>();
  for (const token of tokenize(code)) if (token.length > 2) counts.set(token, (counts.get(token) ?? 0) + 1);
  const best = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, MOST_TOKENS);
  return new Map(best.map(([token]) => [hashWord(token), 1]));
}
