/** The conformance suite takes a command of its own; this keeps what it runs against from rotting in between. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';
import { openFixture } from './open-fixture.ts';

const MODES = [
  { label: 'legacy', negotiation: { mode: 'legacy' } },
  { label: 'modern', negotiation: { mode: { pin: '2026-07-28' } } },
] as const;

describe.each(MODES)('the conformance fixture, $label', ({ negotiation }) => {
  test('answers, and asks the user before it answers', async () => {
    const fixture = await openFixture(tempFolder().path);
    onTestFinished(() => fixture.close());
    const client = new Client(
      { name: 'waymark-test', version: '1.0.0' },
      { versionNegotiation: negotiation, capabilities: { elicitation: {} } },
    );
    client.setRequestHandler('elicitation/create', async () => ({
      action: 'accept',
      content: { name: 'Ada' },
    }));
    await client.connect(new StreamableHTTPClientTransport(new URL(fixture.url)));
    onTestFinished(() => client.close());

    const simple = await client.callTool({ name: 'test_simple_text' });
    const asked = await client.callTool({ name: 'test_input_required_result_elicitation' });

    expect(simple.content).toEqual([{ type: 'text', text: 'This is a simple text response for testing.' }]);
    expect(asked.content).toEqual([{ type: 'text', text: 'Hello, Ada!' }]);
  });
});
