/** Calls over stdio run in processes of their own, and are seen on the page of a server of the same user. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { openClient } from '../support/clients.ts';
import { openBrowser, openPage, show } from '../support/page-browser.ts';
import { send } from '../support/raw-http.ts';
import { searchShop } from '../support/search-shop.ts';
import { servePage } from '../support/served-page.ts';
import { collectEnds } from '../support/temp-folder.ts';
import { BIN, emptyHome } from '../support/waymark.ts';

const { onEnd, end } = collectEnds();
const shop = searchShop(onEnd);
let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser(onEnd);
});
afterAll(end);

/** Pixels of a chart that are of neither its ground nor its lines. */
const DRAWN_POINTS = `(() => {
  const canvas = [...document.querySelectorAll('.charts .card')].find((card) => card.textContent.includes('Latency')).querySelector('canvas');
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  let coloured = 0;
  for (let at = 0; at < data.length; at += 4)
    if (data[at + 3] > 200 && Math.max(data[at], data[at + 1], data[at + 2]) - Math.min(data[at], data[at + 1], data[at + 2]) > 60) coloured++;
  return coloured;
})()`;

describe('R152 a client over stdio', () => {
  test('is seen on Live and Clients, and a single burst of its calls has its latency drawn', async () => {
    const home = emptyHome(onEnd);
    const { link } = await servePage([], { home, onEnd });
    const { page, troubles } = await openPage(browser, link);
    await show(page, 'live');
    const agent = await openClient({
      kind: 'stdio, version 1',
      program: BIN,
      cwd: shop.path,
      env: home.env,
      name: 'stdio-agent',
      structured: false,
      onEnd,
    });

    const answer = await agent.call('search_code', { query: 'how are items put into the cart' });
    const row = page.locator('.calls tr', { hasText: 'how are items put into the cart' });
    await row.waitFor();
    const said = await row.innerText();
    const points = Number(await page.evaluate(DRAWN_POINTS));
    await row.getByRole('button').click();
    const read = await page.locator('dialog pre.read').textContent();
    await page.keyboard.press('Escape');
    await show(page, 'clients');
    const client = page.locator('article', { hasText: 'stdio-agent' });
    await client.getByText('How its project was found').click();

    expect(said).toContain('stdio-agent');
    expect(read).toBe(answer.text);
    expect(points).toBeGreaterThan(10);
    expect(await client.innerText()).toMatch(/stdio[^]*the working directory\s+won/);
    expect(troubles).toEqual([]);
    await page.context().close();
  });

  test('tells its last call too, when it leaves at once', async () => {
    const home = emptyHome(onEnd);
    const { link } = await servePage([], { home, onEnd });
    const { page } = await openPage(browser, link);
    await show(page, 'live');
    const agent = await openClient({
      kind: 'stdio, version 1',
      program: BIN,
      cwd: shop.path,
      env: home.env,
      onEnd,
    });

    await agent.call('project_status');
    await page.locator('.calls tr', { hasText: 'project_status' }).waitFor();

    await agent.call('switch_project', { project: shop.path });
    await agent.close();

    await page.locator('.calls tr', { hasText: 'switch_project' }).waitFor();
    await page.context().close();
  });
});

test('R151 calls are taken from who has the key in the note alone, and no page gets a proof of it', async () => {
  const { port } = await servePage([], { home: emptyHome(onEnd), onEnd });
  const call = { client: 'x', transport: 'stdio', at: 1, ms: 1, tool: 'x', isError: false };
  const ask = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    send(port, {
      method: 'POST',
      path: `/ui/api/${path}`,
      headers: { host: `127.0.0.1:${port}`, 'content-type': 'application/json', ...headers },
      body,
    });

  const told = await ask('calls', { calls: [call], listings: [] });
  const guessed = await ask(
    'calls',
    { calls: [call], listings: [] },
    { authorization: `Bearer ${'x'.repeat(43)}` },
  );
  const asPage = await ask('proof', { nonce: 'n'.repeat(32) }, { origin: `http://127.0.0.1:${port}` });

  expect([told.status, guessed.status, asPage.status]).toEqual([403, 403, 403]);
});
