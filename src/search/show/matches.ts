/** Every line that matches exact text or an expression, one hit each. */
import { createTimeSlice } from '../../core/index.ts';
import { cursorAfter, type AskedPage } from '../query/parse-query.ts';
import type { FoundFile, Page } from './page.ts';
import type { Hit } from './hit.ts';
import type { SearchParts } from '../ports.ts';

export async function showMatches(
  files: readonly FoundFile[],
  { from, line: behind, limit }: AskedPage,
  { readText, clock }: SearchParts,
): Promise<Page> {
  const hits: Hit[] = [];
  const slice = createTimeSlice(clock);
  let isOutdated = false;
  for (let at = from; at < files.length; at++) {
    const file = files[at];
    if (file === undefined) break;
    if (slice.isOver()) await slice.yield();
    const text = readText(file.root, file.path, file);
    if (text === undefined || file.exact === undefined) continue;
    if (text.hash !== file.exact.hash) {
      isOutdated = true;
      continue;
    }
    const lines = at === from ? file.exact.lines.filter((line) => line > behind) : file.exact.lines;
    const reasons = file.reasons();
    for (const line of lines) {
      if (hits.length >= limit) return { hits, next: hits.at(-1)?.after, isOutdated };
      const isLast = line === file.exact.lines.at(-1);
      hits.push({
        root: file.root,
        path: file.path,
        language: file.language,
        startLine: line,
        endLine: line,
        definition: undefined,
        rank: at + 1,
        after: isLast ? cursorAfter(at + 1) : cursorAfter(at, line),
        lines: [text.lines.at(line - 1)],
        continuesTo: undefined,
        moreLines: [],
        score: file.score,
        reasons,
      });
    }
  }
  return { hits, next: undefined, isOutdated };
}

export function countMatches(files: readonly FoundFile[]): number {
  return files.reduce((sum, { exact }) => sum + (exact?.lines.length ?? 0), 0);
}
