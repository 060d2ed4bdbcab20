/** `npm start` and `npm test` skip what is done already. */
import { execFileSync } from 'node:child_process';
import { utimesSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const setup = new URL('../../scripts/setup.mjs', import.meta.url).href;

function askSetup(): unknown {
  const script = `const s = await import(${JSON.stringify(setup)}); console.log(JSON.stringify([s.isInstalled(), s.isBuilt()]))`;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script]).toString());
}

test('what was installed and built counts as done, even when files look newer', () => {
  const now = new Date();
  utimesSync(fileURLToPath(new URL('../../src/main.ts', import.meta.url)), now, now);

  expect(askSetup()).toEqual([true, true]);
});
