/** Runs the page over a long life in a real browser, and measures. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Browser, Page } from 'playwright-core';
import { lookForHostile, makeHostile } from '../../support/hostile-page.ts';
import { auditOf, openBrowser, openPage, overflow, show, type Watched } from '../../support/page-browser.ts';
import { fillMemory, rememberProjects, writeLargeProject } from './large-life.ts';

const BIN = resolve('dist/main.js');
const SCREENS = ['projects', 'live', 'playground', 'coverage', 'memory', 'map', 'clients'];
const CALLS_PER_SECOND = 200;
/** What is watched is the page: the server and its client have to get that far on the same machine. */
const CHEAP_CALL = { name: 'checkpoint_list', arguments: { limit: 1 } };
const STARTS = 5;
const MOST_WAITING = 50;

export interface PageCampaign {
  readonly projects: number;
  readonly entries: number;
  readonly files: number;
  /** How long calls come while Live is open. */
  readonly seconds: number;
  /** Of hostile text. */
  readonly rounds: number;
}

export interface PageReport {
  readonly firstPaintMs: number;
  readonly screens: readonly { readonly name: string; readonly ms: number }[];
  readonly mapMs: number;
  readonly audit: readonly string[];
  readonly wide: readonly string[];
  readonly live: LiveReport;
  readonly hostile: { readonly count: number; readonly found: readonly string[] };
  readonly troubles: readonly string[];
  readonly strayed: readonly string[];
}

interface LiveReport {
  readonly callsPerSecond: number;
  /** Calls that the page counted, of those that were made. */
  readonly toldShare: number;
  readonly longestFrameMs: number;
  readonly rows: number;
}

export async function runPageCampaign(campaign: PageCampaign): Promise<PageReport> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'waymark-page-')));
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: join(folder, 'home'),
    XDG_DATA_HOME: join(folder, 'share'),
    XDG_CACHE_HOME: join(folder, 'cache'),
  };
  const ends: (() => unknown)[] = [];
  try {
    const root = join(folder, 'large');
    mkdirSync(env.HOME);
    writeLargeProject(root, campaign.files);
    const waymark = (...args: string[]): Promise<{ stdout: string }> =>
      promisify(execFile)(process.execPath, [BIN, ...args], { cwd: root, env });
    await waymark('index', root, '--exact');
    const dataDir = join(env.XDG_DATA_HOME, 'waymark');
    await rememberProjects(dataDir, folder, campaign.projects);
    await fillMemory(dataDir, root, campaign.entries);
    const server = spawn(process.execPath, [BIN, 'serve', root, '--port', '0', '--ui'], { cwd: root, env });
    ends.push(() => server.kill('SIGKILL'));
    const link = await linkOf(server);
    const newLink = async (): Promise<string> =>
      /http:\S+#code=\S+/.exec((await waymark('ui')).stdout)?.[0] ?? '';
    const browser = await openBrowser((end) => ends.push(end));
    return await measure(campaign, { browser, folder, root, link, newLink });
  } finally {
    for (const end of ends.toReversed()) await end();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function linkOf(server: ChildProcess): Promise<string> {
  let seen = '';
  for (;;) {
    const [text] = await once(server.stdout ?? server, 'data');
    seen += String(text);
    const link = /http:\S+#code=\S+/.exec(seen)?.[0];
    if (link !== undefined) return link;
  }
}

interface Place {
  readonly browser: Browser;
  readonly folder: string;
  readonly root: string;
  readonly link: string;
  newLink(): Promise<string>;
}

async function measure({ seconds, rounds }: PageCampaign, place: Place): Promise<PageReport> {
  const { browser, root, link, newLink } = place;
  const open = await openPage(browser, link);
  const { page } = open;
  const query = `?${new URLSearchParams({ root }).toString()}`;
  // Once for what the server opens when it is first asked.
  for (const name of SCREENS) await show(page, name + query);
  const firstPaintMs = await firstPaintOf(page);
  const screens: { name: string; ms: number }[] = [];
  const audit: string[] = [];
  for (const name of SCREENS) {
    await show(page, name === 'projects' ? 'clients' : 'projects');
    const since = performance.now();
    await show(page, name + query);
    if (name === 'map') await page.locator('.node').first().waitFor();
    screens.push({ name, ms: performance.now() - since });
    audit.push(...(await auditOf(page)).map((finding) => `${name}: ${finding}`));
  }
  const phone = await openPage(browser, await newLink(), { width: 360, colorScheme: 'dark' });
  const wide: string[] = [];
  for (const name of SCREENS) {
    await show(phone.page, name + query);
    const over = await overflow(phone.page);
    if (over > 0) wide.push(`${name} is ${over} px too wide`);
  }
  const url = new URL('/mcp', link);
  const live = await watchLive(page, url, seconds);
  const { report: hostile, watched } = await tryHostile(place, url, rounds);
  const all: readonly Watched[] = [open, phone, watched];
  return {
    firstPaintMs,
    screens,
    mapMs: screens.find(({ name }) => name === 'map')?.ms ?? Number.NaN,
    audit,
    wide,
    live,
    hostile,
    troubles: all.flatMap(({ troubles }) => troubles),
    strayed: all.flatMap(({ strayed }) => strayed),
  };
}

/** The median of several loads. */
async function firstPaintOf(page: Page): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < STARTS; at++) {
    await page.reload();
    await page.waitForSelector('h1');
    times.push(
      Number(
        await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN"),
      ),
    );
  }
  return times.toSorted((a, b) => a - b)[Math.floor(STARTS / 2)] ?? Number.NaN;
}

