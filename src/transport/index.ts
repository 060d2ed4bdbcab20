/** What an exchange is: a request and its reply, shared by the edges and by the listener, which knows no protocol. */
export { refuseScopes, renderChallenge, type Challenge } from './challenge.ts';
export { createCrashReporter, isCrashReport, type CrashReporter } from './crash.ts';
export { EVENT_STREAM_HEADERS, keepAlive, renderEvent, renderPrimingEvent } from './event-stream.ts';
export {
  emptyReply,
  errorReply,
  exchangeOf,
  hasJsonBody,
  invalidRequest,
  jsonReply,
  methodNotAllowed,
  readQueryValue,
  refuseContent,
  RPC,
  stopping,
  toRequestFacade,
  UNKNOWN_ID,
  type AccessNote,
  type Admission,
  type Body,
  type RawBody,
  type Edge,
  type Exchange,
  type Headers,
  type QueryValue,
  type Reply,
  type RequestFacade,
  type RequestId,
  type StreamSink,
  type UrlChoices,
} from './exchange.ts';
