/** The SDK's transport over Streamable HTTP as legacy clients speak it: one per session, or one per request. */
import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  type MessageExtraInfo,
  type Transport,
} from '@modelcontextprotocol/server';
import {
  emptyReply,
  EVENT_STREAM_HEADERS,
  invalidRequest,
  jsonReply,
  renderEvent,
  RPC,
  type Headers,
  type Reply,
  type RequestFacade,
  type RequestId,
} from '../../transport/index.ts';
import { cancelledId } from '../error-answers.ts';
import { isWireMessage } from './messages.ts';
import { notJsonRpc } from './request-checks.ts';
import {
  createResumableStream,
  type EventLog,
  type EventLogs,
  type ResumableStream,
} from './resumable-stream.ts';

export interface LegacyTransportOptions {
  /** Undefined for a transport that serves one request and is gone. */
  readonly sessionId: string | undefined;
  readonly times: StreamTimes;
  readonly logs: EventLogs;
}

export interface PostMessages {
  readonly messages: readonly JSONRPCMessage[];
  readonly batch: boolean;
  readonly mode: 'auto' | 'json' | 'sse';
  /** The revision the client says it speaks on this request. */
  readonly version: string | undefined;
  readonly request: RequestFacade;
}

export interface LegacyTransport extends Transport {
  /** The revision that initialize settled on. */
  agreedVersion(): string | undefined;
  /** Whether a stream is open or a request waits for its answer. */
  isBusy(): boolean;
  post(message: PostMessages): Promise<Reply>;
  /** The stream a client listens on between its requests, or the rest of one it lost. */
  listen(lastEventId: string | undefined): Reply;
}

const STANDALONE = 0;
const KNOWS_EMPTY_EVENTS = '2025-11-25';

export function createLegacyTransport({ sessionId, times, logs }: LegacyTransportOptions): LegacyTransport {
  const log: EventLog | undefined = sessionId === undefined ? undefined : logs.open();
  const posts = new Map<RequestId, LegacyPost>();
  /** A client may listen on several streams; a message goes out on the newest one only. */
  const listening = new Set<ResumableStream>();
  let protocolVersion: string | undefined;
  let lastStream = STANDALONE;
  let closed = false;

  const headers = (): Headers => ({
    ...(sessionId === undefined || protocolVersion === undefined ? {} : { 'Mcp-Session-Id': sessionId }),
    ...(protocolVersion === undefined ? {} : { 'Mcp-Protocol-Version': protocolVersion }),
  });

  const forget = (id: RequestId): LegacyPost | undefined => {
    const post = posts.get(id);
    posts.delete(id);
    return post;
  };
  /** The SDK never answers a cancelled request, so its POST must not wait for an answer. */
  const heedCancellation = (message: JSONRPCMessage): void => {
    const id = cancelledId(message);
    if (id !== undefined) forget(id)?.drop(id);
  };

  const passOn = (message: JSONRPCMessage, extra: MessageExtraInfo): void => {
    transport.onmessage?.(message, extra);
    heedCancellation(message);
  };

  const transport: LegacyTransport = {
    ...(sessionId === undefined ? {} : { sessionId }),
    // Methods, not getters: objects with getters live until a full collection (http/node-exchange.ts).
    agreedVersion: () => protocolVersion,
    isBusy: () => posts.size > 0 || listening.size > 0,
    async start() {},
    setProtocolVersion(version) {
      protocolVersion = version;
    },
    async post({ messages, batch, mode, version, request }) {
      const requests = messages.filter(isJSONRPCRequest);
      // The SDK silently drops what it does not take for a message; its sender must not wait for an answer.
      if (requests.length < messages.length && !messages.every(isWireMessage)) {
        return notJsonRpc(RPC.invalidParams, batch ? messages : messages[0]);
      }
      const taken = requests.find(({ id }) => posts.has(id));
      if (taken !== undefined)
        return invalidRequest(
          400,
          'The request id is in use by a request that is not answered yet.',
          taken.id,
        );
      const ids = requests.map(({ id }) => id);
      const extra: MessageExtraInfo = {
        // The SDK reads url, method, headers and signal of a request, all of which the facade has.
        request: request as unknown as Request,
      };
      if (ids.length === 0) {
        for (const message of messages) passOn(message, extra);
        return emptyReply(202);
      }
      const primed = (version ?? protocolVersion ?? '') >= KNOWS_EMPTY_EVENTS;
      const handshake = requests.some(({ method }) => method === 'initialize');
      const post = createLegacyPost({
        number: ++lastStream,
        ids,
        batch,
        mode,
        primed,
        log,
        times,
        handshake,
        headers,
      });
      // The SDK heeds a cancellation a turn later: in one body it reaches a request that stands behind it as well.
      for (const { id } of requests) posts.set(id, post);
      const suspend = (): void => post.suspend();
      // Only a client that was given an id to come back with may be sent away.
      const perRequest = log === undefined || !primed ? extra : { ...extra, closeSSEStream: suspend };
      for (const message of messages) passOn(message, perRequest);
      return post.reply;
    },
    listen(lastEventId) {
      return {
        kind: 'stream',
        status: 200,
        headers: { ...EVENT_STREAM_HEADERS, ...headers() },
        start(sink) {
          // Looked up here and not before: an answer may come between the decision to stream and the stream.
          const missed = lastEventId === undefined ? undefined : log?.after(lastEventId);
          const waiting = [...posts.values()].find((post) => post.number === missed?.stream);
          for (const event of missed?.events ?? []) {
            if (event.data !== '') sink.write(renderEvent(event.data, event.id));
          }
          // Either the session is over, or the answer was among what the client missed: nothing will follow.
          if (closed || (missed !== undefined && missed.stream !== STANDALONE && waiting === undefined)) {
            sink.end();
            return () => {};
          }
          const stream =
            waiting?.stream() ??
            createResumableStream({ number: STANDALONE, log, keepAliveMs: times.keepAliveMs });
          const detach = stream.attach(sink);
          if (waiting === undefined) listening.add(stream);
          return () => {
            detach();
            listening.delete(stream);
          };
        },
      };
    },
    async send(message, options) {
      // What the SDK sends is well-formed; its guards would parse every answer once more.
      if ('result' in message || 'error' in message) {
        const { id } = message;
        if (id !== undefined) forget(id)?.answer(message, id);
        return;
      }
      const id = options?.relatedRequestId;
      if (id !== undefined && posts.get(id)?.say(message) === true) return;
      const data = JSON.stringify(message);
      const newest = [...listening].at(-1);
      if (newest === undefined) log?.append(STANDALONE, data);
      else newest.write(data);
    },
    async close() {
      if (closed) return;
      closed = true;
      for (const post of new Set(posts.values())) post.end();
      posts.clear();
      for (const stream of listening) stream.close();
      listening.clear();
      log?.close();
      transport.onclose?.();
    },
  };
  return transport;
}

