/** The Messages API of Anthropic. */
import { contentText, eventStream, objectOf, objectsOf, textOf } from './turn.ts';
import type { JsonObject, Reply, WireForm } from './turn.ts';

const USAGE = {
  input_tokens: 10,
  output_tokens: 10,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};

export const ANTHROPIC_MESSAGES: WireForm = {
  takes: (path) => path.endsWith('/messages'),
  read: (body) => ({
    tools: objectsOf(body['tools']).map((tool) => ({ name: textOf(tool['name']) })),
    results: objectsOf(body['messages'])
      .flatMap((message) => objectsOf(message['content']))
      .filter((part) => part['type'] === 'tool_result')
      .map((part) => ({ id: textOf(part['tool_use_id']), text: contentText(part['content']) })),
    isStreamed: body['stream'] === true,
  }),
  write(reply, asked) {
    const message = {
      id: 'msg_local',
      type: 'message',
      role: 'assistant',
      model: 'stand-in',
      stop_sequence: null,
      usage: USAGE,
    };
    const stop = reply.kind === 'call' ? 'tool_use' : 'end_turn';
    if (!asked.isStreamed) {
      const body = JSON.stringify({ ...message, content: [blockOf(reply)], stop_reason: stop });
      return { type: 'application/json', body };
    }
    const events: JsonObject[] = [
      { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
      { type: 'content_block_start', index: 0, content_block: emptied(blockOf(reply)) },
      { type: 'content_block_delta', index: 0, delta: deltaOf(reply) },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage: USAGE },
      { type: 'message_stop' },
    ];
    return { type: 'text/event-stream', body: eventStream(events, 'named') };
  },
};

function blockOf(reply: Reply): JsonObject {
  return reply.kind === 'text'
    ? { type: 'text', text: reply.text }
    : { type: 'tool_use', id: reply.id, name: reply.tool.name, input: reply.args };
}

function emptied(block: JsonObject): JsonObject {
  return block['type'] === 'text' ? { ...block, text: '' } : { ...block, input: objectOf(undefined) };
}

function deltaOf(reply: Reply): JsonObject {
  return reply.kind === 'text'
    ? { type: 'text_delta', text: reply.text }
    : { type: 'input_json_delta', partial_json: JSON.stringify(reply.args) };
}
