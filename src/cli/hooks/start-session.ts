/** The start of a session: what its agent is told, within a budget of tokens and time. */
import type { HookClient } from '../../clients/index.ts';
import type { SessionBrief } from '../../memory/index.ts';
import { processAgeMs, systemIds } from '../../platform/index.ts';
import { renderBrief } from '../../tools/index.ts';

export interface StartText {
  /** Empty if there is nothing to tell. */
  readonly text: string;
  /** The drafts of fixes that it tells of; they are shown once. */
  readonly drafts: readonly { readonly id: string }[];
}

/** From the start of the process; a machine that needs longer for less tells nothing. */
const START_MS = 300;
/** So much is ours even where the process itself was late. */
const LEAST_MS = 150;

export function startText(brief: SessionBrief | undefined): StartText {
  return brief === undefined ? { text: '', drafts: [] } : renderBrief(brief, () => systemIds.token(6));
}

export interface StartTime {
  /** How old the process was when our own work began. */
  readonly openedMs: number;
  readonly within: number | undefined;
}

export function isLate(time: StartTime): boolean {
  return leftMs(time) < 0;
}

export function leftMs({ openedMs, within }: StartTime): number {
  return (within ?? Math.max(START_MS, openedMs + LEAST_MS)) - processAgeMs();
}

/** In the form in which the client hands it to its model. */
export function toHookOutput({ answers }: HookClient, text: string): string {
  if (answers === 'text') return text;
  return JSON.stringify(
    answers === 'hook_output'
      ? { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: text } }
      : { additional_context: text },
  );
}
