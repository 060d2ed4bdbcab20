/** Where things stand on the page: nothing moves by itself, nothing covers what is asked, nothing touches the edge. */
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPage, show, type Watched } from '../support/page-browser.ts';
import { openClient } from '../support/clients.ts';
import { makeRepository } from '../support/git.ts';
import { tempFolder, type OnEnd, type TempFolder } from '../support/temp-folder.ts';

export interface LayoutParts {
  readonly browser: Browser;
  readonly url: string;
  readonly screens: readonly string[];
  readonly shop: TempFolder;
  readonly onEnd: OnEnd;
  newLink(): Promise<string>;
}

const WIDTHS = [360, 768, 1280] as const;
const EDGE = 12;
const WATCH_SHIFTS = `(() => {
  globalThis.shifts = [];
  globalThis.watch?.disconnect();
  globalThis.watch = new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries())
      globalThis.shifts.push(value.toFixed(4) + ' ' + sources.map(({ node }) => node?.outerHTML?.slice(0, 60)).join(', '));
  });
  globalThis.watch.observe({ type: 'layout-shift' });
})()`;
const DRAWN = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

async function boxOf(place: Locator): Promise<Box> {
  const box = await place.boundingBox();
  if (box === null) throw new Error('it is not drawn');
  return box;
}

function overlap(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

export function describeLayout(parts: () => LayoutParts): void {
  describe('R152 where things stand', () => {
    let open: Watched;
    let page: Page;
    let address: (screen: string) => string;
    /** Answers of the API that are under way, but for the stream of calls. */
    const pending = new Set<unknown>();
    const settled = async (): Promise<void> => {
      await page.waitForSelector('.skeleton', { state: 'detached' });
      await expect.poll(() => pending.size, { timeout: 20_000 }).toBe(0);
      await page.evaluate(DRAWN);
    };
    const resize = (width: number, height = 800): Promise<void> => page.setViewportSize({ width, height });

    beforeAll(async () => {
      const { browser, shop, newLink } = parts();
      open = await openPage(browser, await newLink());
      ({ page } = open);
      page.on('request', (request) => {
        if (/\/ui\/api\/(?!live$)/.test(request.url())) pending.add(request);
      });
      page.on('requestfinished', (request) => pending.delete(request));
      page.on('requestfailed', (request) => pending.delete(request));
      address = (screen) => `${screen}?${new URLSearchParams({ root: shop.path }).toString()}`;
    });
    afterAll(() => page.context().close());

    test.each(WIDTHS)('nothing moves while a screen loads, %s px wide', async (width) => {
      await resize(width);
      const moved: string[] = [];

      for (const screen of parts().screens) {
        await show(page, screen === 'projects' ? 'clients' : 'projects');
        await settled();
        await page.evaluate(WATCH_SHIFTS);
        await show(page, address(screen));
        await settled();
        moved.push(
          ...(await page.evaluate<string[]>('globalThis.shifts')).map((said) => `${screen}: ${said}`),
        );
      }

      expect(moved).toEqual([]);
    });

    test.each(WIDTHS)('to ask whether an index is deleted moves nothing, %s px wide', async (width) => {
      await resize(width);
      await show(page, 'projects');
      await settled();
      const card = page.locator('.project', { hasText: parts().shop.path }).first();
      const before = await boxOf(card);

      await card.getByRole('button', { name: /^Delete index/ }).click();
      const asked = await boxOf(card);
      const focused = await page.evaluate('document.activeElement?.textContent');
      await page.keyboard.press('Escape');

      expect(asked).toEqual(before);
      expect(focused).toBe('Keep it');
      expect(await boxOf(card)).toEqual(before);
      expect(await page.evaluate('document.activeElement?.textContent')).toMatch(/^\s*Delete index/);
    });

    test('what is said does not cover what is asked, and goes with the next click', async () => {
      await resize(360, 640);
      await show(page, 'clients');
      await show(page, 'projects');
      await settled();
      const card = page.locator('.project', { hasText: parts().shop.path }).first();
      const place = await boxOf(card);
      // What is asked is at the lower edge of the window.
      await resize(360, Math.round(place.y + place.height) + 4);

      await card.getByRole('button', { name: /^Update index/ }).click();
      await card.getByRole('button', { name: /^Delete index/ }).click();
      const said = page.locator('.message', { hasText: 'is indexed' });
      await said.waitFor();
      const message = await boxOf(said);
      const buttons = await Promise.all((await card.locator('.ask button').all()).map(boxOf));
      await card.getByRole('button', { name: 'Keep it' }).click();

      expect(buttons).toHaveLength(2);
      expect(buttons.filter((button) => overlap(button, message))).toEqual([]);
      expect(await page.locator('.message').textContent()).toBe('');
    });

    test.each(['coverage', 'map'])(
      'on a phone the way to a folder of %s stays off the edge',
      async (screen) => {
        const { shop } = parts();
        const folder = 'src/a-folder-with-a-long-name/and-one-inside-of-it/that-goes-on-and-on';
        shop.write({ [`${folder}/a.ts`]: 'export const a = 1;\n', [`${folder}/b.ts`]: "import './a.ts';\n" });
        await resize(360, 740);
        await show(page, address(screen));
        await settled();
        const crumbs = page.locator('.crumbs');

        const links = await page.locator('aside nav a').all();
        const places = await Promise.all([...links, crumbs].map(boxOf));
        if (screen === 'map') {
          await page.getByPlaceholder('src/main.ts').fill(`${folder}/a.ts`);
          await page.getByRole('button', { name: 'Show file' }).click();
          await crumbs.getByText('that-goes-on-and-on').waitFor();
          places.push(await boxOf(crumbs));
        }

        expect(links).toHaveLength(parts().screens.length);
        expect(places.filter(({ x, width }) => x < EDGE - 4 || x + width > 360 - EDGE)).toEqual([]);
      },
    );

    test('many uncommitted files do not make the page endless', async () => {
      const many = tempFolder({}, parts().onEnd);
      makeRepository(many.path);
      many.write(
        Object.fromEntries(
          Array.from({ length: 300 }, (_, at) => [`new/file-${at}.ts`, `export const n${at} = ${at};\n`]),
        ),
      );
      const agent = await openClient({ kind: 'HTTP, version 1', url: parts().url });
      await agent.call('index_codebase', { project: many.path });
      await resize(360, 740);

      await show(page, 'projects');
      await show(page, `map?${new URLSearchParams({ root: many.path }).toString()}`);
      await settled();
      await page.getByRole('button', { name: /^Show all 300\s+files: changed/ }).waitFor();

      expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThan(3_000);
    });

    test('in little room a table is a block for each row, with nothing cut off', async () => {
      await resize(360, 740);
      const wide: string[] = [];

      for (const screen of ['live', 'coverage', 'map', 'clients']) {
        await show(page, address(screen));
        await settled();
        for (const details of await page.locator('main details').all()) await details.click();
        for (const table of await page.locator('table.stacking').all()) {
          const { width } = await boxOf(table);
          const cells = await table.locator('tbody td:visible').all();
          const right = Math.max(...(await Promise.all(cells.map(boxOf))).map((box) => box.x + box.width));
          if (width > 330 || right > 348) wide.push(`${screen}: ${width}, ${right}`);
        }
      }

      expect(wide).toEqual([]);
    });
  });
}
