/** Tools that ask the client something while they run, as servers did until 2025-11-25. */
import type { ElicitRequestFormParams, ServerContext } from '@modelcontextprotocol/server';
import { textResult, type FixtureTool } from './fixture-tool.ts';

type Form = ElicitRequestFormParams['requestedSchema'];

const CONTACT: Form = {
  type: 'object',
  properties: {
    username: { type: 'string', description: "User's response" },
    email: { type: 'string', description: "User's email address" },
  },
  required: ['username', 'email'],
};

const DEFAULTS: Form = {
  type: 'object',
  properties: {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  },
};

const CHOICES: Form = {
  type: 'object',
  properties: {
    untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
    titledSingle: { type: 'string', oneOf: titled('First Option', 'Second Option', 'Third Option') },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
    titledMulti: {
      type: 'array',
      items: { anyOf: titled('First Choice', 'Second Choice', 'Third Choice') },
    },
  },
};

export const CLIENT_TOOLS: readonly FixtureTool[] = [
  {
    name: 'test_sampling',
    description: "Asks the client's model",
    inputSchema: { type: 'object', properties: { prompt: { type: 'string' } }, required: ['prompt'] },
    async run({ prompt }, { mcpReq }) {
      const answer = await mcpReq.send({
        method: 'sampling/createMessage',
        params: {
          messages: [{ role: 'user', content: { type: 'text', text: String(prompt) } }],
          maxTokens: 100,
        },
      });
      return textResult(`LLM response: ${JSON.stringify(answer.content)}`);
    },
  },
  {
    name: 'test_elicitation',
    description: 'Asks the user for a name and an address',
    inputSchema: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
    run: ({ message }, context) => askUser(context, String(message), CONTACT),
  },
  {
    name: 'test_elicitation_sep1034_defaults',
    description: 'Asks the user with a default for every kind of value',
    run: (_args, context) => askUser(context, 'Please look over these values', DEFAULTS),
  },
  {
    name: 'test_elicitation_sep1330_enums',
    description: 'Asks the user with every kind of choice',
    run: (_args, context) => askUser(context, 'Please choose', CHOICES),
  },
];

async function askUser({ mcpReq }: ServerContext, message: string, requestedSchema: Form) {
  const { action, content } = await mcpReq.send({
    method: 'elicitation/create',
    params: { message, requestedSchema },
  });
  return textResult(`Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`);
}

function titled(...titles: readonly string[]) {
  return titles.map((title, index) => ({ const: `value${index + 1}`, title }));
}
