/** A service on this machine that makes vectors, as OpenAI's and Ollama's do: real HTTP, and a model that tests can foresee. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface EmbeddingRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly model: string;
  readonly texts: readonly string[];
  readonly body: Readonly<Record<string, unknown>>;
}

/** What becomes of one request instead of an answer. */
export type Fault =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  | 'silence'
  | 'hang up';

export interface EmbeddingServer {
  readonly url: string;
  readonly requests: readonly EmbeddingRequest[];
  /** All texts that were sent, of every request that was understood. */
  texts(): readonly string[];
  /** The next requests, one after the other; then all is well again. */
  fail(...faults: readonly Fault[]): void;
  /** Every request, as long as it gives a fault. */
  judge: (request: EmbeddingRequest) => Fault | undefined;
  vectorOf: (text: string, model: string) => readonly number[];
  stop(): Promise<void>;
  /** At the same address. */
  start(): Promise<void>;
}

export interface ServerOptions {
  readonly vectorOf?: EmbeddingServer['vectorOf'];
}

export async function embeddingServer({
  vectorOf = bagOfLetters,
}: ServerOptions = {}): Promise<EmbeddingServer> {
  const requests: EmbeddingRequest[] = [];
  const faults: Fault[] = [];
  let port = 0;
  const server = createServer((incoming, response) => {
    const parts: Buffer[] = [];
    incoming.on('data', (part: Buffer) => parts.push(part));
    incoming.on('end', () => {
      const body: Record<string, unknown> = JSON.parse(Buffer.concat(parts).toString('utf8'));
      const request: EmbeddingRequest = {
        path: incoming.url ?? '',
        headers: incoming.headers,
        model: String(body['model']),
        texts: Array.isArray(body['input']) ? body['input'].map(String) : [],
        body,
      };
      requests.push(request);
      answer(request, faults.shift() ?? made.judge(request), response);
    });
  });

  function answer(request: EmbeddingRequest, fault: Fault | undefined, response: ServerResponse): void {
    if (fault === 'silence') return;
    if (fault === 'hang up') return void response.destroy();
    if (fault !== undefined) {
      response.writeHead(fault.status, fault.headers);
      return void response.end(fault.body ?? '{"error":{"message":"no"}}');
    }
    const vectors = request.texts.map((text) => made.vectorOf(text, request.model));
    response.writeHead(200, { 'content-type': 'application/json' });
    switch (request.path) {
      case '/v1/embeddings':
        // Any order is allowed: each says where it belongs.
        return void response.end(
          JSON.stringify({ data: vectors.map((embedding, index) => ({ index, embedding })).toReversed() }),
        );
      case '/api/embed':
        return void response.end(JSON.stringify({ model: request.model, embeddings: vectors }));
      default:
        response.end('{}');
    }
  }

  const listen = (): Promise<void> =>
    new Promise((resolve) => {
      server.listen(port, '127.0.0.1', () => {
        // Listening on a port, so that it has an address of this kind.
        ({ port } = server.address() as AddressInfo);
        resolve();
      });
    });
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  const made: EmbeddingServer = {
    get url() {
      return `http://127.0.0.1:${port}`;
    },
    requests,
    texts: () => requests.flatMap(({ texts }) => texts),
    fail: (...more) => void faults.push(...more),
    judge: () => undefined,
    vectorOf,
    stop,
    start: listen,
  };
  await listen();
  onTestFinished(stop);
  return made;
}

const LETTERS = 26;

/** How often each letter occurs: what shares letters is near. */
export function bagOfLetters(text: string): readonly number[] {
  const counts = Array.from({ length: LETTERS }, () => 0);
  for (const letter of text.toLowerCase()) {
    const at = letter.charCodeAt(0) - 97;
    if (at >= 0 && at < LETTERS) counts[at] = (counts[at] ?? 0) + 1;
  }
  return counts;
}
