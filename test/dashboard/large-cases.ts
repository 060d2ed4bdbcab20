/** Every screen on the installation of a long life: 1,000 projects and a memory of 50,000 entries, put in place through the storage's port. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fillMemory, rememberProjects } from '../campaigns/page/large-life.ts';
import { auditOf, openPage, overflow, show, type Watched } from '../support/page-browser.ts';
import { servePage } from '../support/served-page.ts';
import type { OnEnd } from '../support/temp-folder.ts';
import { SHOP_FILES } from '../support/search-shop.ts';
import { emptyHome } from '../support/waymark.ts';

const PROJECTS = 1_000;
const ENTRIES = 50_000;
const FILLING_MS = 120_000;

export interface LargeParts {
  readonly browser: Browser;
  readonly screens: readonly string[];
  readonly onEnd: OnEnd;
}

export function describeLarge(parts: () => LargeParts): void {
  describe('R152 with 1,000 projects and 50,000 entries', () => {
    let open: Watched;
    let page: Page;
    let root: string;
    const goTo = (screen: string): Promise<void> =>
      show(page, `${screen}?${new URLSearchParams({ root }).toString()}`);

    beforeAll(async () => {
      const { browser, onEnd } = parts();
      const home = emptyHome(onEnd);
      // Without git the folder is what the memory belongs to.
      const files = Object.entries(SHOP_FILES).filter(([path]) => !path.startsWith('.git'));
      home.folder.write(Object.fromEntries(files.map(([path, text]) => [`large/${path}`, text])));
      root = home.folder.join('large');
      const dataDir = home.folder.join('share', 'waymark');
      await rememberProjects(dataDir, home.folder.path, PROJECTS);
      await fillMemory(dataDir, root, ENTRIES, 'cheap');
      const served = await servePage([root], { home, onEnd });
      open = await openPage(browser, served.link);
      ({ page } = open);
    }, FILLING_MS);
    afterAll(() => page.context().close());

    test('every screen comes up, fits a window and a phone, and axe finds nothing serious', async () => {
      const { screens } = parts();

      const problems: string[] = [];
      for (const screen of screens) {
        await goTo(screen);
        problems.push(...(await auditOf(page)).map((finding) => `${screen}: ${finding}`));
        await page.setViewportSize({ width: 360, height: 800 });
        if ((await overflow(page)) > 0) problems.push(`${screen} is too wide for a phone`);
        await page.setViewportSize({ width: 1280, height: 800 });
      }

      expect(problems).toEqual([]);
      expect([...open.troubles, ...open.strayed]).toEqual([]);
    });

    test('of all projects the latest are listed, and any is found by its name', async () => {
      await goTo('projects');
      await page.locator('.count', { hasText: 'of 1,00' }).waitFor();

      await page.getByPlaceholder('Find a project').fill('project-0742');
      await page.locator('.count', { hasText: /^1 project$/ }).waitFor();

      expect(await page.locator('.project').innerText()).toContain('project-0742');
    });

    test('a branch is chosen among all entries, not among those on the screen', async () => {
      await goTo('memory');
      const branch = page.getByLabel('Branch');

      expect(await branch.innerText()).toMatch(/main \(45,000\)\s+release \(5,000\)/);
      await branch.selectOption('release');
      await page
        .locator('.timeline[aria-busy="false"] .entry .chip', { hasText: 'main' })
        .first()
        .waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Show more' }).click();

      await expect.poll(() => page.locator('.entry').count()).toBe(100);
      expect(await page.locator('.entry .chip', { hasText: 'main' }).count()).toBe(0);
    });
  });
}
