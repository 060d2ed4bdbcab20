/** The start of a session: what its agent is told, within a budget of tokens and time. */
import { systemIds } from '../../platform/index.ts';
import type { HookClient } from '../../clients/index.ts';
import type { Services } from '../command.ts';

export interface StartText {
  /** Empty if there is nothing to tell. */
  readonly text: string;
  /** Notes that drafts were shown; they are shown once. */
  readonly noteShown: () => Promise<void>;
}

export async function startText(root: string, { memory }: Pick<Services, 'memory'>): Promise<StartText> {
  const { briefOf, markShown } = await import('../../memory/index.ts');
  const { renderBrief } = await import('../../tools/index.ts');
  const brief = await briefOf(memory, root);
  if (brief === undefined) return { text: '', noteShown: async () => {} };
  const { text, drafts } = renderBrief(brief, () => systemIds.token(6));
  return { text, noteShown: async () => markShown(await memory.storeOf(root), drafts) };
}

/** In the form in which the client hands it to its model. */
export function toHookOutput({ answers }: HookClient, text: string): string {
  return JSON.stringify(
    answers === 'hook_output'
      ? { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: text } }
      : { additional_context: text },
  );
}
