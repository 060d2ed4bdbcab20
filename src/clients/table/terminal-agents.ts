/** Agents that are started in a terminal, in the folder of a project. */
import { join } from 'node:path';
import { appFolder, configHome, type Client, type Places } from '../client.ts';

const IN_PROJECT = { in: 'project', env: 'whole' } as const;

const SOURCE = { file: 'source', entry: 'source', starts: 'source' } as const;

const RUN = { file: 'run', entry: 'run', starts: 'run' } as const;

export const CLAUDE_CODE: Client = {
  id: 'claude-code',
  name: 'Claude Code',
  signs: ({ home, env }) => [
    join(env['CLAUDE_CONFIG_DIR'] ?? home, '.claude.json'),
    env['CLAUDE_CONFIG_DIR'] ?? join(home, '.claude'),
  ],
  programs: ['claude'],
  userFiles: ({ home, env }) => [join(env['CLAUDE_CONFIG_DIR'] ?? home, '.claude.json')],
  projectFiles: ['.mcp.json'],
  format: 'json',
  key: ['mcpServers'],
  stdio: { program: 'command', env: 'env', first: { type: 'stdio' } },
  http: {
    address: 'url',
    first: { type: 'http' },
    token: { kind: 'header', reads: '${WAYMARK_TOKEN}' },
  },
  expands: { forms: ['${NAME:-default}', '${NAME}'] },
  projectFilesNeed: 'it asks once before it reads the file of a project',
  starts: IN_PROJECT,
  restart: 'Start a new session; `/mcp` shows the server.',
  known: {
    ...SOURCE,
    seen: '2.1.325',
    at: 'https://docs.claude.com/en/docs/claude-code/mcp',
    doubt:
      'its documentation says that variables in headers are filled in; users of 2.1.112 report that they were not',
  },
};

export const CODEX: Client = {
  id: 'codex',
  name: 'Codex',
  signs: ({ home, env }) => [env['CODEX_HOME'] ?? join(home, '.codex')],
  programs: ['codex'],
  userFiles: ({ home, env }) => [join(env['CODEX_HOME'] ?? join(home, '.codex'), 'config.toml')],
  projectFiles: ['.codex/config.toml'],
  format: 'toml',
  key: ['mcp_servers'],
  stdio: { program: 'command', env: 'env', last: { startup_timeout_sec: 20 } },
  http: {
    address: 'url',
    headers: ['http_headers'],
    token: { kind: 'name', key: 'bearer_token_env_var' },
  },
  projectFilesNeed: 'it reads the file once the project is trusted',
  starts: { in: 'project', env: 'basic' },
  restart: 'Start a new session. A project file counts only in a trusted project.',
  known: {
    ...SOURCE,
    seen: '2026-08-22',
    at: 'https://github.com/openai/codex/blob/main/docs/config.md',
  },
};

export const GEMINI_CLI: Client = {
  id: 'gemini-cli',
  name: 'Gemini CLI',
  signs: ({ home }) => [join(home, '.gemini', 'settings.json')],
  programs: ['gemini'],
  userFiles: ({ home }) => [join(home, '.gemini', 'settings.json')],
  projectFiles: ['.gemini/settings.json'],
  format: 'json',
  key: ['mcpServers'],
  stdio: { program: 'command', env: 'env', last: { timeout: 60_000 } },
  http: {
    address: 'httpUrl',
    token: { kind: 'header', reads: '${WAYMARK_TOKEN}' },
    last: { timeout: 60_000 },
  },
  expands: { forms: ['${NAME}', '$NAME'] },
  projectFilesNeed: 'it reads the file once the folder is trusted',
  starts: IN_PROJECT,
  restart: 'Start it again in a trusted folder; `/mcp` shows the server.',
  known: {
    ...SOURCE,
    seen: '0.61.0',
    at: 'https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md',
  },
};

export const OPENCODE: Client = {
  id: 'opencode',
  name: 'OpenCode',
  signs: (places) => [opencodeFolder(places)],
  programs: ['opencode'],
  userFiles: (places) => [
    join(opencodeFolder(places), 'opencode.json'),
    join(opencodeFolder(places), 'opencode.jsonc'),
  ],
  projectFiles: ['opencode.json', 'opencode.jsonc'],
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
  restart: 'Start it again.',
  known: {
    ...SOURCE,
    seen: '1.18',
    at: 'https://opencode.ai/docs/mcp-servers',
  },
};

export function opencodeFolder(places: Places): string {
  return join(configHome(places), 'opencode');
}

export const GOOSE: Client = {
  id: 'goose',
  name: 'Goose',
  signs: (places) => [gooseFolder(places)],
  programs: ['goose'],
  userFiles: (places) => [join(gooseFolder(places), 'config.yaml')],
  format: 'yaml',
  key: ['extensions'],
  stdio: {
    program: 'cmd',
    env: 'envs',
    first: { name: 'waymark', type: 'stdio' },
    last: { enabled: true, timeout: 300 },
  },
  http: {
    address: 'uri',
    first: { name: 'waymark', type: 'streamable_http' },
    token: { kind: 'header', reads: '${WAYMARK_TOKEN}', also: { env_keys: ['WAYMARK_TOKEN'] } },
    last: { enabled: true, timeout: 300 },
  },
  expands: { forms: ['${NAME}'], only: 'headers' },
  starts: IN_PROJECT,
  restart: 'Start a new session.',
  known: {
    ...SOURCE,
    seen: '2026-04-03',
    at: 'https://block.github.io/goose/docs/getting-started/using-extensions',
    doubt: 'the version looked at is older than the others; its place on Windows is from the documentation',
  },
};

function gooseFolder(places: Parameters<Client['signs']>[0]): string {
  return places.system === 'win32'
    ? join(appFolder(places, 'Block'), 'goose', 'config')
    : join(configHome(places), 'goose');
}

export const CLINE_CLI: Client = {
  id: 'cline-cli',
  name: 'Cline CLI',
  signs: ({ home }) => [join(home, '.cline', 'data')],
  programs: ['cline'],
  userFiles: ({ home }) => [join(home, '.cline', 'data', 'settings', 'cline_mcp_settings.json')],
  format: 'json',
  key: ['mcpServers'],
  stdio: { program: 'command', env: 'env', last: { disabled: false, timeout: 60 } },
  http: {
    address: 'url',
    first: { type: 'streamableHttp' },
    last: { disabled: false, timeout: 60 },
  },
  namesNoProject: true,
  starts: IN_PROJECT,
  restart: 'Start it again.',
  known: {
    ...RUN,
    seen: '3.0.65',
    at: 'https://docs.cline.bot/mcp/configuring-mcp-servers',
    doubt: 'its daemon outlives a session and may start servers in the folder of an earlier one',
  },
};
