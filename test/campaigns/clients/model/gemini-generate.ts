/** generateContent and streamGenerateContent of Gemini. */
import { eventStream, objectOf, objectsOf, textOf } from './turn.ts';
import type { JsonObject, Reply, WireForm } from './turn.ts';

export const GEMINI_GENERATE: WireForm = {
  takes: (path) => /:(streamG|g)enerateContent/.test(path),
  read: (body, path) => ({
    tools: objectsOf(body['tools'])
      .flatMap((tool) => objectsOf(tool['functionDeclarations']))
      .map((tool) => ({ name: textOf(tool['name']), parameters: parametersOf(tool) })),
    results: objectsOf(body['contents'])
      .flatMap((content) => objectsOf(content['parts']))
      .map((part) => objectOf(part['functionResponse']))
      .filter((part) => part['name'] !== undefined)
      .map((part) => ({ id: textOf(part['id']), text: responseText(objectOf(part['response'])) })),
    isStreamed: path.includes(':streamGenerateContent'),
  }),
  write(reply, asked) {
    const answer = {
      candidates: [{ index: 0, content: { role: 'model', parts: [partOf(reply)] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 10, totalTokenCount: 20 },
      modelVersion: 'stand-in',
      responseId: 'local',
    };
    return asked.isStreamed
      ? { type: 'text/event-stream', body: eventStream([answer], 'plain') }
      : { type: 'application/json', body: JSON.stringify(answer) };
  },
};

function parametersOf(tool: JsonObject): readonly string[] {
  return Object.keys(objectOf(objectOf(tool['parametersJsonSchema'] ?? tool['parameters'])['properties']));
}

/** The usual response is an object with one text in it. */
function responseText(response: JsonObject): string {
  const [only, ...more] = Object.values(response);
  return typeof only === 'string' && more.length === 0 ? only : JSON.stringify(response);
}

function partOf(reply: Reply): JsonObject {
  return reply.kind === 'text'
    ? { text: reply.text }
    : { functionCall: { id: reply.id, name: reply.tool.name, args: reply.args } };
}
