/** One request to a service that the user named. The only place that sends anything to another machine. */

export interface PostOptions extends GetOptions {
  readonly body: unknown;
}

export interface GetOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** A longer answer is not read to its end. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

export type PostOutcome =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly retryAfter: string | undefined;
      /** Undefined unless it is JSON, and of a refusal unless bytes were posted. */
      readonly body: unknown;
    }
  | { readonly kind: 'timed_out' }
  | { readonly kind: 'unreachable' };

/** Never follows a redirect: what is sent goes where the user said, or nowhere. Throws the signal's reason when it is aborted. */
export function postJson(url: string, options: PostOptions): Promise<PostOutcome> {
  const headers = { 'content-type': 'application/json', ...options.headers };
  return requestJson(url, { ...options, headers }, JSON.stringify(options.body));
}

export interface PostBytesOptions extends GetOptions {
  readonly body: Uint8Array;
}

/** Bytes, by the same rules; what a refusal says is read too. */
export function postBytes(url: string, options: PostBytesOptions): Promise<PostOutcome> {
  const headers = { 'content-type': 'application/octet-stream', ...options.headers };
  return requestJson(url, { ...options, headers }, options.body);
}

/** By the same rules. */
export function getJson(url: string, options: GetOptions): Promise<PostOutcome> {
  return requestJson(url, options);
}

async function requestJson(
  url: string,
  options: GetOptions,
  body?: string | Uint8Array,
): Promise<PostOutcome> {
  const { signal, timeoutMs } = options;
  signal.throwIfAborted();
  const ending = new AbortController();
  const stop = (): void => ending.abort();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    stop();
  }, timeoutMs);
  signal.addEventListener('abort', stop, { once: true });
  try {
    const response = await fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { accept: 'application/json', ...options.headers },
      // A view of what is meant, whatever lies around it in memory.
      body: typeof body === 'object' ? new Uint8Array(body) : (body ?? null),
      // Not 'error': who is sent elsewhere was reached, and must be told to correct the address.
      redirect: 'manual',
      signal: ending.signal,
    });
    const retryAfter = response.headers.get('retry-after') ?? undefined;
    const isRead = response.ok || typeof body === 'object';
    const text = isRead ? await readUpTo(response, options.maxBytes, ending.signal) : undefined;
    if (!isRead) await response.body?.cancel();
    return { kind: 'answer', status: response.status, retryAfter, body: parse(text) };
  } catch {
    signal.throwIfAborted();
    return { kind: isLate ? 'timed_out' : 'unreachable' };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

/**
 * The text of an answer; undefined if it is longer, of which no more is read. The signal that `fetch` was given ends it too, but only
 * until the request is collected as garbage, which may be while its answer still comes: so it is watched here.
 */
export async function readUpTo(
  response: Response,
  maxBytes: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  const reader = response.body?.getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  const stop = (): void => void reader?.cancel().catch(() => {});
  signal.addEventListener('abort', stop, { once: true });
  try {
    for (;;) {
      signal.throwIfAborted();
      const part = await reader?.read();
      if (part?.value === undefined) break;
      size += part.value.byteLength;
      if (size > maxBytes) {
        stop();
        return undefined;
      }
      parts.push(part.value);
    }
    signal.throwIfAborted();
  } finally {
    signal.removeEventListener('abort', stop);
  }
  return Buffer.concat(parts).toString('utf8');
}

function parse(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
