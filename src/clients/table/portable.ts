/** Files that several clients read. */
import { join } from 'node:path';
import type { Client } from '../client.ts';

const COPILOT_CLI: Client = {
  id: 'copilot-cli',
  name: 'GitHub Copilot CLI',
  signs: ({ home, env }) => [env['COPILOT_HOME'] ?? join(home, '.copilot')],
  programs: ['copilot'],
  userFiles: ({ home, env }) => [join(env['COPILOT_HOME'] ?? join(home, '.copilot'), 'mcp-config.json')],
  format: 'json',
  key: ['mcpServers'],
  stdio: { program: 'command', env: 'env', first: { type: 'local' }, last: { tools: ['*'] } },
  http: {
    address: 'url',
    first: { type: 'http' },
    token: { kind: 'header', reads: '${WAYMARK_TOKEN}' },
    last: { tools: ['*'] },
  },
  fillsIn: { forms: ['${NAME}', '$NAME'] },
  starts: { in: 'project', env: 'whole' },
  restart: 'Start it again; `copilot mcp list` shows the server.',
  known: {
    file: 'run',
    entry: 'run',
    starts: 'run',
    seen: '1.0.102',
    at: 'https://docs.github.com/en/copilot/how-tos/copilot-cli',
  },
};

/** For whatever reads `.mcp.json` at the root of a project. */
const MCP_JSON: Client = {
  id: 'mcp-json',
  name: '.mcp.json',
  signs: () => [],
  programs: [],
  projectFiles: ['.mcp.json'],
  format: 'json',
  key: ['mcpServers'],
  stdio: { program: 'command', env: 'env', first: { type: 'stdio' } },
  http: {
    address: 'url',
    first: { type: 'http' },
    token: { kind: 'header', reads: '${WAYMARK_TOKEN}' },
  },
  fillsIn: { forms: ['${NAME:-default}', '${NAME}'] },
  starts: { in: 'project', env: 'whole' },
  restart: 'Restart the client that reads it.',
  known: {
    file: 'documented',
    entry: 'documented',
    starts: 'assumed',
    seen: '2026-08',
    at: 'https://docs.claude.com/en/docs/claude-code/mcp',
    doubt: 'how each of its readers starts servers is up to them',
  },
};

export const PORTABLE: readonly Client[] = [COPILOT_CLI, MCP_JSON];
