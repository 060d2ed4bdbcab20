/** For tools that answer from the index: there is one, or the answer that says why not; and how fresh it is, in words and as a value. */
import * as z from 'zod';
import type { Freshness, IndexProgress, IndexState } from '../indexing/index.ts';
import { escapeControl, renderDuration } from '../text/index.ts';
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
      instruction: `Call index_codebase with ${JSON.stringify({ project: project.root })}${weak && !vcs ? IF_MEANT : ''}`,
    }),
  };
}

const IF_MEANT =
  ' if that is the project you mean: it is a guess without version control, and nothing is indexed on a guess';

/** Progress for the client. It must grow from one word to the next, so what stands still is not said. */
export function tellProgress(call: ToolCall): (progress: IndexProgress) => void {
  let said = -1;
  return ({ done, total }) => {
    if (done <= said) return;
    said = done;
    void call.progress({ done, total, message: `indexed ${done} of ${total} files` });
  };
}

/** `34 %, 20 s left`; only what is known. */
export function renderProgress(percent: number | undefined, etaMs: number | undefined): string {
  const parts = [
    percent === undefined ? undefined : `${percent} %`,
    etaMs === undefined ? undefined : `${renderDuration(etaMs)} left`,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? 'counting' : parts.join(', ');
}

const NO_EXACT = 'exact text is not looked for in what was pushed';
const NO_LINES =
  'this server keeps no source text, so places and definitions are named, lines are not shown, and exact text is not looked for';

/** The line every answer from the index carries. */
export function renderFreshness(freshness: Freshness | IndexState): string {
  switch (freshness.state) {
    case 'fresh':
      return 'index: fresh';
    case 'indexed':
      return 'index: ready';
    case 'missing':
      return 'index: none yet';
    case 'pushed': {
      const { commit, ageMs, showsLines } = freshness;
      const at = commit === undefined ? '' : ` at ${escapeControl(commit.slice(0, 8))}`;
      return `index: pushed ${renderDuration(ageMs)} ago${at}; ${showsLines ? NO_EXACT : NO_LINES}`;
    }
    case 'stale':
      return `index: may be stale (${escapeControl(freshness.why)})`;
    case 'updating': {
      const { percent, etaMs, operationId } = freshness;
      if (operationId === undefined) return 'index: updating in another process';
      const follow = `project_status with operation_id=${JSON.stringify(operationId)} follows it`;
      return `index: updating (${renderProgress(percent, etaMs)}); ${follow}`;
    }
  }
}

/** The same for a program. */
export function toFreshnessValue(freshness: Freshness | IndexState): {
  state: string;
  why?: string;
  percent?: number;
  eta_ms?: number;
  operation_id?: string;
} {
  if (freshness.state === 'stale') return { state: 'stale', why: freshness.why };
  if (freshness.state !== 'updating') return { state: freshness.state };
  const { percent, etaMs, operationId } = freshness;
  return {
    state: 'updating',
    ...(percent === undefined ? {} : { percent }),
    ...(etaMs === undefined ? {} : { eta_ms: etaMs }),
    ...(operationId === undefined ? {} : { operation_id: operationId }),
  };
}
