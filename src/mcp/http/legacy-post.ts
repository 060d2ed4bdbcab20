/**
 * One POST of a legacy client and the answer it waits for. It starts undecided: a quick answer goes out as plain JSON;
 * anything that has to be said before the answer, or an answer that takes long, turns it into a stream of events.
 */
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import type { EventLog } from './event-log.ts';
import { createOutlet, type Outlet } from './outlet.ts';
import {
  emptyReply,
  EVENT_STREAM_HEADERS,
  jsonReply,
  RPC,
  type Headers,
  type Reply,
  type RequestId,
} from './reply.ts';

export interface StreamTimes {
  /** An answer that takes longer than this is streamed, so that keep-alives can hold the connection. */
  readonly streamAfterMs: number;
  readonly keepAliveMs: number;
  /** How soon a client should come back to a stream that was closed on it. */
  readonly retryMs: number;
}

export interface LegacyPostOptions {
  readonly stream: number;
  readonly ids: readonly RequestId[];
  readonly batch: boolean;
  /** `auto` decides as it goes; the others are for clients that accept one type only. */
  readonly mode: 'auto' | 'json' | 'sse';
  /** Whether the client's revision knows events without data. */
  readonly primed: boolean;
  readonly log: EventLog | undefined;
  readonly times: StreamTimes;
  /** Whether the head waits for the answer: a session has its id and its revision only when the handshake is done. */
  readonly handshake: boolean;
  /** Read when the head is written. */
  readonly headers: () => Headers;
}

export interface LegacyPost {
  readonly outlet: Outlet;
  readonly reply: Promise<Reply>;
  /** The answer to one of its requests. */
  answer(message: JSONRPCMessage, id: RequestId): void;
  /** The client wants no answer to this request any more. */
  drop(id: RequestId): void;
  /** Something that has to be said before the answer; false if this client cannot hear it here. */
  say(message: JSONRPCMessage): boolean;
  /** Ends the connection but not the work: the client comes back for the rest. */
  suspend(): void;
  /** Gives up on what is unanswered. */
  end(): void;
}

export function createLegacyPost(options: LegacyPostOptions): LegacyPost {
  const { mode, log, times } = options;
  const waiting = new Set(options.ids);
  const answers: JSONRPCMessage[] = [];
  const outlet = createOutlet({ stream: options.stream, log, keepAliveMs: times.keepAliveMs });
  let streaming = false;
  let settle = (_reply: Reply): void => {};
  const reply = new Promise<Reply>((resolve) => (settle = resolve));
  /** Whether the answer goes out as a stream as soon as the head may be written. */
  let wanted = mode === 'sse';
  let held = options.handshake;
  const timer = mode === 'auto' ? setTimeout(stream, times.streamAfterMs).unref() : undefined;
  if (wanted) stream();

  function stream(): void {
    wanted = true;
    if (streaming || held) return;
    streaming = true;
    clearTimeout(timer);
    if (options.primed) outlet.prime(times.retryMs);
    for (const message of answers.splice(0)) outlet.write(JSON.stringify(message));
    const headers = { ...EVENT_STREAM_HEADERS, ...options.headers() };
    settle({ kind: 'stream', status: 200, headers, start: (sink) => outlet.attach(sink) });
  }

  function finish(): void {
    clearTimeout(timer);
    held = false;
    if (wanted) stream();
    if (streaming) outlet.close();
    else if (answers.length === 0) settle(emptyReply(202, options.headers()));
    else
      settle(
        jsonReply(statusOf(answers, options.batch), options.batch ? answers : answers[0], options.headers()),
      );
  }

  function drop(id: RequestId): void {
    waiting.delete(id);
    if (waiting.size === 0) finish();
  }

  return {
    outlet,
    reply,
    answer(message, id) {
      if (streaming) outlet.write(JSON.stringify(message));
      else answers.push(message);
      drop(id);
    },
    drop,
    say(message) {
      if (mode === 'json') return false;
      stream();
      outlet.write(JSON.stringify(message));
      return true;
    },
    suspend() {
      if (mode === 'json' || log === undefined) return;
      stream();
      outlet.suspend();
    },
    end() {
      // Whoever still waits must hear that nothing will come: an empty answer would leave the client waiting.
      for (const id of waiting) {
        const message = 'The session ended before this request was answered';
        const answer = { jsonrpc: '2.0' as const, id, error: { code: RPC.invalidRequest, message } };
        if (streaming) outlet.write(JSON.stringify(answer));
        else answers.push(answer);
      }
      finish();
    },
  };
}

/** A crash of ours is a 500; every other error is an answer to the question and goes out as 200. */
function statusOf(answers: readonly JSONRPCMessage[], batch: boolean): number {
  const [only] = answers;
  if (batch || only === undefined || !('error' in only)) return 200;
  return only.error.code === RPC.internalError ? 500 : 200;
}
