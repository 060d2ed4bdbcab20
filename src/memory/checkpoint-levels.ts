/** How much of a checkpoint is handed back: a summary, the context to go on, or all of it. Pure. */
import type { MemoryEntry } from '../storage/index.ts';
import { cutToTokens, estimateTokens } from './entry-text.ts';

export const RESUME_LEVELS = ['summary', 'context', 'full'] as const;
export type ResumeLevel = (typeof RESUME_LEVELS)[number];

/** What an answer of this level may cost in all. */
const SUMMARY_TOKENS = 200;
const CONTEXT_TOKENS = 2_000;
/** The summary, where it stands before the text. */
const LEAD_TOKENS = 90;
/** Whatever stands around it, so much of the text is shown. */
const LEAST_TOKENS = 24;
/** Tags and metadata take what the text leaves; where it leaves little, this much and a quarter of the room at most. */
const NOTES_TOKENS = { summary: 40, context: 400 } as const;
/** A model's client cuts longer answers; the rest is asked for with an offset. */
const FULL_TOKENS = 7_000;
const FULL_CHARS = 40_000;

export interface LevelText {
  /** Of the summary and the content. */
  readonly text: string;
  /** Tags and metadata, as far as they are shown. */
  readonly notes: string;
  /** Whether that is all of them. */
  readonly areNotesWhole: boolean;
  /** Where to go on, if this is not all. */
  readonly nextOffset: number | undefined;
}

type Resumable = Pick<MemoryEntry, 'summary' | 'content' | 'tags' | 'metadata'>;

export function textAtLevel(
  entry: Resumable,
  level: ResumeLevel,
  { offset, aroundTokens }: { readonly offset: number; readonly aroundTokens: number },
): LevelText {
  if (level === 'full') return pageOf(entry, offset);
  const { summary, content } = entry;
  const room = (level === 'summary' ? SUMMARY_TOKENS : CONTEXT_TOKENS) - aroundTokens;
  const lead =
    level === 'summary' || content.startsWith(summary) ? '' : `${cutToTokens(summary, LEAD_TOKENS).text}\n\n`;
  const main = level === 'summary' ? summary : content;
  const { text: notes, isCut: areNotesCut } = cutToTokens(
    notesOf(entry),
    Math.max(0, Math.min(NOTES_TOKENS[level], room / 4), room - estimateTokens(`${lead}${main}`)),
  );
  const within = Math.max(LEAST_TOKENS, room - estimateTokens(`${lead}${notes}`));
  const { text, isCut } = cutToTokens(main, within);
  const isAll = main === content && !isCut;
  // Of a summary nothing is a part of the content, which is read from its beginning.
  const cutAt = level === 'summary' ? 0 : text.length;
  return {
    text: `${lead}${text}`,
    notes,
    areNotesWhole: !areNotesCut,
    nextOffset: isAll ? (areNotesCut ? content.length : undefined) : cutAt,
  };
}

/** The content with its notes behind it is one long text, of which an answer is a page: nothing is out of reach. */
function pageOf(entry: Resumable, offset: number): LevelText {
  const { content } = entry;
  const whole = `${content}${notesOf(entry)}`;
  const part = wholeCharacters(whole.slice(offset, offset + FULL_CHARS));
  const end = offset + cutToTokens(part, FULL_TOKENS).text.length;
  return {
    text: content.slice(offset, end),
    notes: whole.slice(Math.max(offset, content.length), end),
    areNotesWhole: offset <= content.length && end >= whole.length,
    nextOffset: end < whole.length ? end : undefined,
  };
}

/** What was saved beside the text. */
function notesOf({ tags, metadata }: Resumable): string {
  return [
    ...(tags.length === 0 ? [] : [`tags: ${tags.join(', ')}`]),
    ...(Object.keys(metadata).length === 0 ? [] : [`metadata: ${JSON.stringify(metadata)}`]),
  ].join('\n');
}

/** Half of a surrogate pair at the end belongs to the next part. */
function wholeCharacters(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return text.length > 1 && last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}
