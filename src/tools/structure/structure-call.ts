/** What the tools of structure share: an index to answer from, limits, and how they say that there is no answer. */
import * as z from 'zod';
import { AppError } from '../../core/index.ts';
import type { Freshness } from '../../indexing/index.ts';
import type { Unseen } from '../../structure/index.ts';
import { projectOf, type FailedAnswer, type ToolCall } from '../define-tool.ts';
import { renderFailure } from '../failures.ts';
import { ensureIndexed, renderFreshness } from '../freshness.ts';

/** Of tokens. */
export const BUDGET = wholeNumber(100, 20_000);
/** How many imports away. */
export const DEPTH = wholeNumber(1, 20);

/** With limits that are checked, but not listed: every tool would pay for them. */
function wholeNumber(least: number, most: number) {
  return z
    .number()
    .refine((value) => Number.isInteger(value) && value >= least && value <= most, {
      message: `expected a whole number from ${least} to ${most}`,
    })
    .optional();
}

export const UNSEEN_VALUE = z.object({
  waiting: z.number(),
  failed: z.number(),
  by_name: z.array(z.object({ language: z.string(), files: z.number() })),
});

export function toUnseenValue({ waiting, failed, byName }: Unseen): z.input<typeof UNSEEN_VALUE> {
  const named = byName.map(({ language, files }) => ({ language, files }));
  return { waiting, failed, by_name: named };
}

interface InProject {
  readonly root: string;
  readonly mayWrite: boolean;
}

/** Runs what needs an index; a foreseen error is an answer with what to do next. */
export async function fromIndex<Answer>(
  call: ToolCall,
  answer: (project: InProject, freshness: Freshness) => Promise<Answer>,
): Promise<Answer | FailedAnswer> {
  const ensured = await ensureIndexed(call);
  if (ensured.kind === 'failed') return ensured.answer;
  const { project, weak, vcs } = projectOf(call);
  try {
    return await answer({ root: project.root, mayWrite: !weak || vcs }, ensured.freshness);
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.facts.fault === 'bug') throw thrown;
    const instruction = thrown.hint ?? 'Call again with other arguments.';
    return renderFailure({ errorType: thrown.code, message: thrown.message, instruction });
  }
}

/** The line about the index, where there is something to say. */
export function withFreshness(freshness: Freshness, text: string): string {
  return freshness.state === 'fresh' ? text : `${renderFreshness(freshness)}\n${text}`;
}
