/** What a row of the error matrix says, and the words its rows share. */
import type { RawRequest } from '../support/raw-http.ts';
import { MODERN, type RpcBody } from '../support/rpc.ts';

export type Era = 'legacy' | 'modern';

/** The servers of the matrix; every row names the one it needs. */
export type Place = 'plain' | 'lenient' | 'token' | 'limited' | 'cors' | 'fixture';

export interface Sender {
  readonly era: Era;
  /** A live session of this server. */
  readonly session: string;
  /** The same question as a client of this era would ask it, with the id 7. */
  ask(
    method: string,
    params?: Readonly<Record<string, unknown>>,
    headers?: RawRequest['headers'],
  ): RawRequest;
}

export interface Expected {
  readonly status: number;
  readonly code?: number;
  readonly message?: string | RegExp;
  /** The id of the answer; the request's own, 7, if left out, and null for an answer without a body. */
  readonly id?: string | number | null;
  /** Undefined: the header must not be there. */
  readonly headers?: Readonly<Record<string, string | RegExp | undefined>>;
  readonly check?: (body: RpcBody) => boolean;
}

export interface MatrixRow {
  readonly id: string;
  readonly what: string;
  readonly at?: Place;
  readonly send: (sender: Sender) => RawRequest;
  readonly legacy?: Expected;
  readonly modern?: Expected;
}

export const INVALID = -32600;
export const UNKNOWN = 'server-error';
export const OK: Expected = { status: 200, check: (body) => Array.isArray(body.result?.['tools']) };
export const both = (expected: Expected) => ({ legacy: expected, modern: expected });
export const version = (era: Era) => (era === 'modern' ? { 'mcp-protocol-version': MODERN } : {});
