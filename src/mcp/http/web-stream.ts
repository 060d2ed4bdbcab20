/** From the SDK's web streams to our sinks. */
import type { StreamSink } from './reply.ts';

/** Copies a stream of events to a sink; returns what to do when the client goes away. */
export function pumpEvents(body: ReadableStream<Uint8Array>, sink: StreamSink): () => void {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const pump = async (): Promise<void> => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      sink.write(decoder.decode(value, { stream: true }));
    }
  };
  pump().then(
    () => sink.end(),
    () => sink.end(),
  );
  return () => void reader.cancel().catch(() => {});
}

/** The last message of a stream, if there was any: for a client that accepts JSON only and has no use for what came before. */
export async function readLastMessage(body: ReadableStream<Uint8Array>): Promise<string | undefined> {
  const text = await new Response(body).text();
  const last = text.split('\n').findLast((line) => line.startsWith('data: '));
  return last?.slice('data: '.length);
}
