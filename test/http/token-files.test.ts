/** What is refused at start: tokens that can be guessed or that others know, and lists that name everyone. */
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { send } from '../support/raw-http.ts';
import { initialize } from '../support/rpc.ts';
import { emptyHome, run, serve, type Home } from '../support/waymark.ts';

const TOKEN = 'a-token-of-my-own-with-40-characters-000';

function fileOf(home: Home, text: string, mode = 0o600): string {
  const file = home.folder.join('my-token');
  writeFileSync(file, text, { mode });
  chmodSync(file, mode);
  return file;
}

describe('R104 a token is refused at start', () => {
  test.each([
    ['of one letter', ['--token', 'x'], 'at least 32'],
    ['one letter short', ['--token', 'x'.repeat(31)], 'at least 32'],
    ['with a blank in it', ['--token', `${'x'.repeat(20)} ${'x'.repeat(20)}`], 'no HTTP header can carry'],
    ['of letters that no header carries', ['--token', 'é'.repeat(40)], 'no HTTP header can carry'],
  ])('%s', async (_what, flags, words) => {
    const { code, stderr } = await run(['serve', '--port', '0', ...flags]);

    expect(code).toBe(2);
    expect(stderr).toContain(words);
    expect(stderr).toContain('waymark token');
    expect(stderr).not.toContain('xxxx');
  });

  test('for the variable too, which says nothing about stdio', async () => {
    const env = { WAYMARK_TOKEN: 'short' };

    expect((await run(['serve', '--port', '0'], { env })).code).toBe(2);
    expect((await run(['mcp'], { env })).code).toBe(0);
  });
});

test('R104 --token-file and its variable hold the token, and a token given twice must be the same', async () => {
  const home = emptyHome();
  const file = fileOf(home, `${TOKEN}\n`);
  const { port } = await serve(['--token-file', file], { home });
  const other = await serve([], { home, env: { WAYMARK_TOKEN_FILE: file, WAYMARK_TOKEN: TOKEN } });
  const ask = (at: number, authorization?: string) =>
    send(at, initialize(undefined, { headers: { authorization } })).then(({ status }) => status);

  expect(await ask(port, `Bearer ${TOKEN}`)).toBe(200);
  expect(await ask(port)).toBe(401);
  expect(await ask(other.port, `Bearer ${TOKEN}`)).toBe(200);
  const both = await run(['serve', '--port', '0', '--token-file', file, '--token', 'y'.repeat(40)], { home });
  expect([both.code, both.stderr.includes('different tokens')]).toEqual([2, true]);
});

describe('R104 a token file that others know is not believed', () => {
  test.each([
    ['readable by its group', 0o640],
    ['readable by all', 0o644],
    ['writable by all', 0o602],
  ])('%s', async (_what, mode) => {
    const home = emptyHome();
    const given = fileOf(home, TOKEN, mode);
    const first = await run(['token'], { home });
    const own = home.folder.join('share/waymark/token');
    chmodSync(own, mode);

    for (const flags of [['--token-file', given], ['--require-token'], ['--rest']]) {
      const { code, stderr } = await run(['serve', '--port', '0', ...flags], { home });
      expect([flags, code, stderr.includes('other users')]).toEqual([flags, 1, true]);
    }
    const printed = await run(['token'], { home });
    expect([printed.code, printed.stdout]).toEqual([1, '']);
    // A new one takes its place.
    const rotated = await run(['token', '--rotate'], { home });
    expect(rotated.code).toBe(0);
    expect(rotated.stdout).not.toBe(first.stdout);
  });

  test.runIf(process.getuid?.() === 0)('owned by another user', async () => {
    const home = emptyHome();
    const given = fileOf(home, TOKEN);
    const own = home.folder.join('share/waymark/token');
    mkdirSync(home.folder.join('share/waymark'), { recursive: true, mode: 0o700 });
    writeFileSync(own, TOKEN, { mode: 0o600 });
    for (const file of [given, own]) chownSync(file, 12_345, 12_345);

    for (const flags of [['--token-file', given], ['--require-token']]) {
      const { code, stderr } = await run(['serve', '--port', '0', ...flags], { home });
      expect([flags, code, stderr.includes('another user')]).toEqual([flags, 1, true]);
    }
  });

  test.each(['/dev/zero', '/nonexistent/token', '/tmp'])('%s is none', async (file) => {
    const { code, stderr } = await run(['serve', '--port', '0', '--token-file', file]);

    expect(code).toBe(1);
    expect(stderr).toContain(file);
    expect(stderr).not.toContain('inside Waymark');
  });
});

describe('R103 lists that name everyone are refused at start', () => {
  test.each([
    ['--allow-origin', 'null'],
    ['--allow-origin', 'NULL'],
    ['--allow-origin', '*'],
    ['--allow-origin', 'https://*'],
    ['--allow-origin', 'https://*.example'],
    ['--allow-origin', 'file://'],
    ['--allow-origin', 'https://app.example/'],
    ['--allow-origin', 'app.example'],
    ['--allow-origin', 'https://me@app.example'],
    ['--allow-host', '*'],
    ['--allow-host', '*.lan'],
    ['--allow-host', 'box.lan:7411'],
    ['--allow-host', 'http://box.lan'],
  ])('%s %s', async (flag, value) => {
    const { code, stderr, stdout } = await run(['serve', '--port', '0', flag, value]);

    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(flag);
  });

  test('what names one page or host is taken', async () => {
    const flags = ['https://app.example', 'http://[::1]:8080', 'vscode-webview://abc'].flatMap((origin) => [
      '--allow-origin',
      origin,
    ]);
    const { port } = await serve([...flags, '--allow-host', 'box.lan', '--allow-host', '[fd00::5]']);
    const headers = { origin: 'https://app.example', 'sec-fetch-site': 'cross-site' };

    const reply = await send(port, initialize(undefined, { headers }));

    expect([reply.status, reply.headers['access-control-allow-origin']]).toEqual([
      200,
      'https://app.example',
    ]);
  });
});
