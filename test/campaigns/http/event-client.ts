/** A client of the HTTP+SSE transport: one stream down, one POST per message up. */
import { Agent, get, request, type ClientRequest } from 'node:http';
import { isMessage, type Json, type Message } from './messages.ts';

export interface EventClient {
  /** Resolves with the answer that came down the stream. */
  call(message: Message): Promise<Message>;
  readonly isOpen: boolean;
  close(): void;
}

export async function openEventClient(
  port: number,
  path: '/sse' | '/mcp',
  agent: Agent,
): Promise<EventClient> {
  const waiting = new Map<Json, (answer: Message) => void>();
  let isOpen = true;
  let stream: ClientRequest | undefined;
  const endpoint = await new Promise<string>((resolve, reject) => {
    let unread = '';
    const onEvent = (event: string): void => {
      const payload = /^data: (.*)$/m.exec(event)?.[1];
      if (payload === undefined) return;
      if (event.startsWith('event: endpoint')) return resolve(payload);
      const answer: Json = JSON.parse(payload);
      if (isMessage(answer)) take(waiting, answer['id'] ?? null)?.(answer);
    };
    stream = get({ port, path, host: '127.0.0.1', headers: { accept: 'text/event-stream' }, agent: false });
    stream.once('error', reject).once('response', (response) => {
      if (response.statusCode !== 200) reject(new Error(`The stream answered ${response.statusCode ?? 0}.`));
      response.setEncoding('utf8').on('data', (text: string) => {
        unread += text;
        const events = unread.split('\n\n');
        unread = events.pop() ?? '';
        for (const event of events) onEvent(event);
      });
      response.once('close', () => (isOpen = false)).on('error', () => {});
    });
  });
  stream?.on('error', () => {});
  return {
    get isOpen() {
      return isOpen;
    },
    async call(message) {
      const answer = new Promise<Message>((resolve) => waiting.set(message['id'] ?? null, resolve));
      const status = await send({ port, path: endpoint, agent }, message);
      if (status !== 202) throw new Error(`The message was answered with ${status}.`);
      return answer;
    },
    close: () => void stream?.destroy(),
  };
}

function take(
  waiting: Map<Json, (answer: Message) => void>,
  id: Json,
): ((answer: Message) => void) | undefined {
  const found = waiting.get(id);
  waiting.delete(id);
  return found;
}

function send(
  { port, path, agent }: { readonly port: number; readonly path: string; readonly agent: Agent },
  message: Message,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    request({ port, path, host: '127.0.0.1', method: 'POST', headers, agent }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    })
      .once('error', reject)
      .end(JSON.stringify(message));
  });
}
