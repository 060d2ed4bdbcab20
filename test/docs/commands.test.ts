/** What pages tell readers to type exists, and runs. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { readPages } from '../../scripts/site/pages.mjs';
import {
  fencedCommands,
  inlineCommands,
  startedCommands,
  wordsOf,
  type DocsCommand,
} from '../support/docs-commands.ts';
import { git } from '../support/git.ts';
import { SHOP_FILES } from '../support/search-shop.ts';
import { collectEnds, tempFolder, type TempFolder } from '../support/temp-folder.ts';
import { emptyHome, run, type Home } from '../support/waymark.ts';

const ROOT = resolve('.');
/** Decisions and the changelog tell of what was. */
const pages = readPages(ROOT).filter(
  ({ path }) => !/^(?:CHANGELOG|docs\/(?:decisions|CONVENTIONS))/.test(path),
);
const fenced = pages.flatMap(fencedCommands);
const scripts: Readonly<Record<string, string>> = JSON.parse(readFileSync('package.json', 'utf8')).scripts;

/** What is not run here, and where it is tried instead, or why nowhere. */
const ELSEWHERE: readonly (readonly [RegExp, string])[] = [
  [/^npm (?:start|test|ci)\b/, 'test/package and continuous integration run them'],
  [
    /^npm (?:install|uninstall|view|pack)\b/,
    'test/package installs the tarball; the registry needs a network',
  ],
  [/^npm run /, 'the name is compared with package.json below'],
  [/^npx /, 'test/package; the registry needs a network'],
  [
    /^(?:git clone|git pull|docker|ollama|createdb|dropdb|pg_dump|claude|gh|ssh) /,
    'needs a network, a client or a server',
  ],
  [/^(?:curl |tr |sed |URL=|HELLO=|SESSION=)/, 'test/http/guide.test.ts runs those of the guide'],
  [/^(?:cd|export|alias|rm|cat|echo|jq|mkdir|openssl|sudo) ?/, 'the shell itself'],
  [/^node (?:ask|\/path|\.github)/, 'test/docs/examples.test.ts'],
  [/^\w+=\S+ waymark restore/, 'test/postgres'],
  [
    /^waymark (?:serve|ui|mcp|push)\b/,
    'they run until they are stopped: test/http, test/dashboard, test/postgres',
  ],
  [/^waymark(?: setup\b.*)?$/, 'asks on a terminal: test/cli/screens.test.ts, test/clients/setup.test.ts'],
  [/^waymark index --embed$/, 'needs a service: test/search/encoders.test.ts'],
  [/^waymark restore FOLDER$/, 'test/cli/restore.test.ts'],
  [/^waymark stauts$/, 'asks on a terminal: test/cli/screens.test.ts'],
  [/^waymark uninstall(?: --purge)?$/, 'asks on a terminal: test/clients/uninstall.test.ts'],
];

const place: { home?: Home; shop?: TempFolder } = {};

beforeAll(() => {
  const { onEnd, end } = collectEnds();
  place.home = emptyHome(onEnd);
  const { '.git/HEAD': _, ...shopFiles } = SHOP_FILES;
  place.shop = tempFolder(
    { ...shopFiles, 'server/package.json': '{}', 'src/url.ts': 'export function mergePath() {}\n' },
    onEnd,
  );
  git(place.shop.path, 'init', '--quiet', '--initial-branch', 'main');
  git(place.shop.path, 'add', '-A');
  git(place.shop.path, 'commit', '-q', '-m', 'first');
  return end;
});

function shop(args: readonly string[]) {
  if (place.home === undefined || place.shop === undefined) throw new Error('no shop');
  return run(args, { home: place.home, cwd: place.shop.path });
}

const isElsewhere = ({ line }: DocsCommand): boolean => ELSEWHERE.some(([form]) => form.test(line));

/** Names of a reader's own things become those of the shop. */
function inShop(line: string): readonly string[] {
  return wordsOf(
    line
      .replaceAll(/\/(?:path\/to\/project|home\/me\/web-shop)/g, '.')
      .replaceAll('~/code/web-shop', '.')
      .replaceAll('../server', 'server')
      .replaceAll('/tmp/memories', join(place.home?.folder.path ?? '', 'memories'))
      .replaceAll('$(cat report.md)', 'Sessions never expire.'),
  ).slice(1);
}

test('every npm script that a page names is there', () => {
  const named = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/npm run (?:-s )?([a-z][\w:-]*)/g)].map(([, name = '']) => ({ path, name })),
  );

  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(({ name }) => !name.endsWith(':') && scripts[name] === undefined)).toEqual([]);
});

test('every fenced command is run here, or is known to be tried elsewhere', () => {
  const unknown = fenced.filter((command) => !isElsewhere(command) && !command.line.startsWith('waymark '));

  expect(unknown).toEqual([]);
});

/** What commands and options there are, as help tells it. */
const helps = new Map<string, Promise<string>>();
function helpOf(command: readonly string[]): Promise<string> {
  const key = command.join(' ');
  const known = helps.get(key) ?? shop([...command, '--help-all']).then(({ stdout }) => stdout);
  helps.set(key, known);
  return known;
}

async function problemOf({ line }: DocsCommand): Promise<string | undefined> {
  const words = wordsOf(line.replace(/ [|#] .*$/, '')).slice(1);
  const [first = '', second = ''] = words;
  // A misspelt one shows what is said then; a path is no command either.
  if (first.startsWith('-') || first.includes('/') || first === 'stauts') return undefined;
  const top = await helpOf([]);
  if (!new RegExp(`^  ${first}\\b`, 'm').test(top) && !/^(?:help|hooks|mcp|probe|push|admin)$/.test(first)) {
    return words.length > 1 ? undefined : `no command ${first}`;
  }
  if (first === 'help') return undefined;
  const own = await helpOf([first]);
  const isNested = /^Commands:/m.test(own) && /^[a-z]/.test(second);
  const help = isNested ? own + (await helpOf([first, second])) : own;
  const wrong = words
    .filter((word) => /^--[a-z]/.test(word))
    .map((word) => word.split('=')[0] ?? word)
    .find(
      (option) => option !== '--help-all' && option !== '--help' && !new RegExp(`${option}\\b`).test(help),
    );
  return wrong === undefined ? undefined : `no option ${wrong}`;
}

test('every waymark command of a page exists, with its options', async () => {
  const all = [
    ...fenced.filter(({ line }) => line.startsWith('waymark ')),
    ...pages.flatMap(inlineCommands),
    ...pages.flatMap(startedCommands),
  ];
  const wrong: string[] = [];
  for (const command of all) {
    const problem = await problemOf(command);
    if (problem !== undefined) wrong.push(`${command.page}: ${command.line}: ${problem}`);
  }

  expect(all.length).toBeGreaterThan(100);
  expect(wrong).toEqual([]);
});

const toRun = fenced.filter((command) => !isElsewhere(command) && command.line.startsWith('waymark '));

test.each([...new Set(toRun.map(({ line }) => line))])('%s', async (line) => {
  const { code, stderr } = await shop(inShop(line));

  // 1 is no answer: nothing is found, or doctor found something.
  expect({ code: code === 1 ? 0 : code, stderr }).toEqual({
    code: 0,
    stderr: expect.not.stringMatching(/internal/),
  });
});
