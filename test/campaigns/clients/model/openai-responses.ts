/** The Responses API of OpenAI. */
import { contentText, eventStream, objectsOf, textOf } from './turn.ts';
import type { DeclaredTool, JsonObject, Reply, WireForm } from './turn.ts';

const USAGE = {
  input_tokens: 10,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 10,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 20,
};

export const OPENAI_RESPONSES: WireForm = {
  takes: (path) => path.endsWith('/responses'),
  read: (body) => ({
    tools: objectsOf(body['tools']).flatMap(declared),
    results: objectsOf(body['input'])
      .filter((item) => textOf(item['type']).endsWith('_output'))
      .map((item) => ({
        id: textOf(item['call_id']),
        text: contentText(item['output'] ?? item['tools']),
      })),
    isStreamed: body['stream'] === true,
  }),
  write(reply, asked) {
    const item = itemOf(reply);
    const response = {
      id: 'resp_local',
      object: 'response',
      created_at: 1_700_000_000,
      model: 'stand-in',
      output: [item],
      usage: USAGE,
    };
    const done = { ...response, status: 'completed' };
    if (!asked.isStreamed) return { type: 'application/json', body: JSON.stringify(done) };
    const events: JsonObject[] = [
      { type: 'response.created', response: { ...response, output: [], status: 'in_progress' } },
      { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress' } },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: done },
    ];
    return {
      type: 'text/event-stream',
      body: eventStream(
        events.map((event, at) => ({ ...event, sequence_number: at })),
        'named',
      ),
    };
  },
};

function declared(tool: JsonObject): readonly DeclaredTool[] {
  const name = textOf(tool['name']) || textOf(tool['type']);
  if (tool['type'] !== 'namespace') return [{ name }];
  return objectsOf(tool['tools']).map((inner) => ({ name: textOf(inner['name']), namespace: name }));
}

function itemOf(reply: Reply): JsonObject {
  if (reply.kind === 'text') {
    const content = [{ type: 'output_text', text: reply.text, annotations: [] }];
    return { type: 'message', id: 'msg_local', role: 'assistant', status: 'completed', content };
  }
  const { name, namespace } = reply.tool;
  return {
    type: 'function_call',
    id: `fc_${reply.id}`,
    call_id: reply.id,
    name,
    ...(namespace === undefined ? {} : { namespace }),
    arguments: JSON.stringify(reply.args),
    status: 'completed',
  };
}
