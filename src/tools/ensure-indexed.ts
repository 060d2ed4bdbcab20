/** For tools that answer from the index: there is one, or the answer that says why not. */
import * as z from 'zod';
import type { Freshness, IndexProgress } from '../indexing/index.ts';
import { projectOf, type FailedAnswer, type ToolCall } from './define-tool.ts';
import { renderFailure } from './failures.ts';

export type Ensured =
  | { readonly kind: 'ready'; readonly freshness: Freshness }
  | { readonly kind: 'failed'; readonly answer: FailedAnswer };

/** What `toFreshnessValue` gives, for output schemas. */
export const FRESHNESS_VALUE = z.object({
  state: z.string(),
  why: z.string().optional(),
  percent: z.number().optional(),
  eta_ms: z.number().optional(),
  operation_id: z.string().optional(),
});

export async function ensureIndexed(call: ToolCall): Promise<Ensured> {
  const { project, weak, vcs } = projectOf(call);
  const freshness = await call.services.engine.ensureIndex(
    { root: project.root, mayWrite: !weak || vcs },
    { signal: call.signal, onProgress: tellProgress(call) },
  );
  if (freshness.state !== 'missing') return { kind: 'ready', freshness };
  return {
    kind: 'failed',
    answer: renderFailure({
      errorType: 'not_indexed',
      message: `Project detected at ${project.root} but not indexed. Run \`waymark index ${project.root}\` first.`,
      instruction: `Call index_codebase with ${JSON.stringify({ project: project.root })}`,
    }),
  };
}

/** Progress for the client. It must grow from one word to the next, so what stands still is not said. */
export function tellProgress(call: ToolCall): (progress: IndexProgress) => void {
  let said = -1;
  return ({ done, total }) => {
    if (done <= said) return;
    said = done;
    void call.progress({ done, total, message: `indexed ${done} of ${total} files` });
  };
}
