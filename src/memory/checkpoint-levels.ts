/** How much of a checkpoint is handed back: a summary, the context to go on, or all of it. Pure. */
import type { MemoryEntry } from '../storage/index.ts';
import { cutToTokens, estimateTokens } from './token-estimate.ts';

export const RESUME_LEVELS = ['summary', 'context', 'full'] as const;
export type ResumeLevel = (typeof RESUME_LEVELS)[number];

/** What an answer of this level may cost in all. */
const SUMMARY_TOKENS = 200;
const CONTEXT_TOKENS = 2_000;
/** The summary, where it stands before the text. */
const LEAD_TOKENS = 90;
/** Whatever stands around it, so much of the text is shown. */
const LEAST_TOKENS = 24;
/** A model's client cuts longer answers; the rest is asked for with an offset. */
const FULL_TOKENS = 7_000;
const FULL_CHARS = 40_000;

export interface LevelText {
  readonly text: string;
  /** Where to go on, if this is not all. */
  readonly nextOffset: number | undefined;
}

export function textAtLevel(
  { summary, content }: Pick<MemoryEntry, 'summary' | 'content'>,
  level: ResumeLevel,
  { offset, aroundTokens }: { readonly offset: number; readonly aroundTokens: number },
): LevelText {
  const within = (most: number): number => Math.max(LEAST_TOKENS, most - aroundTokens);
  switch (level) {
    case 'summary':
      return {
        text: cutToTokens(summary, within(SUMMARY_TOKENS)).text,
        nextOffset: content === summary ? undefined : 0,
      };
    case 'context': {
      const lead = content.startsWith(summary) ? '' : `${cutToTokens(summary, LEAD_TOKENS).text}\n\n`;
      const { text, isCut } = cutToTokens(content, within(CONTEXT_TOKENS) - estimateTokens(lead));
      return { text: `${lead}${text}`, nextOffset: isCut ? text.length : undefined };
    }
    case 'full': {
      const part = wholeCharacters(content.slice(offset, offset + FULL_CHARS));
      const { text } = cutToTokens(part, FULL_TOKENS);
      const end = offset + text.length;
      return { text, nextOffset: end < content.length ? end : undefined };
    }
  }
}

/** Half of a surrogate pair at the end belongs to the next part. */
function wholeCharacters(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return text.length > 1 && last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}