async function connect(url: URL, name: string): Promise<Client> {
  const client = new Client({ name, version: '1' });
  await client.connect(new StreamableHTTPClientTransport(url));
  return client;
}

const WATCH_FRAMES = `(() => {
  let last = performance.now();
  globalThis.longestFrame = 0;
  const next = () => {
    const now = performance.now();
    globalThis.longestFrame = Math.max(globalThis.longestFrame, now - last);
    last = now;
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
})()`;

async function watchLive(page: Page, url: URL, seconds: number): Promise<LiveReport> {
  await show(page, 'live');
  const counted = async (): Promise<number> =>
    Number((await page.locator('.figures dd').first().innerText()).split('\n')[0]?.replaceAll(',', ''));
  const client = await connect(url, 'load');
  await client.callTool({ name: 'project_status', arguments: {} });
  await page.locator('.calls').waitFor();
  const before = await counted();
  await page.evaluate(WATCH_FRAMES);
  const calls = CALLS_PER_SECOND * seconds;
  const since = performance.now();
  const answers: Promise<unknown>[] = [];
  for (let at = 0; at < calls; at++) {
    const due = since + (at * 1_000) / CALLS_PER_SECOND;
    const wait = due - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    answers.push(client.callTool(CHEAP_CALL));
    // A machine that is too slow for the rate is asked as fast as it answers.
    if (at >= MOST_WAITING) await answers[at - MOST_WAITING];
  }
  await Promise.all(answers);
  const tookMs = performance.now() - since;
  await page.waitForTimeout(1_500);
  const report = {
    callsPerSecond: Math.round((calls * 1_000) / tookMs),
    toldShare: ((await counted()) - before) / calls,
    longestFrameMs: Number(await page.evaluate('globalThis.longestFrame')),
    rows: await page.locator('.calls tbody tr').count(),
  };
  await client.close();
  return report;
}

async function tryHostile({ browser, folder, newLink }: Place, url: URL, rounds: number) {
  const text = makeHostile(rounds);
  const root = join(folder, text.folder);
  for (const [name, content] of Object.entries(text.files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  const client = await connect(url, '<img src=x onerror=pwned(1)>');
  await client.callTool({ name: 'index_codebase', arguments: { project: root } });
  for (const { tool, args } of text.calls)
    await client.callTool({ name: tool, arguments: { ...args, project: root } });
  await client.close();
  const watched = await openPage(browser, await newLink());
  const found = await lookForHostile(watched.page, { root, screens: SCREENS, entries: 50 });
  return { watched, report: { count: text.count, found } };
}