export interface StreamTimes {
  /** An answer that takes longer than this is streamed, so that keep-alives can hold the connection. */
  readonly streamAfterMs: number;
  readonly keepAliveMs: number;
  /** How soon a client should come back to a stream that was closed on it. */
  readonly retryMs: number;
}

interface LegacyPostOptions {
  /** Of its stream. */
  readonly number: number;
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

interface LegacyPost {
  /** Of its stream. */
  readonly number: number;
  readonly stream: () => ResumableStream;
  readonly reply: Promise<Reply>;
  /** The answer to one of its requests. */
  answer(message: JSONRPCMessage, id: RequestId): void;
  /** The client wants no answer to this request any more. */
  drop(id: RequestId): void;
  /** A message before the answer; false if this client cannot receive one here. */
  say(message: JSONRPCMessage): boolean;
  /** Ends the connection but not the work: the client comes back for the rest. */
  suspend(): void;
  /** Gives up on what is unanswered. */
  end(): void;
}

/**
 * One POST and the answer it waits for. It starts undecided: a quick answer goes out as plain JSON; a message before the answer,
 * or an answer that takes long, turns it into a stream of events.
 */
function createLegacyPost(options: LegacyPostOptions): LegacyPost {
  const { mode, log, times } = options;
  const waiting = new Set(options.ids);
  const answers: JSONRPCMessage[] = [];
  let made: ResumableStream | undefined;
  // Made when first needed: most answers need none.
  const stream = (): ResumableStream =>
    (made ??= createResumableStream({ number: options.number, log, keepAliveMs: times.keepAliveMs }));
  let streaming = false;
  let settle = (_reply: Reply): void => {};
  const reply = new Promise<Reply>((resolve) => (settle = resolve));
  /** Whether the answer goes out as a stream as soon as the head may be written. */
  let wanted = mode === 'sse';
  let held = options.handshake;
  const timer = mode === 'auto' ? setTimeout(startStream, times.streamAfterMs).unref() : undefined;
  if (wanted) startStream();

  function startStream(): void {
    wanted = true;
    if (streaming || held) return;
    streaming = true;
    clearTimeout(timer);
    if (options.primed) stream().prime(times.retryMs);
    for (const message of answers.splice(0)) stream().write(JSON.stringify(message));
    const headers = { ...EVENT_STREAM_HEADERS, ...options.headers() };
    settle({ kind: 'stream', status: 200, headers, start: (sink) => stream().attach(sink) });
  }

  function finish(): void {
    clearTimeout(timer);
    held = false;
    if (wanted) startStream();
    if (streaming) stream().close();
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
    number: options.number,
    stream,
    reply,
    answer(message, id) {
      if (streaming) stream().write(JSON.stringify(message));
      else answers.push(message);
      drop(id);
    },
    drop,
    say(message) {
      if (mode === 'json') return false;
      startStream();
      stream().write(JSON.stringify(message));
      return true;
    },
    suspend() {
      if (mode === 'json' || log === undefined) return;
      startStream();
      stream().suspend();
    },
    end() {
      // An empty reply would leave the client waiting for its answers.
      for (const id of waiting) {
        const message = 'The session ended before this request was answered';
        const answer = { jsonrpc: '2.0' as const, id, error: { code: RPC.invalidRequest, message } };
        if (streaming) stream().write(JSON.stringify(answer));
        else answers.push(answer);
      }
      finish();
    },
  };
}

/** A crash is a 500; every other error is an answer to the request and goes out as 200. */
function statusOf(answers: readonly JSONRPCMessage[], batch: boolean): number {
  const [only] = answers;
  if (batch || only === undefined || !('error' in only)) return 200;
  return only.error.code === RPC.internalError ? 500 : 200;
}
