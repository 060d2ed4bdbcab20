/** A client of HTTP+SSE, by hand. */
import { openStream, send, type RawStream } from './raw-http.ts';
import { initialize } from './rpc.ts';

export interface SseClient {
  readonly stream: RawStream;
  /** Where its messages go. */
  readonly path: string;
}

/** Opens the stream and, if a version is given, shakes hands. */
export async function openSse(port: number, version?: string): Promise<SseClient> {
  const headers = { accept: 'text/event-stream' };
  const stream = await openStream(port, { method: 'GET', path: '/sse', headers });
  const path = (await stream.next())?.split('data: ')[1] ?? '';
  if (version === undefined) return { stream, path };
  await send(port, { ...initialize(version), path });
  await stream.nextMessage();
  return { stream, path };
}
