/** Chat Completions as OpenAI has it, and as most other services copy it. */
import { contentText, eventStream, objectOf, objectsOf, textOf } from './turn.ts';
import type { JsonObject, Reply, WireForm } from './turn.ts';

const USAGE = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };

export const OPENAI_CHAT: WireForm = {
  takes: (path) => path.endsWith('/chat/completions'),
  read: (body) => ({
    tools: objectsOf(body['tools']).map((tool) => ({ name: textOf(objectOf(tool['function'])['name']) })),
    results: objectsOf(body['messages'])
      .filter((message) => message['role'] === 'tool')
      .map((message) => ({ id: textOf(message['tool_call_id']), text: contentText(message['content']) })),
    isStreamed: body['stream'] === true,
  }),
  write(reply, asked) {
    const shared = { id: 'chatcmpl-local', created: 1_700_000_000, model: 'stand-in' };
    const end = reply.kind === 'call' ? 'tool_calls' : 'stop';
    if (!asked.isStreamed) {
      const choice = { index: 0, message: messageOf(reply), finish_reason: end };
      const body = { ...shared, object: 'chat.completion', choices: [choice], usage: USAGE };
      return { type: 'application/json', body: JSON.stringify(body) };
    }
    const chunk = (delta: JsonObject, finish: string | null): JsonObject => ({
      ...shared,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
    const events = [
      chunk(messageOf(reply), null),
      chunk({}, end),
      { ...shared, object: 'chat.completion.chunk', choices: [], usage: USAGE },
    ];
    return { type: 'text/event-stream', body: `${eventStream(events, 'plain')}data: [DONE]\n\n` };
  },
};

function messageOf(reply: Reply): JsonObject {
  if (reply.kind === 'text') return { role: 'assistant', content: reply.text };
  const call = { name: reply.tool.name, arguments: JSON.stringify(reply.args) };
  return {
    role: 'assistant',
    content: null,
    tool_calls: [{ index: 0, id: reply.id, type: 'function', function: call }],
  };
}
