/** Editors and desktop programs: started from a dock or menu, in no particular folder. */
import { join } from 'node:path';
import { appFolder, configHome, extensionSettings, type Client } from '../client.ts';

const FROM_MENU = { in: 'home', env: 'desktop' } as const;
const WORKSPACE = '${workspaceFolder}';
const ENVIRONMENT = { forms: ['${env:NAME}'] } as const;
const TOKEN = { kind: 'header', reads: '${env:WAYMARK_TOKEN}' } as const;

const SOURCE = { file: 'source', entry: 'source', starts: 'source' } as const;

const DOCUMENTED = { file: 'documented', entry: 'documented', starts: 'documented' } as const;

export const CLAUDE_DESKTOP: Client = {
  id: 'claude-desktop',
  name: 'Claude Desktop',
  signs: (places) => [appFolder(places, 'Claude')],
  programs: [],
  userFiles: (places) => [join(appFolder(places, 'Claude'), 'claude_desktop_config.json')],
  format: 'json',
  key: ['mcpServers'],
  stdio: { program: 'command', env: 'env' },
  namesNoProject: true,
  starts: { in: 'root', env: 'desktop' },
  restart: 'Quit it fully, not only its window, and open it again.',
  known: {
    file: 'documented',
    entry: 'documented',
    starts: 'reported',
    seen: '2026-08',
    at: 'https://modelcontextprotocol.io/docs/develop/connect-local-servers',
    doubt: 'there is no official version for Linux; the place there is that of the unofficial ones',
  },
};

export const CURSOR: Client = {
  id: 'cursor',
  name: 'Cursor',
  signs: (places) => [join(places.home, '.cursor'), appFolder(places, 'Cursor')],
  programs: ['cursor', 'cursor-agent'],
  userFiles: ({ home }) => [join(home, '.cursor', 'mcp.json')],
  projectFiles: ['.cursor/mcp.json'],
  format: 'json',
  key: ['mcpServers'],
  stdio: { program: 'command', env: 'env', first: { type: 'stdio' } },
  http: { address: 'url', token: TOKEN },
  expands: ENVIRONMENT,
  workspaceVariable: WORKSPACE,
  starts: FROM_MENU,
  restart: 'Open Settings, MCP and switch the server on; restart Cursor if it is not listed.',
  known: {
    file: 'documented',
    entry: 'documented',
    starts: 'reported',
    seen: '2026-08',
    at: 'https://cursor.com/docs/context/mcp',
  },
};

export const VS_CODE: Client = {
  id: 'vscode',
  name: 'VS Code',
  signs: (places) => [join(appFolder(places, 'Code'), 'User')],
  programs: ['code'],
  userFiles: (places) => [join(appFolder(places, 'Code'), 'User', 'mcp.json')],
  projectFiles: ['.vscode/mcp.json'],
  format: 'json',
  key: ['servers'],
  stdio: { program: 'command', env: 'env', first: { type: 'stdio' } },
  http: { address: 'url', token: TOKEN, first: { type: 'http' } },
  expands: ENVIRONMENT,
  workspaceVariable: WORKSPACE,
  starts: { in: 'project', env: 'desktop' },
  restart: 'Run "MCP: List Servers" and start it; VS Code asks once whether you trust it.',
  known: {
    ...DOCUMENTED,
    seen: '2026-08-21',
    at: 'https://code.visualstudio.com/docs/copilot/customization/mcp-servers',
    doubt: 'profiles other than the default keep a file of their own, which is not edited',
  },
};

export const WINDSURF: Client = {
  id: 'windsurf',
  name: 'Windsurf',
  signs: ({ home }) => [join(home, '.codeium', 'windsurf')],
  programs: ['windsurf'],
  userFiles: ({ home }) => [join(home, '.codeium', 'windsurf', 'mcp_config.json')],
  format: 'json',
  key: ['mcpServers'],
  stdio: { program: 'command', env: 'env' },
  http: { address: 'serverUrl', token: TOKEN },
  expands: ENVIRONMENT,
  namesNoProject: true,
  starts: FROM_MENU,
  restart: 'Press refresh in the list of MCP servers of Cascade.',
  known: {
    file: 'documented',
    entry: 'documented',
    starts: 'assumed',
    seen: '2026-08',
    at: 'https://docs.windsurf.com/windsurf/cascade/mcp',
  },
};

