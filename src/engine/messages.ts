/** What crosses between the front and an engine in another thread. Both sides are of one build. */
import { AppError, type ErrorCode } from '../core/index.ts';
import type { IndexProgress } from '../indexing/index.ts';
import type { EngineMethod } from './port.ts';

export type ToEngine =
  | {
      readonly kind: 'call';
      readonly id: number;
      readonly method: EngineMethod;
      readonly request: unknown;
      readonly client: string | undefined;
      /** Whose engine is asked; undefined: that of who runs the server. */
      readonly tenant: string | undefined;
    }
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'close' };

export type FromEngine =
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly failure: Failure }
  | { readonly kind: 'progress'; readonly id: number; readonly progress: IndexProgress }
  | { readonly kind: 'closed' };

/** An error as plain data: structured clone keeps neither its class nor its fields. */
export type Failure =
  | {
      readonly kind: 'foreseen';
      readonly code: ErrorCode;
      readonly message: string;
      readonly hint: string | undefined;
    }
  | { readonly kind: 'bug'; readonly message: string; readonly stack: string | undefined };

export function toFailure(thrown: unknown): Failure {
  if (thrown instanceof AppError)
    return { kind: 'foreseen', code: thrown.code, message: thrown.message, hint: thrown.hint };
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  return { kind: 'bug', message: error.message, stack: error.stack };
}

export function fromFailure(failure: Failure): Error {
  if (failure.kind === 'foreseen') {
    const { code, message, hint } = failure;
    return new AppError(code, message, { hint });
  }
  const error = new Error(failure.message);
  if (failure.stack !== undefined) error.stack = failure.stack;
  return error;
}
