import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

test('a campaign that bundles programs of its own runs as a command', () => {
  const args = ['scripts/run-ts.mjs', 'test/campaigns/memory-power.ts', '--points', '2', '--saves', '2'];

  const printed = execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });

  expect(printed).toContain('verdict: all met');
});
