/** A stream of events that outlives its connections: a client that lost it resumes with Last-Event-ID. */
import type { Clock } from '../../core/index.ts';
import { keepAlive, renderEvent, renderPrimingEvent, type StreamSink } from '../../transport/index.ts';

export interface EventLog {
  /** Keeps an event of a stream and returns its id. */
  append(stream: number, data: string): string;
  /** The stream an id belongs to and the events that came after it; undefined if the id is not one of ours. */
  after(id: string): { readonly stream: number; readonly events: readonly LoggedEvent[] } | undefined;
  /** Forgets everything. */
  close(): void;
}

export interface LoggedEvent {
  readonly id: string;
  readonly data: string;
}

const MAX_EVENTS = 256;
const MAX_CHARS = 256 * 1024;
/** Of all sessions together: two thousand full logs would be half a gigabyte. */
const MAX_CHARS_OF_ALL = 16 * 1024 * 1024;
/** A client that lost its stream is back within seconds, or has given up: what every answer leaves behind must not stay for hours. */
const KEPT_MS = 5 * 60_000;
const SWEEP_EVERY_MS = 15_000;

interface KeptEvent {
  readonly stream: number;
  readonly order: number;
  readonly data: string;
  readonly at: number;
}

export interface EventLogsOptions {
  readonly clock: Pick<Clock, 'elapsed'>;
  readonly maxChars?: number;
}

export interface EventLogs {
  /** What all of them keep. */
  readonly chars: number;
  open(): EventLog;
}

interface KeptLog {
  evict(): void;
  /** Evicts what came before. */
  expire(before: number): void;
}

/** The last events of each session: bounded logs, the oldest events evicted first, of the session that was quiet longest. */
export function createEventLogs({ clock, maxChars = MAX_CHARS_OF_ALL }: EventLogsOptions): EventLogs {
  /** Those that hold something, least recently written first. */
  const logs = new Set<KeptLog>();
  let total = 0;
  let timer: NodeJS.Timeout | undefined;

  /** Sweeps for as long as there is something to sweep. */
  function sweepLater(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      for (const log of logs) log.expire(clock.elapsed() - KEPT_MS);
      if (logs.size > 0) sweepLater();
    }, SWEEP_EVERY_MS).unref();
  }

  function open(): EventLog {
    const kept: KeptEvent[] = [];
    let chars = 0;
    let last = 0;
    const count = (change: number): void => {
      chars += change;
      total += change;
    };
    const own: KeptLog = {
      evict() {
        count(-(kept.shift()?.data.length ?? 0));
        if (kept.length === 0) logs.delete(own);
      },
      expire(before) {
        while ((kept[0]?.at ?? before) < before) own.evict();
      },
    };
    return {
      append(stream, data) {
        last += 1;
        kept.push({ stream, order: last, data, at: clock.elapsed() });
        count(data.length);
        while (kept.length > MAX_EVENTS || (chars > MAX_CHARS && kept.length > 1)) own.evict();
        logs.delete(own);
        logs.add(own);
        for (const quietest of logs) {
          while (total > maxChars && logs.has(quietest)) quietest.evict();
          if (total <= maxChars) break;
        }
        sweepLater();
        return toId(stream, last);
      },
      after(id) {
        const match = /^(\d{1,9})-(\d{1,15})$/.exec(id);
        if (match === null) return undefined;
        const stream = Number(match[1]);
        const order = Number(match[2]);
        if (order > last) return undefined;
        const events = kept.filter((event) => event.stream === stream && event.order > order);
        return {
          stream,
          events: events.map((event) => ({ id: toId(stream, event.order), data: event.data })),
        };
      },
      close() {
        while (kept.length > 0) own.evict();
      },
    };
  }

  return {
    get chars() {
      return total;
    },
    open,
  };
}

function toId(stream: number, order: number): string {
  return `${stream}-${order}`;
}

export interface ResumableStreamOptions {
  /** Its number in the log. */
  readonly number: number;
  /** Without a log it cannot be resumed. */
  readonly log: EventLog | undefined;
  readonly keepAliveMs: number;
}

export interface ResumableStream {
  readonly number: number;
  /** Gives the client an id to come back with before there is an event. */
  prime(retryMs: number): void;
  write(data: string): void;
  /** Connects, first sending what waits; returns what to do when the client goes away. */
  attach(sink: StreamSink): () => void;
  /** Ends the connection, not the stream: the client is expected back. */
  suspend(): void;
  /** Ends the stream. */
  close(): void;
}

/** Events before the first connection wait for it; those between two connections are kept by the log only. */
export function createResumableStream({ number, log, keepAliveMs }: ResumableStreamOptions): ResumableStream {
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
    number,
    prime(retryMs) {
      if (log !== undefined) send(renderPrimingEvent(log.append(number, ''), retryMs));
    },
    write(data) {
      if (!closed) send(renderEvent(data, log?.append(number, data)));
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
