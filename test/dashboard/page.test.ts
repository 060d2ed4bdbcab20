/** The page in a real browser: one server and one browser for all cases. */
import { chmodSync, copyFileSync, existsSync, readFileSync, utimesSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { indexFile } from '../../src/storage/index.ts';
import { openClient } from '../support/clients.ts';
import { auditOf, openBrowser, openPage, overflow, show, type Watched } from '../support/page-browser.ts';
import { send } from '../support/raw-http.ts';
import { servePage, type ServedPage } from '../support/served-page.ts';
import { searchShop } from '../support/search-shop.ts';
import { shareServers } from '../support/shared-servers.ts';
import { collectEnds, tempFolder } from '../support/temp-folder.ts';
import { emptyHome, run, start, watchOutput } from '../support/waymark.ts';
import { ask, describeAccess, enter } from './access-cases.ts';
import { describeHostile } from './hostile-cases.ts';
import { describeLarge } from './large-cases.ts';
import { describeLayout } from './layout-cases.ts';
import { describeScreens } from './screen-cases.ts';

const LONG_AGO = new Date('2020-01-01');
const WHAT_TO_DO = /claude mcp add|waymark (?:index|setup|ui)/;
const SCREENS = ['projects', 'live', 'playground', 'coverage', 'memory', 'map', 'clients'] as const;
const { onEnd, end } = collectEnds();
const home = emptyHome(onEnd);
const shop = searchShop(onEnd);
const shared = shareServers();
let served: ServedPage;
let browser: Browser;
let open: Watched;

beforeAll(async () => {
  [served, browser] = await Promise.all([servePage([], { home, onEnd }), openBrowser(onEnd)]);
  open = await openPage(browser, served.link);
});
afterAll(end);

async function newLink(): Promise<string> {
  const { stdout } = await run(['ui'], { home, onEnd });
  return /http:\S+#code=\S+/.exec(stdout)?.[0] ?? '';
}

test('F01 without --ui nothing of the page answers', async () => {
  const { port } = await shared();

  const replies = await Promise.all(
    ['/', '/ui', '/ui/', '/ui/page.js', '/ui/api/projects', '/ui/api/session'].flatMap((path) =>
      ['GET', 'POST'].map((method) => send(port, { method, path, headers: { host: `127.0.0.1:${port}` } })),
    ),
  );

  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([404]));
});

describeAccess(async () => ({ served, newLink }));

describe('R152 on an empty installation', () => {
  test.each(SCREENS)('%s says what to do', async (screen) => {
    await show(open.page, screen);

    expect(await open.page.locator('main').innerText()).toMatch(WHAT_TO_DO);
    expect(await auditOf(open.page)).toEqual([]);
    await open.page.setViewportSize({ width: 360, height: 800 });
    expect(await overflow(open.page)).toBeLessThanOrEqual(0);
    await open.page.setViewportSize({ width: 1280, height: 800 });
  });
});

