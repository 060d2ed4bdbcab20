/** The text of server-sent events, and the comments that keep an idle stream alive. */
import type { Headers, StreamSink } from './exchange.ts';

export const EVENT_STREAM_HEADERS: Headers = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
};

export function renderEvent(data: string, id?: string): string {
  return id === undefined
    ? `event: message\ndata: ${data}\n\n`
    : `event: message\nid: ${id}\ndata: ${data}\n\n`;
}

/** An empty event that only gives the client an id to come back with. */
export function renderPrimingEvent(id: string, retryMs: number): string {
  return `id: ${id}\nretry: ${retryMs}\ndata: \n\n`;
}

/** Writes a comment now and then until it is told to stop: proxies cut streams that stay silent. */
export function keepAlive(sink: StreamSink, everyMs: number): () => void {
  const timer = setInterval(() => sink.write(': keep-alive\n\n'), everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
