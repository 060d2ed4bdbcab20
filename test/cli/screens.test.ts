/** What people see: the real binary in a terminal of a given size. golden.test.ts has more screens, in more looks, without a terminal. */
import { mkdirSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { resolveConfig } from '../../src/config/index.ts';
import { SHOP_FILES } from '../support/search-shop.ts';
import { collectEnds, tempFolder, type TempFolder } from '../support/temp-folder.ts';
import { playTerminal, type Typed } from '../support/terminal.ts';
import { BIN, run, type Home } from '../support/waymark.ts';

let folder: TempFolder;
let home: Home;

beforeAll(async () => {
  const { onEnd, end } = collectEnds();
  const files = Object.entries(SHOP_FILES).map(([path, text]) => [`home/shop/${path}`, text]);
  folder = tempFolder(Object.fromEntries(files), onEnd);
  mkdirSync(folder.join('home/empty'));
  home = {
    folder,
    env: {
      PATH: process.env['PATH'] ?? '',
      TZ: 'UTC',
      HOME: folder.join('home'),
      XDG_CONFIG_HOME: folder.join('config'),
      XDG_DATA_HOME: folder.join('share'),
      XDG_CACHE_HOME: folder.join('cache'),
    },
  };
  await run(['index', folder.join('home/shop')], { home, onEnd });
  return end;
});

interface Screen {
  readonly size?: readonly [columns: number, rows: number];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly typed?: readonly Typed[];
}

function play(
  args: readonly string[],
  { size: [columns, rows] = [80, 24], env, cwd = 'home/shop', typed = [] }: Screen = {},
) {
  return playTerminal([process.execPath, BIN, ...args], {
    cwd: folder.join(cwd),
    env: { ...home.env, ...env },
    typed,
    size: { columns, rows },
  });
}

/** Colours as one reads them in a file. */
function readable(text: string): string {
  return text.replaceAll('\u001b[', '␛').replaceAll(/^(.*Waymark\S* (?:\S*m)?)\d+\.\d+\.\d+/gm, '$1VERSION');
}

const QUESTION = ['how', 'are', 'sessions', 'expired'] as const;
const PLAIN = { NO_COLOR: '1' };

describe('golden screens of the binary', () => {
  test.each<readonly [name: string, args: readonly string[]]>([
    ['search-80-dark', QUESTION],
    ['home-80-dark', []],
  ])('%s', async (name, args) => {
    const { colored, screen: shown } = await play(args);

    await expect(readable(colored)).toMatchFileSnapshot(`screens/${name}.txt`);
    expect(shown.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });
});

test('what does not fit the window goes through $PAGER, unless --no-pager says otherwise; a pipe never does', async () => {
  const env = { PAGER: "/bin/sed 's/^/paged: /'", ...PLAIN };
  const all = ['search', 'session', '--all'];

  const paged = await play(all, { env });
  const direct = await play([...all, '--no-pager'], { env });
  const short = await play(QUESTION, { env });
  const broken = await play(all, { env: { ...env, PAGER: '/no/such/pager' } });
  const piped = await run(all, { home, cwd: folder.join('home/shop'), env });

  expect(paged.screen.split('\n').filter((line) => line.startsWith('paged: ')).length).toBeGreaterThan(40);
  expect(direct.screen).not.toContain('paged: ');
  expect(short.screen).not.toContain('paged: ');
  expect(broken.screen).toContain(direct.screen.trimEnd());
  expect(piped.stdout).not.toContain('paged: ');
});

test('a slip of a command is asked about: it runs, or the words are searched', async () => {
  const asked = /\[Y\/n, s to search\]/;

  const meant = await play(['stauts'], { env: PLAIN, typed: [{ after: asked, type: '\n' }] });
  const searched = await play(['stauts'], { env: PLAIN, typed: [{ after: asked, type: 's\n' }] });
  const neither = await play(['stauts'], { env: PLAIN, typed: [{ after: asked, type: 'n\n' }] });

  expect(meant.screen).toMatch(/Did you mean `waymark status`\?[^]*project +shop in/);
  expect(searched.screen).not.toMatch(/project +shop in/);
  expect(neither).toMatchObject({
    code: 2,
    screen: expect.stringContaining('There is no command `stauts`.'),
  });
});

test('the home screen and status name the last checkpoint, and how long ago it was', async () => {
  const { config } = resolveConfig({ env: home.env });
  const app = createApp({ config, environment: () => home.env });
  await app.memory.save(
    folder.join('home/shop'),
    { origin: 'typed', client: 'test', tool: 'test' },
    {
      kind: 'checkpoint',
      name: 'Sessions expire',
      summary: '',
      content: 'half done',
      tags: [],
      fields: {},
      files: [],
    },
  );
  await app.close();

  const { screen } = await play([], { env: PLAIN });
  const piped = await run(['status'], { home, cwd: folder.join('home/shop') });

  expect(screen).toMatch(/memory +1 checkpoint\n +checkpoint +Sessions expire, just now, on main \(cp-/);
  expect(piped.stdout).toMatch(/checkpoint +Sessions expire, \d{4}-\d\d-\d\d \d\d:\d\d, on main \(cp-/);
});

test('--color and --theme win over the environment', async () => {
  const never = await play(['status', '--color', 'never']);
  const light = await play(['status', '--color', 'always', '--theme', 'light'], { env: PLAIN });

  expect(never.colored).toBe(never.screen);
  expect(light.colored).toContain('\u001b[34mwaymark setup\u001b[0m');
});

test.each([
  ['mcp', /Waiting for an MCP client on standard input: agents start this by themselves/],
  ['probe', /Waiting for an MCP client on standard input\. Put `waymark probe` in place/],
])('%s on a terminal says what it waits for', async (command, waits) => {
  const { screen } = await play([command], { typed: [{ after: /Waiting/, type: '\u0003' }] });

  expect(screen).toMatch(waits);
});

test('of the agents found, those are connected whose numbers or names are typed', async () => {
  for (const name of ['.cursor', '.codex']) mkdirSync(folder.join('home', name));
  const setup = (answer: string) =>
    play(['setup', '--skip-index'], {
      env: PLAIN,
      typed: [{ after: /or which[^:]*: /, type: `${answer}\n` }],
    });

  const wrong = await setup('7');
  const chosen = await setup('2');
  const after = await run(['status', '--json'], { home, cwd: folder.join('home/shop') });

  expect(wrong).toMatchObject({ code: 2, screen: expect.stringContaining('7 is not in the list above') });
  expect(chosen.screen).toMatch(/ 1 \+ {2}Cursor +~\/\.cursor\/mcp\.json +new file\n 2 \+ {2}Codex /);
  const { agents } = JSON.parse(after.stdout);
  expect(agents).toEqual([
    { client: 'cursor', state: 'found' },
    { client: 'codex', state: 'connected' },
  ]);
});
