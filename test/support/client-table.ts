/** The table of docs/guides/clients.md, made from the client zoo. */
import { reportVariables } from '../../src/project/index.ts';
import { CLIENT_ZOO } from '../fixtures/client-zoo.ts';
import type { ClientVariant, Place, ZooClient } from '../fixtures/zoo-client.ts';
import { pageOf } from './client-pages.ts';

const BEGIN = '<!-- clients: made by `npm run reference` from test/fixtures/clients -->';
const END = '<!-- /clients -->';

/** The page with its table as it should be. */
export function withClientTable(page: string): string {
  const from = page.indexOf(BEGIN);
  const to = page.indexOf(END);
  if (from === -1 || to < from) throw new Error('docs/guides/clients.md has lost the marks around its table');
  return `${page.slice(0, from)}${BEGIN}\n\n${renderClientTable()}\n\n${page.slice(to)}`;
}

export function renderClientTable(): string {
  return [
    '| client | what it tells us | what Waymark relies on | found by | if nothing is found |',
    '|---|---|---|---|---|',
    ...CLIENT_ZOO.map(renderRow),
    '',
    'What we are not sure of:',
    '',
    ...CLIENT_ZOO.flatMap(renderDoubts),
  ].join('\n');
}

function renderRow(client: ZooClient): string {
  const cells = [
    `**[${client.name}](${pageOf(client.name) ?? ''})**`,
    renderTold(client),
    client.reliesOn,
    renderFound(client),
    client.ifNothing,
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** What comes from the client itself, without the user's help. */
function renderTold({ stdio }: ZooClient): string {
  const own = stdio.filter(({ setup, certainty }) => setup === undefined && certainty !== 'assumed');
  const told = own.flatMap((variant) => [
    ...rootsWords(variant),
    ...Object.keys(variant.meta ?? {}).map((key) => `\`_meta["${key}"]\``),
    ...reportVariables(variant.env)
      .filter(({ state }) => state !== 'not set')
      .map(({ name }) => `\`${name}\``),
  ]);
  const places = [
    ...new Set(own.map(({ cwd, cwdUnknown }) => (cwdUnknown ? 'an unknown directory' : PLACE_WORDS[cwd]))),
  ];
  return [...new Set(told), `starts servers in ${places.join(', or ')}`].join('; ');
}

const PLACE_WORDS: Readonly<Record<Place, string>> = {
  PROJECT: 'the project',
  'PROJECT/src': 'a folder of the project',
  SECOND: 'another project',
  HOME: 'the home directory',
  PLUGIN: "a plugin's folder",
  PLUGIN_CACHE: 'its plugin cache',
  EXTENSION: 'the folder of an extension',
  '/': '`/`',
};

function rootsWords({ roots }: ClientVariant): readonly string[] {
  switch (roots.kind) {
    case 'undeclared':
      return [];
    case 'answers':
      return [roots.listChanged === true ? 'roots, and when they change' : 'roots'];
    case 'error':
      return [`roots declared but refused (${roots.code})`];
    case 'silent':
      return ['roots declared but never told'];
  }
}

function renderFound({ stdio, http }: ZooClient): string {
  const overStdio = stdio.map(({ label, setup, finds, certainty }) => {
    const how = setup === undefined ? '' : ` (${setup})`;
    const doubt = certainty === 'reported' || certainty === 'assumed' ? ` (${certainty})` : '';
    return `${label}${how}: ${finds === 'no project' ? 'nothing' : `**${finds}**`}${doubt}`;
  });
  const overHttp = http === undefined ? [] : [`URL with \`?project_path=\`: **${http.finds}**`];
  return [...overStdio, ...overHttp].join('<br>');
}

function renderDoubts({ name, stdio }: ZooClient): readonly string[] {
  const [first] = stdio;
  return stdio
    .filter(({ doubt }, index) => stdio.findIndex((other) => other.doubt === doubt) === index)
    .filter(({ doubt }) => doubt !== undefined)
    .map(({ doubt, label }) => `- ${name}${label === first.label ? '' : `, ${label}`}: ${doubt}.`);
}
