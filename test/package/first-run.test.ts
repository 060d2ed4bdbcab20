/** The first two minutes with Waymark: from the packed tarball, in an empty home with three clients and a small repository. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { playTerminal } from '../support/terminal.ts';
import { BIN, emptyHome, run } from '../support/waymark.ts';
import { openPackages, type Packages } from './packages.ts';

const exec = promisify(execFile);
const CURSOR_FILE =
  '{\n  // my servers\n  "mcpServers": {\n    "files": { "command": "files-mcp" } // local\n  },\n}\n';

function prepare({ folder }: Packages): void {
  folder.write({
    'home/.cursor/mcp.json': CURSOR_FILE,
    'home/.codex/config.toml': '# mine\nmodel = "o4"\n',
    'project/src/upload/queue.ts':
      '/** Retries failed uploads with growing pauses. */\nexport function retryWithBackoff(upload: () => Promise<void>) {\n  return upload();\n}\n',
    'project/src/upload/worker.ts': 'export class UploadWorker {\n  onChunkError(): void {}\n}\n',
    'project/README.md': '# Web shop\n\nUploads are retried.\n',
    'project/.env': 'TOKEN=secret\n',
  });
  mkdirSync(folder.join('home/.codeium/windsurf'), { recursive: true });
}

/** What differs from run to run and machine to machine, as names. */
function settled(screen: string, { folder }: Packages): string {
  return (
    screen
      .replaceAll(folder.path, '/machine')
      .replaceAll(process.execPath, '/usr/bin/node')
      // How much of a path is shown depends on how long it is.
      .replaceAll(/\/machine[^\s"]*…/g, '/machine/…')
      .replaceAll(/waymark \d+\.\d+\.\d+/g, 'waymark 1.2.3')
      .replaceAll(/app\/\d+\.\d+\.\d+\//g, 'app/1.2.3/')
      .replaceAll(/\d+ tools, about \d+ tokens, \d+ ms/g, 'N tools, about N tokens, N ms')
      .replaceAll(/indexed in [\d.]+ s/g, 'indexed in N s')
  );
}

test('npx, setup, yes: connected, indexed and answered', { timeout: 180_000 }, async () => {
  const packages = await openPackages(['npm'], onTestFinished);
  prepare(packages);
  const { folder, env, tarball } = packages;

  const { code, screen } = await playTerminal(['npx', '-y', '--package', tarball, 'waymark', 'setup'], {
    cwd: folder.join('project'),
    env,
    typed: [{ after: /\[Y\/n\]/, type: 'y\n' }],
  });

  await expect(settled(screen, packages)).toMatchFileSnapshot('first-run.txt');
  expect(code).toBe(0);
  expect(screen.split('\n').filter((line) => line.length > 80 && !line.includes('/'))).toEqual([]);

  // What was written does not depend on the cache of npx, and everything can be taken back.
  const written = ['.cursor/mcp.json', '.codex/config.toml', '.codeium/windsurf/mcp_config.json'].map(
    (path) => readFileSync(folder.join('home', path), 'utf8'),
  );
  expect(
    written.filter((text) => text.includes('_npx') || !text.includes('/.local/share/waymark/app/')),
  ).toEqual([]);
  const script = /"(\/[^"]*main\.js)"/.exec(written[0] ?? '')?.[1] ?? '';
  const home = { folder, env };
  const doctor = await run(['doctor'], { program: script, home, cwd: folder.join('project') });
  expect(doctor).toMatchObject({ code: 0 });
  // The data directory was emptied: the entries are all there, the copy they name is made again.
  rmSync(folder.join('home/.local/share/waymark/app'), { recursive: true });
  await exec('npx', ['-y', '--package', tarball, 'waymark', 'setup', '--yes', '--skip-index'], {
    cwd: folder.join('project'),
    env,
  });
  expect(existsSync(script)).toBe(true);
  const back = await run(['uninstall', '--yes'], { program: script, home, cwd: folder.join('project') });
  expect(back).toMatchObject({ code: 0 });
  expect(readFileSync(folder.join('home/.cursor/mcp.json'), 'utf8')).toBe(CURSOR_FILE);
  expect(existsSync(folder.join('home/.codeium/windsurf/mcp_config.json'))).toBe(false);
  expect(existsSync(folder.join('home/.local/share/waymark/app'))).toBe(false);
});

test.each([
  ['no', 'n\n'],
  ['Ctrl-C', '\u0003'],
])('%s: nothing is written', async (_label, type) => {
  const home = emptyHome();
  const file = home.folder.join('home/.cursor/mcp.json');
  home.folder.write({ 'home/.cursor/mcp.json': CURSOR_FILE });

  const { code, screen } = await playTerminal([process.execPath, BIN, 'setup'], {
    cwd: home.folder.join('home'),
    env: home.env,
    typed: [{ after: /\[Y\/n\]/, type }],
  });

  expect(code).toBe(130);
  expect(screen).toMatch(/Nothing was (?:written|changed)\./);
  expect(readFileSync(file, 'utf8')).toBe(CURSOR_FILE);
});
