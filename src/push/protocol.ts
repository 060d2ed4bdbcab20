/** What a client and a server say to each other in a push: a head of JSON and bytes behind it, deflated together. */
import { deflateRaw, inflateRaw } from 'node:zlib';
import { promisify } from 'node:util';
import { AppError, isBranchName, isPushedIdentity } from '../core/index.ts';
import * as z from 'zod';

/** Requests are told apart by their addresses. */
export const PUSH_PATHS = {
  state: '/mcp/push/state',
  stage: '/mcp/push/stage',
  add: '/mcp/push/add',
  commit: '/mcp/push/commit',
} as const;
export type PushStep = keyof typeof PUSH_PATHS;

export const PUSH_LIMITS = {
  /** Of a body before it is deflated. A server takes no more, whatever was sent. */
  frameBytes: 24 * 1024 * 1024,
  /** A client begins another request then: what was sent need not be sent again when one fails. */
  batchBytes: 3 * 1024 * 1024,
  batchFiles: 400,
  batchEntries: 4_000,
  keptPaths: 5_000,
} as const;

const KEY_BYTES = 32;
const DIGESTS_BYTES = 256 * 8;

const target = {
  project: z.string().refine(isPushedIdentity),
  branch: z.string().refine(isBranchName),
  head: z.boolean(),
  attempt: z.int().min(1).max(2 ** 31 - 1),
};
const path = z.string().refine(isFilePath);
const count = z.int().min(0).max(2 ** 40);
const kept = z.array(path).max(PUSH_LIMITS.keptPaths);
const word = z.string().max(500);
const buckets = z.array(z.int().min(0).max(255)).max(256);

export const HEADS = {
  state: z.strictObject({ ...target, kept, analysis: word, parser: word }),
  stage: z.strictObject({
    ...target,
    /** Path, size, time, and 1 for what is not committed. */
    entries: z.array(z.tuple([path, count, z.number(), z.int().min(0).max(1)])).max(PUSH_LIMITS.batchEntries),
  }),
  add: z.strictObject({
    ...target,
    files: z
      .array(
        z.strictObject({
          path,
          hash: word,
          analysis: word,
          language: word,
          sizeBytes: count,
          mtimeMs: z.number(),
          lines: count,
          plainBy: count,
          chunks: z.int().min(0).max(1_000_000),
          definitions: count,
          own: z.boolean(),
          parsed: z
            .strictObject({ parser: word, failure: z.string().max(2_000).optional(), errorShare: z.number() })
            .optional(),
          vectors: z.strictObject({ model: word, dimensions: z.int().min(1).max(10_000) }).optional(),
          /** Of words, trigrams, vectors, outline, facts and text; -1 for what is not there. */
          lengths: z.array(z.int().min(-1).max(PUSH_LIMITS.frameBytes)).length(6),
        }),
      )
      .max(PUSH_LIMITS.batchFiles),
  }),
  commit: z.strictObject({
    ...target,
    base: count,
    commit: z
      .string()
      .regex(/^[0-9a-f]{40,64}$/)
      .optional(),
    differing: buckets,
    kept,
    files: count,
  }),
} as const;

export type Head<Step extends PushStep> = z.infer<(typeof HEADS)[Step]>;
export type FileHead = Head<'add'>['files'][number];

export interface StateReply {
  readonly commit: string | null;
  readonly generation: number;
  readonly differing: readonly number[];
  readonly keeps_source: boolean;
}

export interface Frame {
  readonly head: unknown;
  readonly bytes: Uint8Array;
}

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);
/** Packed rows hardly get smaller by more work. */
const LEVEL = 3;

export async function packFrame(head: unknown, parts: readonly Uint8Array[] = []): Promise<Buffer> {
  const json = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.byteLength);
  return deflate(Buffer.concat([length, json, ...parts]), { level: LEVEL });
}

/** Throws `bad_argument`. */
export async function unpackFrame(packed: Uint8Array): Promise<Frame> {
  try {
    const all = await inflate(packed, { maxOutputLength: PUSH_LIMITS.frameBytes });
    const end = 4 + all.readUInt32LE(0);
    if (end > all.byteLength) throw malformed();
    return { head: JSON.parse(all.toString('utf8', 4, end)), bytes: all.subarray(end) };
  } catch (cause) {
    throw malformed(cause);
  }
}

/** Throws `bad_argument`; says nothing of what was sent. */
export function readHead<Step extends PushStep>(step: Step, head: unknown): Head<Step> {
  const read = HEADS[step].safeParse(head);
  // The schema of this step makes its head.
  if (read.success) return read.data as Head<Step>;
  throw malformed();
}

export function readKeys(bytes: Uint8Array, entries: number): readonly Uint8Array[] {
  if (bytes.byteLength !== entries * KEY_BYTES) throw malformed();
  return Array.from({ length: entries }, (_, at) => bytes.slice(at * KEY_BYTES, (at + 1) * KEY_BYTES));
}

export function readDigests(bytes: Uint8Array): Uint8Array {
  if (bytes.byteLength !== DIGESTS_BYTES) throw malformed();
  return bytes.slice();
}

/** The parts of each file, in the order of `lengths`. Copied: what is kept of one must not keep the others. */
export function readParts(
  bytes: Uint8Array,
  files: readonly Pick<FileHead, 'lengths'>[],
): readonly (readonly (Uint8Array | undefined)[])[] {
  let at = 0;
  const read = files.map(({ lengths }) =>
    lengths.map((length) => (length < 0 ? undefined : bytes.slice(at, (at += length)))),
  );
  if (at !== bytes.byteLength) throw malformed();
  return read;
}

export function malformed(cause?: unknown): AppError {
  return new AppError('bad_argument', 'The request is no part of a push.', {
    hint: 'Use `waymark push` of the release that the server runs.',
    ...(cause === undefined ? {} : { cause }),
  });
}

/** From the project, with forward slashes, and never out of it. */
function isFilePath(text: string): boolean {
  return (
    text.length > 0 &&
    text.length <= 4_096 &&
    !text.startsWith('/') &&
    // eslint-disable-next-line no-control-regex
    !/[\u0000-\u001F\u007F]/.test(text) &&
    text.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
  );
}
