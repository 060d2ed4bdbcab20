/**
 * Pictures of the page for the docs: Waymark's own sources as a project, a few calls of two agents, one picture for each screen.
 * `npm run screenshots`; what it makes lies in docs/guides/dashboard/.
 */
import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { chromium } from 'playwright-core';
import { BROWSER_FLAGS, findBrowser } from './find-browser.mjs';
import { ensureBuilt, root, talk } from './setup.mjs';

const SIZE = { width: 980, height: 620 };
const PHONE = { width: 360, height: 640 };
const TARGET = join(root, 'docs', 'guides', 'dashboard');
/** Names what is made in a picture, and no machine. */
const PROJECT = 'waymark';

ensureBuilt();
const folder = mkdtempSync(join(tmpdir(), 'waymark-screenshots-'));
const project = join(folder, PROJECT);
const env = { PATH: process.env.PATH, HOME: join(folder, 'home'), XDG_DATA_HOME: join(folder, 'share') };
let server;
let browser;
try {
  mkdirSync(env.HOME);
  for (const name of ['src', 'docs', 'bench'])
    cpSync(join(root, name), join(project, name), { recursive: true });
  const git = (...args) => execFileSync('git', args, { cwd: project, env, stdio: 'ignore' });
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('-c', 'user.name=Docs', '-c', 'user.email=docs@example.com', 'commit', '-qm', 'first');
  appendFileSync(join(project, 'src/http/access.ts'), '\n');
  talk('starting a server …');
  const link = await serve();
  talk('asking as two agents …');
  await fill(new URL('/mcp', link));
  talk('taking pictures …');
  browser = await chromium.launch({ executablePath: await findBrowser(), args: BROWSER_FLAGS });
  await takePictures(link);
} finally {
  await browser?.close();
  server?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}

function serve() {
  const args = [join(root, 'dist/main.js'), 'serve', project, '--port', '0', '--ui'];
  server = spawn(process.execPath, args, { cwd: project, env, stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    let seen = '';
    server.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
    server.stdout.setEncoding('utf8').on('data', (text) => {
      seen += text;
      const link = /http:\S+#code=\S+/.exec(seen)?.[0];
      if (link !== undefined) resolve(link);
    });
  });
}

async function connect(url, name, version) {
  const client = new Client({ name, version });
  await client.connect(new StreamableHTTPClientTransport(url));
  return (tool, args = {}) => client.callTool({ name: tool, arguments: args });
}

async function fill(url) {
  const claude = await connect(url, 'claude-code', '2.1.0');
  const codex = await connect(url, 'codex', '0.50.1');
  await claude('index_codebase');
  for (const query of [
    'where are secrets taken out of text',
    'how does the listener check the Origin header',
    '"retry after"',
    'which source decides on the project of a call',
  ])
    await claude('search_code', { query });
  await codex('find_references', { symbol: 'createRateLimit' });
  await codex('get_file_impact', { files: ['src/http/access.ts'] });
  await codex('outline', { path: 'src/http' });
  await codex('remediation_save', {
    error: 'Error: listen EADDRINUSE: address already in use 127.0.0.1:7411',
    solution: 'Another server runs there: stop it, or take --port 0.',
  });
  await codex('skill_save', {
    name: 'cut-a-release',
    when_to_use: 'When a version goes out',
    content: '1. Raise the version\n2. npm test\n3. npm run package',
  });
  await claude('checkpoint_save', {
    summary: 'The listener refuses cross-site fetch metadata',
    content: '# Done\n- Sec-Fetch-Site is checked\n\n# Next\n- the same for HTTP+SSE',
    files: ['src/http/access.ts', 'src/http/listener.ts'],
    tags: ['http', 'security'],
  });
  await claude('checkpoint_resume');
  await codex('search_code', { query: 'idle queue of the exact pass' });
  await claude('project_status');
}

async function takePictures(link) {
  mkdirSync(TARGET, { recursive: true });
  const context = await browser.newContext({ viewport: SIZE, locale: 'en-US', reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(link);
  await page.waitForSelector('.project');
  const take = async (name, screen, prepare) => {
    await page.evaluate(`location.hash = '#/${screen}'`);
    await page.waitForSelector(`nav a[aria-current][href^="#/${screen}"]`);
    await page.waitForSelector('.skeleton', { state: 'detached' });
    await prepare?.();
    await page.waitForTimeout(400);
    await page.screenshot({ path: join(TARGET, `${name}.png`) });
  };
  await take('projects', 'projects');
  await take('live', 'live');
  await take('playground', 'playground', async () => {
    await page.getByRole('searchbox', { name: 'Question' }).fill('where are secrets taken out of text');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.hit');
  });
  await page.emulateMedia({ colorScheme: 'dark' });
  await take('coverage', 'coverage', () =>
    page.locator('.legend').evaluate((place) => place.scrollIntoView()),
  );
  await page.emulateMedia({ colorScheme: 'light' });
  await take('memory', 'memory');
  await take('map', 'map', async () => {
    await page.locator('.node.folder', { hasText: 'src' }).click();
    await page.locator('.node', { hasText: 'transport' }).first().waitFor();
  });
  await take('clients', 'clients', () => page.locator('summary').first().click());
  await page.setViewportSize(PHONE);
  await page.emulateMedia({ colorScheme: 'dark' });
  await take('phone', 'projects');
}
