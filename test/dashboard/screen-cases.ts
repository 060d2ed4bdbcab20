/** What each screen is for, done in a browser. */
import { rmSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { estimateListingTokens } from '../../src/text/index.ts';
import { openClient, type OpenClient } from '../support/clients.ts';
import { auditOf, show } from '../support/page-browser.ts';
import type { TempFolder, OnEnd } from '../support/temp-folder.ts';

export interface ScreenParts {
  readonly page: Page;
  readonly url: string;
  readonly shop: TempFolder;
  readonly onEnd: OnEnd;
}

export function describeScreens(parts: () => ScreenParts): void {
  describe('R152 what the screens are for', () => {
    let agent: OpenClient;
    let page: Page;
    let shop: TempFolder;
    /** Anew: what was chosen on it before is forgotten. */
    const open = async (screen: string): Promise<void> => {
      await show(page, screen === 'projects' ? 'clients' : 'projects');
      await show(page, `${screen}?${new URLSearchParams({ root: shop.path }).toString()}`);
    };

    beforeAll(async () => {
      const { url, onEnd, ...rest } = parts();
      ({ page, shop } = rest);
      agent = await openClient({
        kind: 'HTTP, version 1',
        url,
        name: 'test-agent',
        structured: false,
        onEnd,
      });
    });

    test('Live shows a call at once, and opened exactly what the agent read', async () => {
      await open('live');

      const answer = await agent.call('search_code', {
        query: 'how are items put into the cart',
        project: shop.path,
      });
      const row = page.locator('.calls tr', { hasText: 'how are items put into the cart' });
      await row.waitFor();
      await row.getByRole('button').click();

      expect(await row.innerText()).toMatch(/search_code[^]*test-agent/);
      expect(await page.locator('dialog pre.read').textContent()).toBe(answer.text);
      expect(await auditOf(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.locator('dialog').waitFor({ state: 'detached' });
    });

    test('Live sets the tokens that searches served against those of the files they stand for', async () => {
      await open('live');

      const figures = await page.locator('.figures').innerText();

      expect(figures).toMatch(/Tokens served by searches\s+[\d.]+K?\s/);
      expect(figures).toMatch(/Served of that\s+[\d.]+ %/);
    });

    test('Memory shows a timeline; an entry is edited, compared with its version, forgotten and taken back', async () => {
      await agent.call('checkpoint_save', {
        project: shop.path,
        summary: 'The cart keeps its prices in cents',
        content: 'line one\nline two',
        files: ['src/cart/cart.ts'],
        tags: ['cart'],
      });
      await open('memory');
      const entry = page.locator('.entry', { hasText: 'The cart keeps its prices in cents' });

      await page.getByLabel('Branch').selectOption('main');
      await entry.waitFor();
      await page.getByLabel('Branch').selectOption('');
      await entry.getByRole('button', { name: 'The cart keeps its prices in cents' }).first().click();
      await page.getByRole('button', { name: 'Edit' }).click();
      await page.getByLabel('Content').fill('line one\nline three');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.locator('.diff').waitFor();

      expect(await page.locator('.diff .removed').innerText()).toContain('line two');
      expect(await page.locator('.diff .added').innerText()).toContain('line three');
      expect(await page.locator('dialog').innerText()).toMatch(/unchanged\s+src\/cart\/cart\.ts/);
      await page.keyboard.press('Escape');

      await entry.getByRole('button', { name: /^Forget/ }).click();
      await entry.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Bin' }).click();
      await entry.getByRole('button', { name: /^Take back/ }).click();
      await entry.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Bin' }).click();
      await entry.waitFor();
      await page.getByPlaceholder('Search in any words').fill('prices of the cart');
      await page.getByText('Found', { exact: true }).waitFor();
      expect(await page.locator('.entry').first().innerText()).toContain(
        'The cart keeps its prices in cents',
      );
    });

    test('Memory says in the list what became of the files that an entry speaks of', async () => {
      shop.write({ 'src/passing.ts': 'export const passing = 1;\n' });
      await agent.call('checkpoint_save', {
        project: shop.path,
        summary: 'A file that does not stay',
        content: 'it is about src/passing.ts',
        files: ['src/passing.ts'],
      });
      rmSync(shop.join('src/passing.ts'));

      await open('memory');

      const entry = page.locator('.entry', { hasText: 'A file that does not stay' });
      expect(await entry.innerText()).toMatch(/look again\s+since it was noted, src\/passing\.ts is gone/);
    });

    test('Coverage shows syntax errors, and says nothing is whole that is not', async () => {
      shop.write({ 'src/broken.ts': 'export const fine = 1;\nfunction (( {\n' });
      await agent.call('index_codebase', { project: shop.path });
      await agent.call('outline', { project: shop.path });
      await open('coverage');

      await page.getByText(/1 file with errors/).waitFor();
      const figures = await page.locator('.figures').innerText();

      expect(figures).toMatch(/With errors\s+[\d.]+ %/);
      expect(figures).not.toMatch(/Exact\s+100 %/);
      await page.getByRole('button', { name: 'src/', exact: true }).last().click();
      const row = page.locator('tr', { hasText: 'broken.ts' });
      expect(await row.innerText()).toMatch(/[\d.]+ % not understood/);
    });

    test('Coverage draws every file by how it was read, and says why one is not there', async () => {
      shop.write({ 'package-lock.json': '{}' });
      await open('coverage');

      await page.getByLabel('Why is this file not there?').fill('package-lock.json');
      await page.getByRole('button', { name: 'Explain' }).click();

      expect(await page.locator('.why-not .chip').innerText()).toBe('lock file');
      expect(await page.locator('.tile').count()).toBeGreaterThan(2);
      await page.getByRole('button', { name: 'src/', exact: true }).last().click();
      expect(await page.getByRole('region', { name: 'Folders and files' }).innerText()).toContain('cart/');
      expect(await auditOf(page)).toEqual([]);
    });

    test('Code map goes from folders to a file and what is around it', async () => {
      await open('map');

      await page.getByPlaceholder('src/main.ts').fill('src/cart/cart.ts');
      await page.getByRole('button', { name: 'Show file' }).click();
      await page.locator('.node.here').waitFor();
      await page.getByText('The same as a list').click();

      expect(await page.getByRole('region', { name: 'Parts of the map' }).innerText()).toContain(
        'src/cart/price.ts',
      );
      expect(await page.locator('.edge').count()).toBeGreaterThan(0);
      expect(await page.locator('.legend').innerText()).not.toContain('(0)');
      expect(await auditOf(page)).toEqual([]);
    });

    test('Clients tells how the project of each was found, and what the doctor finds with its fix', async () => {
      const { tools } = await agent.raw.listTools();
      await open('clients');

      await page.locator('article', { hasText: 'test-agent' }).getByText('How its project was found').click();
      const ladder = await page.locator('article', { hasText: 'test-agent' }).innerText();
      await page.getByRole('button', { name: 'Examine this machine' }).click();
      await page.locator('.findings li').first().waitFor();

      expect(ladder).toMatch(/the call itself\s+won/);
      expect(ladder).toMatch(/1 listing of the tools/);
      // The same figure as setup's.
      const tokens = estimateListingTokens(tools).toLocaleString('en');
      expect(await page.locator('main').innerText()).toContain(`${tokens} tokens`);
      expect(await page.locator('.findings').innerText()).toMatch(/To do: /);
      expect(await auditOf(page)).toEqual([]);
    });
  });
}
