/** One page per client in docs/guides/clients, made from the table that setup uses and from the client zoo. */
import {
  CLIENTS,
  putEntry,
  SERVER_NAME,
  toConnection,
  toEntry,
  TOKEN_VARIABLE,
  type Certainty,
  type Client,
  type Connection,
  type Places,
  type Scope,
} from '../../src/clients/index.ts';
import { CLIENT_ZOO } from '../fixtures/client-zoo.ts';
import type { ZooClient } from '../fixtures/zoo-client.ts';

const PROJECT = '/home/me/web-shop';
const STDIO: Connection = {
  kind: 'stdio',
  command: '/usr/bin/node',
  args: ['/home/me/.local/share/waymark/main.js', 'mcp'],
  env: {},
};
const HTTP = { kind: 'http', url: 'http://127.0.0.1:7411/mcp' } as const;
const SYSTEMS: readonly (readonly [string, Places])[] = [
  ['Linux', { system: 'linux', home: '~', env: {} }],
  ['macOS', { system: 'darwin', home: '~', env: {} }],
  ['Windows', { system: 'win32', home: '~', env: { APPDATA: '%APPDATA%' } }],
];
const HOW: Readonly<Record<Certainty, string>> = {
  run: 'seen when the published client ran',
  source: 'read in its source or shipped program',
  documented: 'documented by its vendor',
  reported: 'reported by users or other tools',
  assumed: 'assumed: there is no source',
};
const FENCES = {
  json: 'jsonc',
  'json-hooks': 'jsonc',
  'json-hooks-1': 'jsonc',
  toml: 'toml',
  yaml: 'yaml',
  'yaml-list': 'yaml',
  block: 'markdown',
  'script-block': 'js',
} as const;
const FORMATS = {
  json: 'JSON; comments are kept',
  toml: 'TOML',
  yaml: 'YAML',
  'yaml-list': 'YAML, as items of a list',
  'json-hooks': 'JSON, as an item of the list of each event',
  'json-hooks-1': 'JSON, as an item of the list of each event',
  block: 'Markdown',
  'script-block': 'JavaScript',
} as const;

/** Name and text of every page. */
export function clientPages(): readonly (readonly [string, string])[] {
  return CLIENTS.map((client) => [`${client.id}.md`, renderPage(client)]);
}

/** The page of a client of the zoo, from docs/guides. */
export function pageOf(zooName: string): string | undefined {
  const client = CLIENTS.find(({ name }) => name.startsWith(zooName));
  return client && `clients/${client.id}.md`;
}

function renderPage(client: Client): string {
  const scope: Scope = client.userFiles === undefined ? 'project' : 'user';
  const option = scope === 'project' ? ' --scope project' : '';
  return `${[
    '<!-- made by `npm run reference` from src/clients/table -->',
    `# ${client.name}`,
    `\`\`\`sh\nwaymark setup ${client.id}${option}\n\`\`\``,
    'This shows the change, asks, writes it, starts the server as this client would and reports the handshake.',
    `After that: ${client.restart}`,
    '## Where its servers are',
    renderFiles(client),
    '## What is written',
    ...renderEntries(client, scope),
    ...(client.projectFiles === undefined
      ? []
      : [
          'A file of the project holds the paths of your machine too: keep it out of version control. Others run the same command.',
        ]),
    ...(client.needsFile === undefined ? [] : [`Setup makes no such file. ${client.needsFile}`]),
    ...(client.projectFilesNeed === undefined ? [] : [`A file of the project: ${client.projectFilesNeed}.`]),
    ...renderProject(client),
    '## How we know',
    renderKnown(client),
    ...(client.known.doubt === undefined ? [] : [`Not sure: ${client.known.doubt}.`]),
    client.known.starts === 'run'
      ? `On Linux this client was run with such a file. The places on macOS and Windows were not tried.`
      : `Setup was tried on Linux with files as this client keeps them, not with the client itself. The places on macOS and Windows were not tried.`,
    '[All clients](../clients.md) · [If something does not work](../troubleshooting.md)',
  ].join('\n\n')}\n`;
}

function renderFiles({ userFiles, projectFiles, key, format }: Client): string {
  const user = SYSTEMS.map(
    ([name, places]) => `| ${name} | ${userFiles === undefined ? '–' : list(userFiles(places))} |`,
  );
  return [
    '| where | file |',
    '|---|---|',
    ...(userFiles === undefined ? [] : user),
    `| a project (\`--scope project\`) | ${projectFiles === undefined ? 'none' : list(projectFiles)} |`,
    '',
    `Servers are under the key \`${key.join('.')}\`, in ${FORMATS[format]}.`,
  ].join('\n');
}

function list(files: readonly string[]): string {
  return files.map((file) => `\`${file}\``).join(' or ');
}

function renderEntries(client: Client, scope: Scope): readonly string[] {
  const render = (connection: Connection): string | undefined => {
    const entry = toEntry(client, toConnection(client, { scope, root: PROJECT, connection }));
    if (entry === undefined) return undefined;
    const place = { format: client.format, path: [...client.key, SERVER_NAME] as const, file: client.id };
    return `\`\`\`${FENCES[client.format]}\n${putEntry('', place, entry).text}\`\`\``;
  };
  const http = render(HTTP);
  const guarded = render({ ...HTTP, token: { kind: 'variable', name: TOKEN_VARIABLE } });
  return [
    'With the paths of your machine:',
    render(STDIO) ?? '',
    http === undefined
      ? 'Its file cannot name the address of a running server.'
      : `With \`--http ${HTTP.url}\`, for a server that runs already:\n\n${http}`,
    ...(http === undefined
      ? []
      : [
          guarded === undefined
            ? `A server that asks for a token: this client takes one only in the clear, so setup writes none. \`waymark setup ${client.id}\` without \`--http\` needs no token. If the file is yours alone, the token can stand in it; \`--with-token --print\` shows where.`
            : `With \`--with-token\` as well, for one that asks for a token. The token itself stays out of the file: start the client where \`${TOKEN_VARIABLE}\` is set.\n\n${guarded}`,
        ]),
  ];
}

function renderProject(client: Client): readonly string[] {
  const zoo: ZooClient | undefined = CLIENT_ZOO.find(({ name }) => client.name.startsWith(name));
  if (zoo === undefined) return [];
  return [
    '## How Waymark knows the project',
    `It relies on ${zoo.reliesOn}.`,
    `If no project is found: ${zoo.ifNothing}`,
  ];
}

function renderKnown({ known }: Client): string {
  return [
    '| what | how |',
    '|---|---|',
    `| file and key | ${HOW[known.file]} |`,
    `| form of the entry | ${HOW[known.entry]} |`,
    `| where and with what its servers start | ${HOW[known.starts]} |`,
    `| version looked at | ${known.seen} |`,
    `| read more | <${known.at}> |`,
  ].join('\n');
}
