/** What a session is told when it starts, in as few tokens as do: stored text fenced, our own lines around it. */
import {
  cutToTokens,
  estimateTokens,
  fenceParts,
  type FencedPart,
  type SessionBrief,
} from '../../memory/index.ts';
import { escapeControl } from '../../text/index.ts';
import { renderOrigin, withName } from '../render-memory.ts';

type Entry = NonNullable<SessionBrief['checkpoint']>;

/** Of everything together. */
const MOST_TOKENS = 1_000;
const CHECKPOINT_TOKENS = 420;
const MEANT_TOKENS = 200;
const DRAFT_TOKENS = 130;
const FACT_TOKENS = 60;
const LEAST_TOKENS = 40;
const OWN_LINES =
  'Waymark, the memory of this project: recall before you start on something, checkpoint_save before you stop.';

export interface RenderedBrief {
  readonly text: string;
  /** The drafts that it tells of. */
  readonly drafts: readonly Entry[];
}

export function renderBrief(brief: SessionBrief, newWord: () => string): RenderedBrief {
  const { checkpoint, meant, drafts } = brief;
  const parts: FencedPart[] = [];
  let left = MOST_TOKENS - estimateTokens(OWN_LINES) - LEAST_TOKENS;
  const add = (head: string, body: string, most: number): boolean => {
    const room = Math.min(most, left - estimateTokens(head));
    if (room < LEAST_TOKENS) return false;
    const { text, isCut } = cutToTokens(body, room);
    left -= estimateTokens(head) + estimateTokens(text);
    parts.push({ head, text: isCut ? `${text} [cut]` : text });
    return true;
  };
  if (meant !== undefined)
    add(headOf('checkpoint', meant), withName(meant.name, meant.summary), MEANT_TOKENS);
  if (checkpoint !== undefined)
    add(headOf('checkpoint', checkpoint), withName(checkpoint.name, checkpoint.content), CHECKPOINT_TOKENS);
  const told = drafts.filter((draft) =>
    add(
      `${headOf('draft of a fix', draft)}; remediation_feedback with this id keeps it if it is right`,
      `error: ${draft.fields['error'] ?? ''}\nfix: ${draft.content}`,
      DRAFT_TOKENS,
    ),
  );
  const facts = factLines(brief, left - LEAST_TOKENS);
  if (facts !== '') parts.push({ head: 'facts that hold here', text: facts });
  const next =
    checkpoint === undefined
      ? ''
      : `\nnext: checkpoint_resume shows all of it, and which files changed since.`;
  return { text: `${OWN_LINES}\n${fenceParts(parts, newWord)}${next}`, drafts: told };
}

function headOf(what: string, entry: Entry): string {
  return `${what} ${entry.id}, ${renderOrigin(entry)}`;
}

/** As many as there is room for; of a long one its beginning. */
function factLines({ facts }: SessionBrief, room: number): string {
  let left = room;
  const lines: string[] = [];
  for (const { entry, ofPerson } of facts) {
    const flags = entry.flags.length === 0 ? '' : ` [CAUTION: ${entry.flags.join(', ')}]`;
    const { text, isCut } = cutToTokens(entry.content.replaceAll(/\s+/g, ' '), FACT_TOKENS);
    const line = `- ${text}${isCut ? ' [cut]' : ''}${ofPerson ? ' (the person)' : ''}${flags}`;
    const tokens = estimateTokens(line) + 1;
    if (tokens > left) continue;
    left -= tokens;
    lines.push(escapeControl(line));
  }
  return lines.join('\n');
}
