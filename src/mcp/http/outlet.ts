/**
 * A stream of events that outlives its connections. What is written before the first connection waits for it; what is
 * written between two connections is kept by the log only, for the client to ask for by Last-Event-ID.
 */
import type { EventLog } from './event-log.ts';
import { keepAlive, renderEvent, renderPrimingEvent } from './event-stream.ts';
import type { StreamSink } from './reply.ts';

export interface OutletOptions {
  /** Its number in the log; a log-less outlet cannot be resumed. */
  readonly stream: number;
  readonly log: EventLog | undefined;
  readonly keepAliveMs: number;
}

export interface Outlet {
  readonly stream: number;
  /** Gives the client an id to come back with before there is anything to say. */
  prime(retryMs: number): void;
  write(data: string): void;
  /** Connects, first sending what waits; returns what to do when the client goes away. */
  attach(sink: StreamSink): () => void;
  /** Ends the connection, not the stream: the client is expected back. */
  suspend(): void;
  /** Ends the stream. */
  close(): void;
}

export function createOutlet({ stream, log, keepAliveMs }: OutletOptions): Outlet {
  const waiting: string[] = [];
  let connection: { readonly sink: StreamSink; readonly stop: () => void } | undefined;
  let everConnected = false;
  let endNext = false;
  let closed = false;

  const send = (text: string): void => {
    if (connection !== undefined) connection.sink.write(text);
    else if (!everConnected) waiting.push(text);
  };
  const disconnect = (): StreamSink | undefined => {
    const sink = connection?.sink;
    connection?.stop();
    connection = undefined;
    return sink;
  };

  return {
    stream,
    prime(retryMs) {
      if (log !== undefined) send(renderPrimingEvent(log.append(stream, ''), retryMs));
    },
    write(data) {
      if (!closed) send(renderEvent(data, log?.append(stream, data)));
    },
    attach(sink) {
      disconnect()?.end();
      everConnected = true;
      for (const text of waiting.splice(0)) sink.write(text);
      if (closed || endNext) {
        endNext = false;
        sink.end();
        return () => {};
      }
      const mine = { sink, stop: keepAlive(sink, keepAliveMs) };
      connection = mine;
      return () => {
        mine.stop();
        if (connection === mine) connection = undefined;
      };
    },
    suspend() {
      if (!everConnected) endNext = true;
      disconnect()?.end();
    },
    close() {
      closed = true;
      disconnect()?.end();
    },
  };
}
