import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { bundleEntry } from '../../test/support/bundle-entry.ts';

/** Makes things that live on for a while, as a busy server does, and says how large the nursery became. */
const BUSY = `
import { getHeapSpaceStatistics } from 'node:v8';
const { keepNurserySmall } = await import(process.argv[1]);
if (process.argv[2] === 'small') keepNurserySmall(0);
const nursery = () => getHeapSpaceStatistics().find((one) => one.space_name === 'new_space').space_size;
const kept = [];
for (let made = 0; made < 4e6; ) {
  for (let some = 0; some < 2000; some++, made++) kept[made % 150000] = { made, list: [made, some] };
  await new Promise(setImmediate);
}
process.stdout.write(String(nursery() / 1024 / 1024));
`;

/** From Node 26 on V8 takes the memory for it page by page, as it is filled: there is less to save. */
const IS_TAKEN_WHOLE = Number.parseInt(process.versions.node, 10) < 26;

function nurseryMb(absPath: string, how: 'small' | 'as it is'): number {
  const args = ['--input-type=module', '--eval', BUSY, pathToFileURL(absPath).href, how];
  return Number(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

test('the nursery of a busy process stays at a part of what V8 would give it', async () => {
  const entry = await bundleEntry('src/platform/small-heap.ts');
  try {
    const left = nurseryMb(entry.absPath, 'as it is');
    const small = nurseryMb(entry.absPath, 'small');
    expect(left).toBeGreaterThanOrEqual(IS_TAKEN_WHOLE ? 32 : 0);
    // Both halves.
    expect(small).toBeLessThanOrEqual(16);
  } finally {
    entry.remove();
  }
});