describe('R152 on real files', () => {
  beforeAll(async () => {
    const client = await openClient({ kind: 'HTTP, version 2, modern', url: served.url, onEnd });
    await client.call('project_status', { project: shop.path });
    await open.page.reload();
  });

  test('a project is indexed from the page, which shows how far it is read', async () => {
    const { page } = open;
    await show(page, 'projects');

    await page.getByRole('button', { name: /^Index/ }).click();

    await page.getByText(/\d+ definitions/).waitFor();
    expect(await page.locator('.project').innerText()).toMatch(/\d+ files\s[^]*% exact/);
  });

  test('the index of another release that lies beside it does not hide how a project is indexed', async () => {
    const current = indexFile(home.folder.join('cache', 'waymark'), shop.path);
    const other = current.replace(/-v\d+\.db$/, '-v1.db');
    for (const end of ['', '-wal']) {
      copyFileSync(`${current}${end}`, `${other}${end}`);
      utimesSync(`${other}${end}`, LONG_AGO, LONG_AGO);
    }
    const session = await enter(served.port, await newLink());

    const { rows } = JSON.parse((await ask(served.port, { path: 'projects', session })).text);

    expect(rows).toMatchObject([{ root: shop.path, index: 'current' }]);
  });

  test('the playground finds code and says in plain words why it stands there', async () => {
    const { page } = open;
    await show(page, 'playground');

    await page.getByRole('searchbox', { name: 'Question' }).fill('how are items put into the cart');
    await page.keyboard.press('Enter');
    await page.locator('.hit').first().waitFor();

    const hit = page.locator('.hit').first();
    expect(await hit.innerText()).toContain('src/cart/cart.ts');
    expect(await hit.getByLabel('Why it stands here').innerText()).toMatch(
      /\+\d\.\d\s[^]*words of the query/,
    );
    expect(await auditOf(page)).toEqual([]);
  });

  test('two queries stand side by side', async () => {
    const { page } = open;
    await show(page, 'playground');

    await page.getByLabel('Two queries side by side').check();
    await page.getByRole('searchbox', { name: 'Second question' }).fill('addItem');
    await page.keyboard.press('Enter');
    await page.locator('section[aria-label="Second question"] .hit').first().waitFor();

    expect(await page.locator('.ask-pane').count()).toBe(2);
    await page.getByLabel('Two queries side by side').uncheck();
  });

  test.each(['light', 'dark'] as const)(
    'R152 fits a phone, %s, and axe finds nothing serious',
    async (colorScheme) => {
      const phone = await openPage(browser, await newLink(), { width: 360, colorScheme });

      const problems: string[] = [];
      for (const screen of SCREENS) {
        await show(phone.page, screen);
        const over = await overflow(phone.page);
        if (over > 0) problems.push(`${screen} is ${over} px too wide`);
        problems.push(...(await auditOf(phone.page)));
      }

      expect(problems).toEqual([]);
      expect([...phone.troubles, ...phone.strayed]).toEqual([]);
      await phone.page.context().close();
    },
  );

  test('R150 the page tells how to connect as the terminal does, with the project where a client may not tell it', async () => {
    const here = await servePage([], { home: emptyHome(onEnd), cwd: shop.path, onEnd });
    const [paste] = await here.saw(/claude mcp add .+/);
    const { page } = await openPage(browser, here.link);

    const shown = await page.locator('.command code').first().innerText();

    expect(paste).toContain(`?project_path=${shop.path}"`);
    expect(shown).toBe(paste);
    await page.context().close();
  });

  test('R152 the keyboard alone reaches every screen', async () => {
    const { page } = open;
    await show(page, 'projects');
    await page.reload();
    await page.waitForSelector('nav a');

    const reached = new Set<string>();
    for (let step = 0; step < 12; step++) {
      await page.keyboard.press('Tab');
      const address = String(await page.evaluate("document.activeElement?.getAttribute('href')"));
      reached.add(/^#\/(\w+)/.exec(address)?.[1] ?? '');
    }

    expect([...reached]).toEqual(expect.arrayContaining([...SCREENS]));
  });
});

describeScreens(() => ({ page: open.page, url: served.url, shop, onEnd }));
describeLayout(() => ({ browser, url: served.url, screens: SCREENS, shop, onEnd, newLink }));
describeLarge(() => ({ browser, screens: SCREENS, onEnd }));
describeHostile(() => ({ url: served.url, browser, screens: SCREENS, onEnd, newLink }));

test('R150 `waymark ui` serves by itself where no server has a page or at the port that is asked for, and --open alone opens a browser', async () => {
  const alone = emptyHome(onEnd);
  // Stands in the place of the system's: notes what it is told to open.
  const programs = tempFolder({ 'xdg-open': '#!/bin/sh\nprintf %s "$1" > "$0.asked"\n' }, onEnd);
  chmodSync(programs.join('xdg-open'), 0o755);
  const env = { PATH: `${programs.path}:${process.env['PATH'] ?? ''}` };
  const child = start(['ui', '--open', '--port', '0'], { home: alone, env, onEnd });
  const [link] = await watchOutput(child)(/http:\S+#code=\S+/);

  await expect.poll(() => existsSync(programs.join('xdg-open.asked'))).toBe(true);
  const joined = await run(['ui'], { home: alone, onEnd });

  expect(readFileSync(programs.join('xdg-open.asked'), 'utf8')).toBe(link);
  expect(joined.stdout).toContain(new URL(link).origin);
  expect(/#code=\S+/.exec(joined.stdout)?.[0]).not.toBe(new URL(link).hash);
  const elsewhere = start(['ui', '--port', '0'], { home: alone, onEnd });
  const [own] = await watchOutput(elsewhere)(/http:\S+#code=\S+/);
  const sameAgain = await run(['ui', shop.path, '--port', new URL(link).port], { home: alone, onEnd });

  expect(new URL(own).origin).not.toBe(new URL(link).origin);
  expect(sameAgain.stdout).toContain(`${new URL(link).origin}/ui/#code=`);
  expect(sameAgain.stdout).toContain('choose the project on the page');
  elsewhere.kill();
  child.kill();
});

test('R151 a link that was used says how to get another one', async () => {
  const { page } = await openPage(browser, served.link);

  expect(await page.locator('main').innerText()).toContain('waymark ui');
  await page.context().close();
});

test('R104 where a token is required, the page is let in by its link and MCP still wants the token', async () => {
  const strict = await servePage(['--require-token'], { home: emptyHome(onEnd), onEnd });

  const mcp = await send(strict.port, {
    method: 'POST',
    path: '/mcp',
    headers: { host: `127.0.0.1:${strict.port}`, 'content-type': 'application/json' },
    body: {},
  });
  const { page, troubles } = await openPage(browser, strict.link);

  expect(mcp.status).toBe(401);
  expect(await page.locator('h1').innerText()).toBe('Projects');
  expect(troubles).toEqual([]);
  await page.context().close();
});

test('R165 where a token is asked for, what the page writes is in the log of writes, and nothing of what was said', async () => {
  const guarded = emptyHome(onEnd);
  const { port, link } = await servePage(['--require-token'], { home: guarded, cwd: shop.path, onEnd });
  const session = await enter(port, link);
  const kept = await run(['remember', 'Totals are in cents.', '--json'], {
    home: guarded,
    cwd: shop.path,
    onEnd,
  });
  const { id } = JSON.parse(kept.stdout).entry;
  await run(['token', 'create', 'ci'], { home: guarded, onEnd });

  await ask(port, {
    path: 'memory/edit',
    body: { root: shop.path, id, content: 'Secretly in euros.' },
    session,
  });
  await ask(port, { path: 'memory/forget', body: { root: shop.path, id: 'cp-000000000000' }, session });
  await ask(port, { path: 'memory', body: { root: shop.path }, session });

  const log = readFileSync(guarded.folder.join('share', 'waymark', 'audit.jsonl'), 'utf8');
  const lines = log
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  expect(lines).toMatchObject([
    { tool: 'token create', outcome: 'ok', principal: 'local', client: 'waymark' },
    { tool: 'page memory/edit', outcome: 'ok', client: 'waymark page', project: shop.path },
    { tool: 'page memory/forget', outcome: 'failed', error: 'not_found' },
  ]);
  expect(log).not.toContain('euros');
});

test('R150 the page asked no other address for anything, and no script was refused', () => {
  expect(open.strayed).toEqual([]);
  expect(open.troubles).toEqual([]);
});
