/** The SDK's transport interface over Streamable HTTP as legacy clients speak it: one per session, or one per request. */
import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  type MessageExtraInfo,
  type Transport,
} from '@modelcontextprotocol/server';
import { isWireMessage } from './classify.ts';
import { createEventLog, type EventLog } from './event-log.ts';
import { renderEvent } from './event-stream.ts';
import type { RequestFacade } from './exchange.ts';
import { createAskedMethods } from '../unknown-method.ts';
import { createLegacyPost, type LegacyPost, type StreamTimes } from './legacy-post.ts';
import { notJsonRpc } from './not-json-rpc.ts';
import { createOutlet, type Outlet } from './outlet.ts';
import {
  emptyReply,
  EVENT_STREAM_HEADERS,
  invalidRequest,
  RPC,
  type Headers,
  type Reply,
  type RequestId,
} from './reply.ts';

export interface LegacyTransportOptions {
  /** Undefined for a transport that serves one request and is gone. */
  readonly sessionId: string | undefined;
  readonly times: StreamTimes;
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
  /** Whether anybody listens or waits for an answer. */
  isBusy(): boolean;
  post(message: PostMessages): Promise<Reply>;
  /** The stream a client listens on between its requests, or the rest of one it lost. */
  listen(lastEventId: string | undefined): Reply;
}

const STANDALONE = 0;
const KNOWS_EMPTY_EVENTS = '2025-11-25';

export function createLegacyTransport({ sessionId, times }: LegacyTransportOptions): LegacyTransport {
  const log: EventLog | undefined = sessionId === undefined ? undefined : createEventLog();
  const posts = new Map<RequestId, LegacyPost>();
  const asked = createAskedMethods();
  /** A client may listen on several streams; a message goes out on the newest one only. */
  const listening = new Set<Outlet>();
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
  /** The SDK never answers a cancelled request, so nobody must go on waiting for it. */
  const heedCancellation = (message: JSONRPCMessage): void => {
    if (!('method' in message) || message.method !== 'notifications/cancelled') return;
    const id = message.params?.['requestId'];
    if (typeof id === 'string' || typeof id === 'number') forget(id)?.drop(id);
  };

  const passOn = (message: JSONRPCMessage, extra: MessageExtraInfo): void => {
    asked.hear(message);
    transport.onmessage?.(message, extra);
    heedCancellation(message);
  };

  const transport: LegacyTransport = {
    ...(sessionId === undefined ? {} : { sessionId }),
    // Methods, not getters: objects with getters of their own were seen to live until a full collection (http/exchange.ts).
    agreedVersion: () => protocolVersion,
    isBusy: () => posts.size > 0 || listening.size > 0,
    async start() {},
    setProtocolVersion(version) {
      protocolVersion = version;
    },
    async post({ messages, batch, mode, version, request }) {
      const requests = messages.filter(isJSONRPCRequest);
      // The SDK drops in silence what it does not take for a message; its sender must not wait for an answer.
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
        stream: ++lastStream,
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
          const waiting = [...posts.values()].find((post) => post.outlet.stream === missed?.stream);
          for (const event of missed?.events ?? []) {
            if (event.data !== '') sink.write(renderEvent(event.data, event.id));
          }
          // Either the session is over, or the answer was among what the client missed: nothing will follow.
          if (closed || (missed !== undefined && missed.stream !== STANDALONE && waiting === undefined)) {
            sink.end();
            return () => {};
          }
          const outlet =
            waiting?.outlet ?? createOutlet({ stream: STANDALONE, log, keepAliveMs: times.keepAliveMs });
          const detach = outlet.attach(sink);
          if (waiting === undefined) listening.add(outlet);
          return () => {
            detach();
            listening.delete(outlet);
          };
        },
      };
    },
    async send(message, options) {
      // What the SDK sends is well-formed; its guards would parse every answer once more.
      if ('result' in message || 'error' in message) {
        const { id } = message;
        if (id === undefined) return;
        const answer = asked.say(message);
        forget(id)?.answer(answer, id);
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
      for (const outlet of listening) outlet.close();
      listening.clear();
      transport.onclose?.();
    },
  };
  return transport;
}
