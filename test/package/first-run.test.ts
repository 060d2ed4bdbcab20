/** A setup that is refused at its question. What a yes does is tried from the packed tarball, in tarball.test.ts. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { playTerminal } from '../support/terminal.ts';
import { BIN, emptyHome } from '../support/waymark.ts';
import { CURSOR_FILE } from './first-run.ts';

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
