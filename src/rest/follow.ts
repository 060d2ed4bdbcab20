/** An operation as a stream of events, for as long as it runs. */
import type { Engine } from '../engine/index.ts';
import { EVENT_STREAM_HEADERS, keepAlive, type Reply, type StreamSink } from '../transport/index.ts';
import { toOperationValue } from '../tools/index.ts';

type Operations = Pick<Engine, 'operation' | 'followOperation'>;
type Operation = NonNullable<Awaited<ReturnType<Engine['operation']>>>;

const KEEP_ALIVE_MS = 15_000;

export interface Followers {
  /** `engine` runs the operation. */
  follow(engine: Operations, operation: Operation): Reply;
  /** Ends every stream; the operations go on. */
  close(): void;
}

export function createFollowers(): Followers {
  const open = new Set<() => void>();
  return {
    follow: (engine, operation) => ({
      kind: 'stream',
      status: 200,
      headers: EVENT_STREAM_HEADERS,
      start: (sink) => {
        const leave = tell(operation, { engine, sink, over: () => open.delete(end) });
        const end = (): void => {
          leave();
          sink.end();
        };
        open.add(end);
        return leave;
      },
    }),
    close() {
      for (const end of open) end();
    },
  };
}

interface Told {
  readonly engine: Operations;
  readonly sink: StreamSink;
  readonly over: () => void;
}

/** Returns what ends the telling. Says nothing twice: an event comes when the percentage is another. */
function tell(operation: Operation, { engine, sink, over }: Told): () => void {
  const { id } = operation;
  const left = new AbortController();
  let said: number | undefined;
  const write = (event: string, now: Operation | undefined): void => {
    if (!left.signal.aborted && now !== undefined)
      sink.write(`event: ${event}\ndata: ${JSON.stringify(toOperationValue(now))}\n\n`);
  };
  const quiet = keepAlive(sink, KEEP_ALIVE_MS);
  const leave = (): void => {
    if (left.signal.aborted) return;
    left.abort();
    quiet();
    over();
  };
  const tellProgress = async (): Promise<void> => {
    const now = await engine.operation({ id });
    if (now?.state !== 'running' || now.percent === said) return;
    said = now.percent;
    write('progress', now);
  };
  // Progress that cannot be told is left out: the end is told below.
  const onProgress = (): void => void tellProgress().catch(() => {});
  if (operation.state === 'running') write('progress', operation);
  engine.followOperation({ id }, { signal: left.signal, onProgress }).then(
    (ended) => {
      if (left.signal.aborted) return;
      write('end', ended);
      leave();
      sink.end();
    },
    // Left before its end, or the engine is gone: the stream ends either way.
    () => {
      if (left.signal.aborted) return;
      leave();
      sink.end();
    },
  );
  return leave;
}
