/** The engine's side of the wire: runs what is asked, and says how it went. */
import type { Engine } from './port.ts';
import { toFailure, type FromEngine, type ToEngine } from './messages.ts';

export interface EnginePort {
  onMessage(listener: (message: ToEngine) => void): void;
  send(message: FromEngine): void;
}

/** Resolves when the front has asked for the end and everything is closed. */
export function serveEngine(engine: Engine, port: EnginePort): Promise<void> {
  const running = new Map<number, AbortController>();

  const run = async ({ id, method, request, client }: Extract<ToEngine, { kind: 'call' }>): Promise<void> => {
    const cancel = new AbortController();
    running.set(id, cancel);
    try {
      // The front calls by the same interface: the request is the one that this method takes.
      const answer = engine[method] as (request: unknown, call: object) => Promise<unknown>;
      const value = await answer(request, {
        signal: cancel.signal,
        client,
        onProgress: (progress: never) => port.send({ kind: 'progress', id, progress }),
      });
      port.send({ kind: 'answer', id, value });
    } catch (thrown) {
      port.send({ kind: 'failure', id, failure: toFailure(thrown) });
    } finally {
      running.delete(id);
    }
  };

  return new Promise((resolve, reject) => {
    port.onMessage((message) => {
      switch (message.kind) {
        case 'call':
          void run(message);
          return;
        case 'cancel':
          running.get(message.id)?.abort();
          return;
        case 'close':
          engine.close().then(() => {
            port.send({ kind: 'closed' });
            resolve();
          }, reject);
      }
    });
  });
}
