/** A tools/call whose params are no object is still a tools/call: it gets the answer of one whose params do not fit. */
import { isRecord, readableId } from './classify.ts';

/** The same body; params of a tools/call that are null, text or a list become the empty ones they amount to. */
export function withParams(body: unknown): unknown {
  if (Array.isArray(body)) return body.some(lacksParams) ? body.map(fill) : body;
  return fill(body);
}

function fill(message: unknown): unknown {
  return lacksParams(message) ? { ...message, params: {} } : message;
}

function lacksParams(message: unknown): message is Record<string, unknown> {
  return (
    isRecord(message) &&
    message['method'] === 'tools/call' &&
    readableId(message) !== undefined &&
    'params' in message &&
    !isRecord(message['params'])
  );
}
