/** More agents that are started in a terminal. How each reads its file and starts servers was seen when it ran. */
import { join } from 'node:path';
import { configHome, type Client } from '../client.ts';

const IN_PROJECT = { in: 'project', env: 'whole' } as const;
const SEEN = { file: 'run', entry: 'run', starts: 'run' } as const;

export const KILO: Client = {
  id: 'kilo',
  name: 'Kilo',
  signs: (places) => [join(configHome(places), 'kilo')],
  programs: ['kilo', 'kilocode'],
  userFiles: (places) => [
    join(configHome(places), 'kilo', 'kilo.jsonc'),
    join(configHome(places), 'kilo', 'kilo.json'),
  ],
  projectFiles: ['kilo.json', 'kilo.jsonc', '.kilo/kilo.jsonc', '.kilo/kilo.json'],
  format: 'json',
  key: ['mcp'],
  stdio: { program: 'list', env: 'environment', first: { type: 'local' }, last: { enabled: true } },
  http: {
    address: 'url',
    first: { type: 'remote' },
    token: { kind: 'header', reads: '{env:WAYMARK_TOKEN}' },
    last: { enabled: true },
  },
  expands: { forms: ['{env:NAME}'] },
  starts: IN_PROJECT,
  restart: 'Start it again; `kilo mcp list` shows the server.',
  known: { ...SEEN, seen: '7.7.9', at: 'https://kilo.ai/docs/features/mcp/using-mcp-in-cli' },
};

export const QWEN_CODE: Client = {
  id: 'qwen-code',
  name: 'Qwen Code',
  signs: ({ home }) => [join(home, '.qwen')],
  programs: ['qwen'],
  userFiles: ({ home }) => [join(home, '.qwen', 'settings.json')],
  projectFiles: ['.qwen/settings.json'],
  format: 'json',
  key: ['mcpServers'],
  stdio: { program: 'command', env: 'env', last: { timeout: 60_000 } },
  http: {
    address: 'httpUrl',
    token: { kind: 'header', reads: '${WAYMARK_TOKEN}' },
    last: { timeout: 60_000 },
  },
  expands: { forms: ['${NAME}', '$NAME'] },
  starts: IN_PROJECT,
  restart: 'Start it again; `qwen mcp list` shows the server.',
  known: {
    ...SEEN,
    seen: '0.24.4',
    at: 'https://qwenlm.github.io/qwen-code-docs/en/users/features/mcp',
  },
};

export const CONTINUE_CLI: Client = {
  id: 'continue-cli',
  name: 'Continue CLI',
  signs: ({ home, env }) => [continueFolder(home, env)],
  programs: ['cn'],
  userFiles: ({ home, env }) => [join(continueFolder(home, env), 'config.yaml')],
  format: 'yaml-list',
  key: ['mcpServers'],
  stdio: { program: 'command', env: 'env', first: { name: 'waymark' } },
  http: {
    address: 'url',
    first: { name: 'waymark', type: 'streamable-http' },
    headers: ['requestOptions', 'headers'],
    token: { kind: 'header', reads: '${{ secrets.WAYMARK_TOKEN }}' },
  },
  expands: { forms: ['${{ secrets.NAME }}'] },
  needsFile: 'It keeps its models in the same file: start `cn` once, then run the same command again.',
  starts: IN_PROJECT,
  restart: 'Start it again; `/mcp` shows the server.',
  known: {
    ...SEEN,
    seen: '1.5.47',
    at: 'https://docs.continue.dev/reference',
    doubt: 'secrets are also looked up in .env files and at its hub, which doctor does not read',
  },
};

function continueFolder(home: string, env: Readonly<Record<string, string | undefined>>): string {
  return env['CONTINUE_GLOBAL_DIR'] ?? join(home, '.continue');
}

export const KIMI_CODE: Client = {
  id: 'kimi-code',
  name: 'Kimi Code',
  signs: ({ home, env }) => [kimiFolder(home, env)],
  programs: ['kimi'],
  userFiles: ({ home, env }) => [join(kimiFolder(home, env), 'mcp.json')],
  projectFiles: ['.kimi-code/mcp.json'],
  format: 'json',
  key: ['mcpServers'],
  stdio: { program: 'command', env: 'env' },
  http: { address: 'url', token: { kind: 'name', key: 'bearerTokenEnvVar' } },
  projectFilesNeed: 'it reads the file once the folder is trusted',
  starts: IN_PROJECT,
  restart: 'Start a new session; a file of the project counts only in a trusted folder.',
  known: { ...SEEN, seen: '2.1.0', at: 'https://moonshotai.github.io/kimi-code/' },
};

function kimiFolder(home: string, env: Readonly<Record<string, string | undefined>>): string {
  return env['KIMI_CODE_HOME'] ?? join(home, '.kimi-code');
}

export const COPILOT_CLI: Client = {
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
  expands: { forms: ['${NAME}', '$NAME'] },
  starts: IN_PROJECT,
  restart: 'Start it again; `copilot mcp list` shows the server.',
  known: {
    ...SEEN,
    seen: '1.0.102',
    at: 'https://docs.github.com/en/copilot/how-tos/copilot-cli',
  },
};
