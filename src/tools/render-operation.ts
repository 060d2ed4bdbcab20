/** A long operation in words and values: how far it is, or how it ended. */
import type { Job } from '../indexing/index.ts';
import { escapeControl } from '../text/index.ts';
import type { FailedAnswer, ToolAnswer } from './define-tool.ts';
import { renderFailure } from './failures.ts';
import { renderProgress } from './render-progress.ts';

export function unknownOperation(): FailedAnswer {
  return renderFailure({
    errorType: 'unknown_operation',
    message: 'There is no such operation: its id is wrong, or the server that ran it has ended since.',
    instruction: 'Call index_codebase to bring the index up to date; it goes on where the last run stopped.',
  });
}

export function renderOperation(job: Job): ToolAnswer {
  return {
    text: `operation ${job.id}: indexing ${escapeControl(job.root)}, ${describeJob(job).text}`,
    structured: { operation: toOperationValue(job) },
  };
}

export function toOperationValue(job: Job): Readonly<Record<string, unknown>> {
  return { id: job.id, kind: 'index', root: job.root, ...describeJob(job).value };
}

function describeJob(job: Job): { readonly text: string; readonly value: { readonly state: string } } {
  const end = job.end();
  switch (end?.kind) {
    case undefined: {
      const progress = job.progress();
      const { percent, etaMs, done, total } = progress ?? {};
      const files = progress === undefined ? '' : `, ${done} of ${total} files`;
      return {
        text: `running: ${renderProgress(percent, etaMs)}${files}`,
        value: { state: 'running', ...defined({ percent, eta_ms: etaMs, done, total }) },
      };
    }
    case 'done': {
      const { kind: _done, ...counts } = end;
      return {
        text: `done: ${end.indexed} indexed, ${end.removed} removed, ${end.skipped} left out in ${end.ms} ms`,
        value: { state: 'done', ...counts },
      };
    }
    case 'busy':
      return { text: 'left to another process that is at it', value: { state: 'elsewhere' } };
    case 'stopped':
      return { text: 'stopped; what was indexed is kept', value: { state: 'stopped' } };
    case 'failed': {
      const failure = { error_type: end.error.code, message: end.error.message };
      return { text: `failed: ${escapeControl(end.error.message)}`, value: { state: 'failed', ...failure } };
    }
  }
}

function defined(values: Readonly<Record<string, number | undefined>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, number] => entry[1] !== undefined),
  );
}
