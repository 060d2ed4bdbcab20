/** Talks to the server: cookie and token with every request, failures in the server's words. */
import type { ApiFailure, SessionAnswer } from '../src/dashboard/api.ts';

const API = '/ui/api/';
const TOKEN = 'waymark-page-token';

export class PageError extends Error {
  readonly code: string;
  readonly hint: string | null;

  constructor(code: string, message: string, hint: string | null) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}

/** Exchanges the code in the link, if there is one, and takes it out of the address. */
export async function openSession(): Promise<void> {
  const code = /^#code=([\w-]+)$/.exec(location.hash)?.[1];
  if (code === undefined) return;
  history.replaceState(undefined, '', `${location.pathname}#/projects`);
  const { token } = await post<SessionAnswer>('session', { code });
  localStorage.setItem(TOKEN, token);
}

export function get<Answer>(
  path: string,
  query: Readonly<Record<string, string | number>> = {},
  signal?: AbortSignal,
): Promise<Answer> {
  const pairs = Object.entries(query).map(([name, value]) => [name, String(value)]);
  const search = pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
  return ask<Answer>(`${path}${search}`, { method: 'GET', ...(signal === undefined ? {} : { signal }) });
}

export function post<Answer>(path: string, body: object): Promise<Answer> {
  return ask<Answer>(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

async function ask<Answer>(path: string, init: RequestInit): Promise<Answer> {
  const response = await send(path, init);
  if (!response.ok) throw await toError(response);
  // The server's answers have the types that both sides share.
  return (await response.json()) as Answer;
}

function send(path: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('x-waymark-page', localStorage.getItem(TOKEN) ?? '');
  return fetch(API + path, { ...init, headers, credentials: 'same-origin' }).catch((thrown: unknown) => {
    if (thrown instanceof DOMException && thrown.name === 'AbortError') throw thrown;
    throw new PageError('gone', 'The server does not answer.', 'Start it again: waymark ui');
  });
}

async function toError(response: Response): Promise<PageError> {
  const failure: unknown = await response.json().catch(() => undefined);
  if (typeof failure === 'object' && failure !== null && 'error' in failure) {
    // The form of every failure of the API.
    const { error } = failure as ApiFailure;
    return new PageError(String(error.code), error.message, error.hint ?? null);
  }
  return new PageError('unknown', `The server answered ${response.status}.`, null);
}

/** Server-sent events, over fetch: an EventSource cannot send the token. Tells whether it is connected; comes back by itself. */
export function follow<Event>(
  path: string,
  onEvent: (event: Event) => void,
  onState: (isOpen: boolean) => void,
): () => void {
  const ending = new AbortController();
  void (async () => {
    while (!ending.signal.aborted) {
      try {
        const response = await send(path, { method: 'GET', signal: ending.signal });
        if (response.ok && response.body !== null) {
          onState(true);
          await readEvents(response.body, onEvent);
        }
      } catch {
        // Comes back below.
      }
      if (ending.signal.aborted) return;
      onState(false);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  })();
  return () => ending.abort();
}

async function readEvents<Event>(
  body: ReadableStream<Uint8Array>,
  onEvent: (event: Event) => void,
): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    rest += decoder.decode(part.value, { stream: true });
    const blocks = rest.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks)
      // What the stream sends has the type that both sides share.
      if (block.startsWith('data: ')) onEvent(JSON.parse(block.slice('data: '.length)) as Event);
  }
}
