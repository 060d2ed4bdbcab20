/** The server that an index goes to: requests that are repeated when they get lost, and answers in plain words. */
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../core/index.ts';
import { postBytes } from '../../platform/index.ts';
import { packFrame, PUSH_PATHS, type Head, type PushStep, type StateReply } from '../../push/index.ts';
import { escapeControl, isLoopback } from '../../text/index.ts';

export interface PushServer {
  /** Resolves with what the server says. Throws `storage_busy` where the push has to begin anew. */
  send<Step extends PushStep>(
    step: Step,
    head: Head<Step>,
    parts?: readonly Uint8Array[],
  ): Promise<Replies[Step]>;
  /** Of all requests so far. */
  readonly sentBytes: number;
  readonly url: string;
}

interface Replies {
  readonly state: StateReply;
  readonly stage: { readonly missing: readonly number[] };
  readonly add: object;
  readonly commit: { readonly generation: number; readonly files: number };
}

export interface PushServerOptions {
  readonly url: string | undefined;
  readonly token: string | undefined;
  readonly version: string;
  readonly signal: AbortSignal;
}

const TIMEOUT_MS = 120_000;
const MAX_REPLY_BYTES = 4 * 1024 * 1024;
const MOST_ATTEMPTS = 6;
const LONGEST_PAUSE_MS = 60_000;

export function openPushServer({ url: given, token, version, signal }: PushServerOptions): PushServer {
  const url = checkAddress(given, token);
  let sentBytes = 0;
  const headers = {
    'user-agent': `waymark-push ${version}`,
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  return {
    url: url.href,
    get sentBytes() {
      return sentBytes;
    },
    async send(step, head, parts) {
      const body = await packFrame(head, parts);
      for (let attempt = 1; ; attempt += 1) {
        const sent = await postBytes(new URL(PUSH_PATHS[step], url).href, {
          headers,
          body,
          timeoutMs: TIMEOUT_MS,
          maxBytes: MAX_REPLY_BYTES,
          signal,
        });
        sentBytes += body.byteLength;
        // What this step answers; both sides are of one release, as the server has seen.
        if (sent.kind === 'answer' && sent.status === 200 && isObject(sent.body)) return sent.body as never;
        const isLate = sent.kind !== 'answer' || sent.status === 429 || sent.status >= 500;
        if (!isLate || attempt >= MOST_ATTEMPTS) throw toError(sent, url);
        const asked = sent.kind === 'answer' ? Number(sent.retryAfter ?? 0) * 1_000 : 0;
        await delay(Math.min(LONGEST_PAUSE_MS, Math.max(asked, 250 * 2 ** attempt)), undefined, { signal });
      }
    },
  };
}

function checkAddress(given: string | undefined, token: string | undefined): URL {
  if (given === undefined)
    throw new AppError('bad_argument', 'It is not said which server the index goes to.', {
      hint: 'Name it: waymark push --server https://waymark.example/mcp, or set WAYMARK_SERVER.',
    });
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new AppError('bad_argument', 'The address of the server is none of HTTP.', {
      hint: 'Write it as clients do: https://waymark.example/mcp',
    });
  if (url.protocol === 'http:' && token !== undefined && !isLoopback(url.hostname))
    throw new AppError('bad_argument', 'A token is not sent in the clear to another machine.', {
      hint: 'Use the https address of the server.',
    });
  return url;
}

type Sent = Awaited<ReturnType<typeof postBytes>>;

function toError(sent: Sent, { host }: URL): AppError {
  if (sent.kind !== 'answer')
    return new AppError('server_unavailable', `The server at ${host} does not answer.`, {
      hint: 'Look whether it runs and whether the address is right. What was sent is kept for a day.',
    });
  const said = isObject(sent.body) ? sent.body : {};
  const message = textOf(said['message']) ?? textOf(errorOf(said)) ?? `status ${sent.status}`;
  const hint = textOf(said['hint']);
  switch (sent.status) {
    case 409:
      return new AppError('storage_busy', message, { hint: hint ?? 'Push again.' });
    case 401:
      return new AppError('bad_argument', 'The server does not take this token.', {
        hint: 'Set WAYMARK_TOKEN or --token-file to one of the server: waymark token create NAME --scope search,memory:write',
      });
    case 403:
      return new AppError('bad_argument', 'This token does not allow pushing.', {
        hint: 'It needs the scope memory:write.',
      });
    case 404:
      return new AppError('bad_argument', `Nothing takes a push at ${host}.`, {
        hint: 'The server has to be started with --storage, and the address be that of its /mcp.',
      });
    default:
      return new AppError('bad_argument', `The server refuses: ${message}`, hint === undefined ? {} : { hint });
  }
}

function errorOf(said: Readonly<Record<string, unknown>>): unknown {
  const { error } = said;
  return isObject(error) ? error['message'] : undefined;
}

/** Foreign words, made harmless. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? escapeControl(value).slice(0, 500) : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
