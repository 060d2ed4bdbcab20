/** How entries of the memory are put into words: our own lines outside, stored text fenced and labelled inside. */
import { cutToTokens, fence, type Memory, type Recalled, type Saved } from '../memory/index.ts';
import { escapeControl } from '../text/index.ts';
import { SAVED } from './memory-schemas.ts';
import type * as z from 'zod';

/** All the stored text of one answer; the whole stays under 8,000 with the lines around it. */
const ANSWER_TOKENS = 5_500;

type Entry = Saved['entry'];

export function renderSaved(what: string, { entry, repeated, revised, redacted }: Saved) {
  const count = redacted.reduce((sum, found) => sum + found.count, 0);
  const kinds = redacted.map((found) => `${found.count} × ${found.kind}`).join(', ');
  const verb = repeated
    ? 'was saved already as'
    : revised
      ? `is now version ${entry.version} of`
      : 'saved as';
  const structured: z.input<typeof SAVED> = {
    id: entry.id,
    repeated,
    version: entry.version,
    redacted: count,
    flags: [...entry.flags],
  };
  const lines = [
    `${what} ${verb} ${entry.id}, on disk.`,
    ...(count === 0 ? [] : [`Secrets were taken out before it was stored: ${kinds}.`]),
    ...(entry.flags.length === 0 ? [] : [`It will be shown with a warning: ${entry.flags.join(', ')}.`]),
  ];
  return { text: lines.join('\n'), structured };
}

/** Whose words these are, in one line. */
export function renderOrigin({ provenance, createdAt, flags }: Entry): string {
  const { origin, client, source, branch, worktree } = provenance;
  const parts = [
    `${ORIGIN_WORDS[origin]} ${client}`,
    ...(source === undefined ? [] : [`from ${short(source)}`]),
    new Date(createdAt).toISOString().slice(0, 16),
    ...(branch === undefined ? [] : [`branch ${short(branch)}`]),
    ...(worktree === undefined ? [] : [`worktree ${short(worktree)}`]),
    ...(flags.length === 0 ? [] : [`CAUTION: ${flags.join(', ')}`]),
  ];
  return escapeControl(parts.join(', '));
}

const MOST_NAME_CHARS = 60;

function short(name: string): string {
  return name.length <= MOST_NAME_CHARS ? name : `${name.slice(0, MOST_NAME_CHARS - 1)}…`;
}

const ORIGIN_WORDS = { agent: 'written by agent', typed: 'typed in', imported: 'imported by' } as const;

/** A text that begins with its name needs no heading. */
export function withName(name: string, text: string): string {
  return text.startsWith(name) ? text : `${name}\n${text}`;
}

export function renderHits(
  memory: Memory,
  hits: readonly Recalled[],
  bodyOf: (entry: Entry) => string,
): string {
  const each = Math.floor(ANSWER_TOKENS / Math.max(1, hits.length));
  const blocks = hits.map(({ entry, score, reasons, elsewhere }, index) => {
    const place = elsewhere === undefined ? '' : ` FROM ANOTHER PROJECT (${escapeControl(elsewhere)})`;
    const { text, isCut } = cutToTokens(bodyOf(entry), each);
    const body = fence({
      label: renderOrigin(entry),
      text: `${withName(entry.name, text)}${isCut ? '\n[cut]' : ''}`,
      newWord: memory.newId,
    });
    return `${index + 1}. ${entry.id}${place}, score ${score.toFixed(2)} (${reasons.join('; ')})\n${body}`;
  });
  return blocks.join('\n');
}
