/** `waymark probe`: what a client really sends, and nothing that must stay secret. */
import { expect, test } from 'vitest';
import { CLIENT_ZOO } from '../fixtures/client-zoo.ts';
import type { ClientVariant } from '../fixtures/zoo-client.ts';
import { createPlaces, replayClient, type Places } from '../support/replay-client.ts';

function variantOf(client: string, label: string): ClientVariant {
  const variant = CLIENT_ZOO.find(({ name }) => name === client)?.stdio.find((one) => one.label === label);
  if (variant === undefined) throw new Error(`no ${client}, ${label} in the zoo`);
  return variant;
}

/** The report as the tool tells it, and what was printed by the end. */
async function probe(variant: ClientVariant, places: Places) {
  const client = await replayClient(variant, places, { command: 'probe' });
  if (variant.opens.kind === 'initialize') await client.request('tools/list');
  const { text } = await client.call('probe_report');
  await client.close();
  return { report: text.split('\n'), printed: client.stderr().trimEnd().split('\n') };
}

test('a modern client: era, name, capabilities, roots, directory and variables', async () => {
  const places = createPlaces();

  const { report, printed } = await probe(variantOf('Claude Code', 'command line'), places);

  expect(report).toEqual(
    expect.arrayContaining([
      `working directory: ${places.PROJECT}`,
      'environment, names only: CLAUDECODE, CLAUDE_CODE_SESSION_ID, CLAUDE_PROJECT_DIR, HOME, LANG, LOGNAME, PATH, PWD, SHELL, TERM, USER, WAYMARK_STRUCTURED',
      'WAYMARK_PROJECT: not set',
      'CLAUDE_PROJECT_DIR: an existing directory',
      'received: server/discover',
      'era: modern, protocol version 2026-07-28',
      'client: claude-code, version 1.0.0',
      'capabilities: elicitation, roots.listChanged=true',
      'roots: 1 told',
      `root 1: file://${places.PROJECT.replace(' ', '%20')}`,
    ]),
  );
  expect(printed).toEqual(report);
});

test('a legacy client whose metadata names its directory', async () => {
  const places = createPlaces();

  const { report, printed } = await probe(variantOf('Codex', 'plugin'), places);

  expect(report).toEqual(
    expect.arrayContaining([
      `working directory: ${places.PLUGIN_CACHE}`,
      'era: legacy, protocol version 2025-06-18',
      'capabilities: elicitation',
      'roots: not declared',
      '_meta keys of tools/call: codex/sandbox-state-meta',
      `codex/sandbox-state-meta, sandboxCwd: file://${places.PROJECT.replace(' ', '%20')}`,
    ]),
  );
  expect(printed).toEqual(report);
});

test.each([
  ['Cursor', 'variable left unexpanded', 'roots: error -32601'],
  ['Cursor', 'variable left unexpanded', 'WAYMARK_PROJECT: unexpanded'],
  ['VS Code', 'no folder open', 'roots: 0 told'],
  ['Antigravity', 'roots declared, never answered', 'roots: no answer within 2 s'],
])('%s, %s: %s', async (client, label, line) => {
  const { report } = await probe(variantOf(client, label), createPlaces());

  expect(report).toContain(line);
});

test('no secret is shown, wherever it is, and no control character', async () => {
  const places = createPlaces();
  const secret = 'hunter2-correct-horse';
  const token = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
  const base = variantOf('Goose', 'session');
  const variant: ClientVariant = {
    ...base,
    clientName: `\u001b[31mgoose ${token}`,
    capabilities: { experimental: { 'x/y': { apiKey: secret, deep: { deeper: { deepest: secret } } } } },
    env: {
      ...base.env,
      API_KEY: secret,
      WAYMARK_PROJECT: `/nowhere/${secret}`,
      CLAUDE_PROJECT_DIR: secret,
      WORKSPACE_FOLDER_PATHS: `/${secret},/b`,
    },
    meta: {
      authorization: `Bearer ${secret}`,
      'agent-session-id': secret,
      'agent-working-dir': `token ${secret}`,
      'codex/sandbox-state-meta': {
        sandboxCwd: `file:///srv?token=${secret}`,
        sandboxPolicy: { secret },
      },
      [token]: secret,
    },
  };

  const { report, printed } = await probe(variant, places);
  const everything = [...report, ...printed].join('\n');

  expect(everything).not.toContain('hunter2');
  expect(everything).not.toContain(token.slice(4));
  expect(everything).not.toContain('\u001b');
  expect(report).toEqual(
    expect.arrayContaining([
      'WAYMARK_PROJECT: no existing directory',
      'CLAUDE_PROJECT_DIR: no existing directory',
      'client: \\x1b[31mgoose [hidden], version 1.0.0',
      'agent-working-dir: neither an absolute path nor a file URI',
      'codex/sandbox-state-meta, sandboxCwd: file:///srv',
    ]),
  );
  expect(everything).toContain('API_KEY');
});

test('says that an unknown tool is unknown', async () => {
  const client = await replayClient(variantOf('Cline', 'plain entry'), createPlaces(), { command: 'probe' });

  await expect(client.call('project_status')).rejects.toThrow('unknown tool: project_status');
});
