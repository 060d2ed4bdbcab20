/** A long operation in words and values: how far it is, or how it ended. */
import type { Operation } from '../indexing/index.ts';
import { escapeControl } from '../text/index.ts';
import type { FailedAnswer, ToolAnswer } from './define-tool.ts';
import { renderFailure } from './failures.ts';
import { renderProgress } from './freshness.ts';

export function unknownOperation(): FailedAnswer {
  return renderFailure({
    errorType: 'unknown_operation',
    message: 'There is no such operation: its id is wrong, or the server that ran it has ended since.',
    instruction: 'Call index_codebase to bring the index up to date; it goes on where the last run stopped.',
  });
}

export function renderOperation(operation: Operation): ToolAnswer {
  return {
    text: `operation ${operation.id}: indexing ${escapeControl(operation.root)}, ${describe(operation).text}`,
    structured: { operation: toOperationValue(operation) },
  };
}

export function toOperationValue(operation: Operation): Readonly<Record<string, unknown>> {
  return { id: operation.id, kind: 'index', root: operation.root, ...describe(operation).value };
}

function describe(operation: Operation): {
  readonly text: string;
  readonly value: { readonly state: string };
} {
  const { state } = operation;
  switch (state) {
    case 'running': {
      const { percent, etaMs, done, total } = operation;
      const files = total === undefined ? '' : `, ${done} of ${total} files`;
      return {
        text: `running: ${renderProgress(percent, etaMs)}${files}`,
        value: { state, ...defined({ percent, eta_ms: etaMs, done, total }) },
      };
    }
    case 'done': {
      const { indexed, removed, skipped, ms } = operation.counts;
      return {
        text: `done: ${indexed} indexed, ${removed} removed, ${skipped} left out in ${ms} ms`,
        value: { state, ...operation.counts },
      };
    }
    case 'elsewhere':
      return { text: 'left to another process that is at it', value: { state } };
    case 'stopped':
      return { text: 'stopped; what was indexed is kept', value: { state } };
    case 'failed': {
      const { code, message } = operation.failure;
      return {
        text: `failed: ${escapeControl(message)}`,
        value: { state, ...toFailureValue(code, message) },
      };
    }
  }
}

function toFailureValue(code: string, message: string): Readonly<Record<string, string>> {
  return { error_type: code, message };
}

function defined(values: Readonly<Record<string, number | undefined>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, number] => entry[1] !== undefined),
  );
}
