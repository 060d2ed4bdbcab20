/** A real browser on the page of a real server; one of each for all cases of a file. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium, type Browser, type Page } from 'playwright-core';
import { BROWSER_FLAGS, findBrowser } from '../../scripts/find-browser.mjs';
import type { OnEnd } from './temp-folder.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export async function openBrowser(onEnd: OnEnd): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: await findBrowser(), args: [...BROWSER_FLAGS] });
  onEnd(() => browser.close());
  return browser;
}

/** What must not happen on the page, as it happens. */
export interface Watched {
  readonly page: Page;
  /** Scripts that ran and should not, refused or not; errors of our own. */
  readonly troubles: string[];
  /** Requests to any other address than the server's. */
  readonly strayed: string[];
}

export interface Look {
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
}

/** Opens a link in a browser context of its own. */
export async function openPage(browser: Browser, link: string, look: Look = {}): Promise<Watched> {
  const { width = 1280, colorScheme = 'light' } = look;
  const context = await browser.newContext({
    viewport: { width, height: 800 },
    colorScheme,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const troubles: string[] = [];
  const strayed: string[] = [];
  const own = new URL(link).origin;
  page.on('pageerror', (error) => troubles.push(error.message));
  page.on('dialog', (dialog) => {
    troubles.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (said) => {
    if (said.type() === 'error' && !said.text().includes('Failed to load resource'))
      troubles.push(said.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(`${own}/ui`)) strayed.push(request.url());
  });
  await page.goto(link);
  await page.waitForSelector('h1');
  return { page, troubles, strayed };
}

/** Goes to a screen, and waits until it has what it asks for. */
export async function show(page: Page, screen: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(`#/${screen}`)}`);
  const [name = ''] = screen.split('?');
  await page.waitForSelector(`nav a[aria-current][href^="#/${name}"]`);
  await page.waitForSelector('.skeleton', { state: 'detached' });
}

/** What axe finds that matters, each with the places where. */
export async function auditOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    // The script above has just put it there.
    const { axe } = globalThis as unknown as { readonly axe: AxeCore };
    const { violations } = await axe.run();
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
  });
}

interface AxeCore {
  run(): Promise<{
    readonly violations: readonly {
      readonly id: string;
      readonly impact?: string | null;
      readonly nodes: readonly { readonly target: readonly string[] }[];
    }[];
  }>;
}

/** How far the page is wider than the window. */
export async function overflow(page: Page): Promise<number> {
  return Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
}
