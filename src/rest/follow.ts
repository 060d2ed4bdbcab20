/** An operation as a stream of events, for as long as it runs. */
import { EVENT_STREAM_HEADERS, keepAlive, type Reply, type StreamSink } from '../mcp/index.ts';
import { toOperationValue, type ToolServices } from '../tools/index.ts';

type Job = NonNullable<ReturnType<ToolServices['indexing']['operation']>>;

const KEEP_ALIVE_MS = 15_000;

export interface Followers {
  follow(job: Job): Reply;
  /** Ends every stream; the operations go on. */
  close(): void;
}

export function createFollowers(): Followers {
  const open = new Set<() => void>();
  return {
    follow: (job) => ({
      kind: 'stream',
      status: 200,
      headers: EVENT_STREAM_HEADERS,
      start: (sink) => {
        const leave = tell(job, sink, () => open.delete(end));
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

/** Returns what ends the telling. Says nothing twice: an event comes when the percentage is another. */
function tell(job: Job, sink: StreamSink, over: () => void): () => void {
  let said: number | undefined;
  let left = false;
  const write = (event: string): void =>
    sink.write(`event: ${event}\ndata: ${JSON.stringify(toOperationValue(job))}\n\n`);
  const quiet = keepAlive(sink, KEEP_ALIVE_MS);
  const deaf = job.listen(() => {
    const percent = job.progress()?.percent;
    if (percent === said) return;
    said = percent;
    write('progress');
  });
  const leave = (): void => {
    if (left) return;
    left = true;
    quiet();
    deaf();
    over();
  };
  if (job.end() === undefined) write('progress');
  void job.ended.then(() => {
    if (left) return;
    write('end');
    leave();
    sink.end();
  });
  return leave;
}
