/** The model's place: an HTTP server on loopback that speaks the APIs of models, and keeps what it was sent. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { planReply, type Conversation } from '../conversation.ts';
import { ANTHROPIC_MESSAGES } from './anthropic-messages.ts';
import { GEMINI_GENERATE } from './gemini-generate.ts';
import { OPENAI_CHAT } from './openai-chat.ts';
import { OPENAI_RESPONSES } from './openai-responses.ts';
import { objectOf, type Asked, type WireAnswer } from './turn.ts';

export const WIRE_FORMS = [ANTHROPIC_MESSAGES, OPENAI_RESPONSES, OPENAI_CHAT, GEMINI_GENERATE] as const;

export interface Recorded {
  readonly path: string;
  readonly asked: Asked;
  readonly text: string;
}

export interface StandIn {
  readonly url: string;
  /** From now on this is what it wants, and what it is sent is recorded anew. */
  begin(conversation: Conversation, holds?: Holds): readonly Recorded[];
  close(): Promise<void>;
}

/** A request that stays without an answer, so that the agent can be ended in the middle. */
export interface Holds {
  readonly at: (recorded: Recorded) => boolean;
  readonly onHeld: () => void;
}

const SILENT: Conversation = { folder: '/', steps: [] };

export async function openStandIn(): Promise<StandIn> {
  let conversation = SILENT;
  let recorded: Recorded[] = [];
  let held: Holds | undefined;
  const answer = (path: string, text: string): WireAnswer | undefined => {
    const form = WIRE_FORMS.find(({ takes }) => takes(path));
    if (form === undefined) return { type: 'application/json', body: otherAnswer(path) };
    const asked = form.read(objectOf(JSON.parse(text)), path);
    const one = { path, asked, text };
    recorded.push(one);
    if (held?.at(one) === true) {
      held.onHeld();
      return undefined;
    }
    // Titles and summaries are asked for without tools; they are no part of the conversation.
    const reply =
      asked.tools.length === 0
        ? ({ kind: 'text', text: 'A short title' } as const)
        : planReply(conversation, asked, text);
    return form.write(reply, asked);
  };
  const server = createServer((request, response) => {
    void readBody(request).then((text) => {
      const found = answer(new URL(request.url ?? '/', 'http://local').pathname, text);
      if (found !== undefined) response.writeHead(200, { 'content-type': found.type }).end(found.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // An address of a listening TCP server is an object.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    begin(next, holds) {
      conversation = next;
      held = holds;
      recorded = [];
      return recorded;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Lists of models, and counts of tokens: enough that an agent goes on. */
function otherAnswer(path: string): string {
  if (path.endsWith('/models'))
    return JSON.stringify({ object: 'list', data: [{ id: 'stand-in', object: 'model' }] });
  return JSON.stringify({ input_tokens: 10, totalTokens: 10 });
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  // The stream gives buffers as long as no encoding is set.
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}
