/** How guides are put into words: each document fenced and labelled, the whole within the budget of an answer. */
import * as z from 'zod';
import { cutToTokens, fenceParts, type FencedPart, type GuideDocument } from '../memory/index.ts';
import { escapeControl, escapeControlKeepingLines } from '../text/index.ts';
import { DATA_NOTE } from './memory/memory-values.ts';

const ANSWER_TOKENS = 6_000;

export function renderGuides(documents: readonly GuideDocument[], newWord: () => string): string {
  return documents.length === 0
    ? 'No document matches.'
    : fenceParts(cutGuides(documents).map(toPart), newWord);
}

interface CutGuide extends GuideDocument {
  readonly isCut: boolean;
}

/** Each document gets the same share of an answer. */
function cutGuides(documents: readonly GuideDocument[]): readonly CutGuide[] {
  const each = Math.floor(ANSWER_TOKENS / Math.max(1, documents.length));
  return documents.map((document) => ({ ...document, ...cutToTokens(document.text, each) }));
}

const ORIGINS = { repository: 'a file of the repository', memory: 'a guide in the memory' } as const;

function toPart({ category, name, text, origin, isCut }: CutGuide): FencedPart {
  const title = `${category}/${name}`;
  const cut = isCut
    ? `\n[cut: get_content with expressions=[${JSON.stringify(title)}] shows more of it]`
    : '';
  return { head: `${title}, ${ORIGINS[origin]}`, text: `${text}${cut}` };
}

export const GUIDE_VALUES = z.object({
  documents: z.array(
    z.object({
      category: z.string(),
      name: z.string(),
      origin: z.string(),
      content: z.string(),
      is_cut: z.boolean(),
    }),
  ),
  note: z.string(),
});

export function toGuideValues(documents: readonly GuideDocument[]): z.input<typeof GUIDE_VALUES> {
  return {
    documents: cutGuides(documents).map(({ category, name, text, origin, isCut }) => ({
      category: escapeControl(category),
      name: escapeControl(name),
      origin: ORIGINS[origin],
      content: escapeControlKeepingLines(text),
      is_cut: isCut,
    })),
    note: DATA_NOTE,
  };
}