export const ZED: Client = {
  id: 'zed',
  name: 'Zed',
  signs: (places) => [zedFolder(places)],
  programs: ['zed', 'zeditor'],
  userFiles: (places) => [join(zedFolder(places), 'settings.json')],
  projectFiles: ['.zed/settings.json'],
  format: 'json',
  key: ['context_servers'],
  stdio: { program: 'command', env: 'env' },
  http: { address: 'url' },
  starts: { in: 'project', env: 'whole' },
  restart: 'Nothing to do: Zed reads its settings when they change.',
  known: {
    ...SOURCE,
    seen: '2026-08-22',
    at: 'https://zed.dev/docs/ai/mcp',
  },
};

function zedFolder(places: Parameters<Client['signs']>[0]): string {
  return places.system === 'win32' ? appFolder(places, 'Zed') : join(configHome(places), 'zed');
}

export const ANTIGRAVITY: Client = {
  id: 'antigravity',
  name: 'Antigravity',
  signs: ({ home }) => [join(home, '.gemini', 'config'), join(home, '.antigravity')],
  programs: ['antigravity', 'agy'],
  userFiles: ({ home }) => [join(home, '.gemini', 'config', 'mcp_config.json')],
  projectFiles: ['.agents/mcp_config.json'],
  format: 'json',
  key: ['mcpServers'],
  stdio: { program: 'command', env: 'env' },
  http: { address: 'serverUrl' },
  namesNoProject: true,
  starts: FROM_MENU,
  restart: 'Press refresh in the list of MCP servers.',
  known: {
    file: 'reported',
    entry: 'reported',
    starts: 'reported',
    seen: '2026-08',
    at: 'https://github.com/google-antigravity/antigravity-cli/issues/60',
    doubt: 'the project file is not documented',
  },
};

export const JUNIE: Client = {
  id: 'junie',
  name: 'JetBrains Junie',
  signs: ({ home }) => [join(home, '.junie')],
  programs: ['junie'],
  userFiles: ({ home }) => [join(home, '.junie', 'mcp', 'mcp.json')],
  projectFiles: ['.junie/mcp/mcp.json'],
  format: 'json',
  key: ['mcpServers'],
  stdio: { program: 'command', env: 'env' },
  namesNoProject: true,
  starts: FROM_MENU,
  restart:
    'Open the project again. AI Assistant has no file: add the command under Settings, Tools, AI Assistant, MCP.',
  known: {
    file: 'documented',
    entry: 'documented',
    starts: 'assumed',
    seen: '2026-08',
    at: 'https://www.jetbrains.com/help/junie/model-context-protocol-mcp.html',
  },
};

export const CLINE: Client = {
  id: 'cline',
  name: 'Cline',
  signs: (places) => [join(extensionSettings(places, 'saoudrizwan.claude-dev'), '..')],
  programs: [],
  userFiles: (places) => [
    join(extensionSettings(places, 'saoudrizwan.claude-dev'), 'cline_mcp_settings.json'),
  ],
  format: 'json',
  key: ['mcpServers'],
  stdio: { program: 'command', env: 'env', last: { disabled: false, timeout: 60 } },
  http: {
    address: 'url',
    token: TOKEN,
    first: { type: 'streamableHttp' },
    last: { disabled: false, timeout: 60 },
  },
  expands: ENVIRONMENT,
  namesNoProject: true,
  starts: { in: 'root', env: 'basic' },
  restart: 'Nothing to do: Cline reads the file when it changes.',
  known: {
    file: 'source',
    entry: 'source',
    starts: 'reported',
    seen: '2026-08-22',
    at: 'https://docs.cline.bot/mcp/configuring-mcp-servers',
    doubt: 'in editors other than VS Code it keeps its file elsewhere',
  },
};

export const ROO_CODE: Client = {
  id: 'roo-code',
  name: 'Roo Code',
  signs: (places) => [join(extensionSettings(places, 'rooveterinaryinc.roo-cline'), '..')],
  programs: [],
  userFiles: (places) => [join(extensionSettings(places, 'rooveterinaryinc.roo-cline'), 'mcp_settings.json')],
  projectFiles: ['.roo/mcp.json'],
  format: 'json',
  key: ['mcpServers'],
  stdio: { program: 'command', env: 'env', last: { timeout: 60 } },
  http: { address: 'url', token: TOKEN, first: { type: 'streamable-http' }, last: { timeout: 60 } },
  expands: ENVIRONMENT,
  workspaceVariable: WORKSPACE,
  starts: { in: 'home', env: 'basic' },
  restart: 'Nothing to do: Roo Code reads the file when it changes.',
  known: {
    ...SOURCE,
    seen: '2026-04-14',
    at: 'https://docs.roocode.com/features/mcp/using-mcp-in-roo',
    doubt: 'in editors other than VS Code it keeps its file elsewhere',
  },
};
