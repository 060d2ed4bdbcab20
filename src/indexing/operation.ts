/** A background run as plain data: how far it is, or how it ended. */
import type { AppError, ErrorCode } from '../core/index.ts';
import type { Job, JobEnd } from './background.ts';
import type { IndexOutcome } from './indexer.ts';

export type Operation = { readonly id: string; readonly root: string } & OperationState;

export type OperationState =
  | {
      readonly state: 'running';
      /** Unknown while the work is being counted. */
      readonly percent?: number | undefined;
      readonly etaMs?: number | undefined;
      readonly done?: number | undefined;
      readonly total?: number | undefined;
    }
  | { readonly state: 'done'; readonly counts: Omit<Extract<IndexOutcome, { kind: 'done' }>, 'kind'> }
  /** Another process is indexing the project; its index is this one too. */
  | { readonly state: 'elsewhere' }
  | { readonly state: 'stopped' }
  | { readonly state: 'failed'; readonly failure: OperationFailure };

export interface OperationFailure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string | undefined;
}

/** A run that was asked for, as far as it came while the caller waited. */
export type IndexRun = Operation & { /** Files in the index, once it is done. */ readonly files?: number };

export function toOperation(job: Job): Operation {
  return { id: job.id, root: job.root, ...stateOf(job, job.end()) };
}

function stateOf(job: Job, end: JobEnd | undefined): OperationState {
  switch (end?.kind) {
    case undefined: {
      const { percent, etaMs, done, total } = job.progress() ?? {};
      return { state: 'running', percent, etaMs, done, total };
    }
    case 'done': {
      const { kind: _done, ...counts } = end;
      return { state: 'done', counts };
    }
    case 'busy':
      return { state: 'elsewhere' };
    case 'stopped':
      return { state: 'stopped' };
    case 'failed':
      return { state: 'failed', failure: toOperationFailure(end.error) };
  }
}

function toOperationFailure({ code, message, hint, facts }: AppError): OperationFailure {
  // A bug has no words of its own for the caller; the log has its stack.
  return { code, message: facts.fault === 'bug' ? 'Indexing failed.' : message, hint };
}
