/** An answer that takes long becomes a stream of events, so that keep-alives can hold its connection. */
import { keepAlive, renderEvent } from './event-stream.ts';
import { EVENT_STREAM_HEADERS, type Reply, type StreamSink } from './reply.ts';

export interface LongAnswerTimes {
  readonly streamAfterMs: number;
  readonly keepAliveMs: number;
}

/** For clients that accept both types. A failure after the head is out can only be told as an event. */
export async function streamIfLong(
  answer: Promise<Reply>,
  { streamAfterMs, keepAliveMs }: LongAnswerTimes,
): Promise<Reply> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), streamAfterMs).unref();
  });
  const reply = await Promise.race([answer, late]).finally(() => clearTimeout(timer));
  if (reply !== undefined) return reply;
  return {
    kind: 'stream',
    status: 200,
    headers: EVENT_STREAM_HEADERS,
    start: (sink) => carry(answer, sink, keepAliveMs),
  };
}

function carry(answer: Promise<Reply>, sink: StreamSink, keepAliveMs: number): () => void {
  const stop = keepAlive(sink, keepAliveMs);
  let leave = stop;
  answer.then(
    (reply) => {
      stop();
      if (reply.kind === 'stream') {
        leave = reply.start(sink);
        return;
      }
      if (reply.body !== undefined) sink.write(renderEvent(reply.body));
      sink.end();
    },
    () => {
      stop();
      sink.end();
    },
  );
  return () => leave();
}
