import { expect, onTestFinished, test } from 'vitest';
import { openStandIn } from '../campaigns/clients/model/stand-in.ts';

const CODE = '11    let expired = 0;';
const SEARCH = { tool: 'search_code', args: { query: 'idle sessions' } };
const RESUME = { tool: 'checkpoint_resume', args: {} };

/** Requests as published agents send them, cut down to what counts. */
const REQUESTS = {
  'Anthropic Messages (Claude Code)': {
    path: '/v1/messages?beta=true',
    body: {
      stream: true,
      tools: [{ name: 'mcp__waymark__search_code' }, { name: 'mcp__waymark__checkpoint_resume' }],
      messages: [
        { role: 'user', content: 'Where?' },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'call_step_0', content: [{ type: 'text', text: CODE }] },
          ],
        },
      ],
    },
    holds: ['event: content_block_start', '"id":"call_step_1","name":"mcp__waymark__checkpoint_resume"'],
  },
  'OpenAI Responses (Codex)': {
    path: '/v1/responses',
    body: {
      stream: true,
      tools: [
        { type: 'function', name: 'exec_command' },
        {
          type: 'namespace',
          name: 'mcp__waymark',
          tools: [{ name: 'search_code' }, { name: 'checkpoint_resume' }],
        },
      ],
      input: [
        { type: 'function_call', call_id: 'call_step_0', name: 'search_code', namespace: 'mcp__waymark' },
        { type: 'function_call_output', call_id: 'call_step_0', output: CODE },
      ],
    },
    holds: ['event: response.completed', '"name":"checkpoint_resume","namespace":"mcp__waymark"'],
  },
  'OpenAI Chat Completions (Goose)': {
    path: '/v1/chat/completions',
    body: {
      stream: true,
      tools: [
        { type: 'function', function: { name: 'waymark__search_code' } },
        { type: 'function', function: { name: 'waymark__checkpoint_resume' } },
      ],
      messages: [{ role: 'tool', tool_call_id: 'call_step_0', content: CODE }],
    },
    holds: ['"name":"waymark__checkpoint_resume"', 'data: [DONE]'],
  },
  'Gemini generateContent (Gemini CLI)': {
    path: '/v1beta/models/gemini:streamGenerateContent?alt=sse',
    body: {
      tools: [
        {
          functionDeclarations: [
            { name: 'mcp_waymark_search_code' },
            {
              name: 'mcp_waymark_checkpoint_resume',
              parametersJsonSchema: { properties: { wait_for_previous: { type: 'boolean' } } },
            },
          ],
        },
      ],
      contents: [
        {
          role: 'user',
          parts: [
            {
              functionResponse: {
                id: 'call_step_0',
                name: 'mcp_waymark_search_code',
                response: { output: CODE },
              },
            },
          ],
        },
      ],
    },
    holds: ['"name":"mcp_waymark_checkpoint_resume","args":{"wait_for_previous":true}'],
  },
} as const;

test.each(Object.entries(REQUESTS))(
  'the stand-in reads a result and streams the next call: %s',
  async (_, { path, body, holds }) => {
    const model = await openModel();
    const recorded = model.begin({ folder: '/shop', steps: [SEARCH, RESUME] });

    const answer = await post(model.url + path, body);

    expect(answer.type).toBe('text/event-stream');
    for (const part of holds) expect(answer.text).toContain(part);
    expect(recorded[0]?.asked.results).toEqual([{ id: 'call_step_0', text: CODE }]);
  },
);

test('the stand-in loads a tool of which the agent shows the name alone', async () => {
  const model = await openModel();
  model.begin({ folder: '/shop', steps: [SEARCH] });
  const body = {
    stream: true,
    tools: [{ name: 'ToolSearch' }],
    messages: [{ role: 'user', content: 'Deferred tools:\nmcp__waymark__search_code' }],
  };

  const { text } = await post(`${model.url}/v1/messages`, body);

  expect(text).toContain('"name":"ToolSearch"');
  expect(text).toContain('select:mcp__waymark__search_code');
});

test('the stand-in names its folder when an answer asks for the project, and repeats the call with it', async () => {
  const model = await openModel();
  model.begin({ folder: '/shop', steps: [SEARCH] });
  const tools = ['search_code', 'switch_project'].map((name) => ({ type: 'function', function: { name } }));
  const asks = { role: 'tool', tool_call_id: 'call_step_0', content: 'Call switch_project with …' };
  const told = { role: 'tool', tool_call_id: 'call_switch_0', content: 'pass project="/shop" in each one.' };

  const first = await post(`${model.url}/v1/chat/completions`, { stream: true, tools, messages: [asks] });
  const second = await post(`${model.url}/v1/chat/completions`, {
    stream: true,
    tools,
    messages: [asks, told],
  });

  expect(first.text).toContain(String.raw`"name":"switch_project","arguments":"{\"project\":\"/shop\"}"`);
  expect(second.text).toContain(String.raw`\"query\":\"idle sessions\",\"project\":\"/shop\"`);
});

async function openModel(): ReturnType<typeof openStandIn> {
  const model = await openStandIn();
  onTestFinished(() => model.close());
  return model;
}

async function post(
  url: string,
  body: unknown,
): Promise<{ readonly type: string | null; readonly text: string }> {
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  return { type: answer.headers.get('content-type'), text: await answer.text() };
}
