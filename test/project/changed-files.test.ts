/** Packs that somebody has tampered with: whatever is in them, there is an answer, soon. */
import { readdirSync, readFileSync, chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/platform/index.ts';
import { readChangedFiles } from '../../src/project/index.ts';
import { git, memoryProject } from '../support/memory-client.ts';
import { createRandom } from '../support/random.ts';

test('a pack or its list with other bytes is told or not told, and never breaks the call', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [
      `src/part${at % 6}/file${at}.ts`,
      `export const a${at} = ${at};\n`,
    ]),
  );
  const { folder } = memoryProject(files);
  const { path: root } = folder;
  const commit = (): string =>
    git(root, '-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-q', '-a', '-m', 'more');
  git(root, 'switch', '-q', '-c', 'work');
  for (let at = 0; at < 8; at++) {
    folder.write({ [`src/part1/file${at * 6 + 1}.ts`]: `export const changed${at} = 1;\n` });
    commit();
  }
  git(root, 'gc', '-q', '--aggressive', '--prune=now');
  const packs = join(root, '.git/objects/pack');
  const names = readdirSync(packs).filter((name) => /\.(idx|pack)$/.test(name));
  const whole = new Map(names.map((name) => [name, readFileSync(join(packs, name))]));
  for (const name of names) chmodSync(join(packs, name), 0o600);
  const read = () => readChangedFiles(root, 'main', { clock: systemClock, list: {}, most: 500 });
  const expected = await read();
  const random = createRandom(2_026);
  const outcomes = new Map<string, number>();

  for (let round = 0; round < 150; round++) {
    const name = names[round % names.length] ?? '';
    const bytes = Buffer.from(whole.get(name) ?? []);
    for (let flip = 0; flip <= round % 4; flip++)
      bytes.writeUInt8(random.below(256), random.below(bytes.length));
    writeFileSync(
      join(packs, name),
      round % 10 === 9 ? bytes.subarray(0, random.below(bytes.length)) : bytes,
    );
    const { kind } = await read();
    outcomes.set(kind, (outcomes.get(kind) ?? 0) + 1);
    writeFileSync(join(packs, name), whole.get(name) ?? '');
  }

  expect(expected).toMatchObject({ kind: 'told' });
  expect(expected.kind === 'told' ? expected.paths.toSorted() : []).toEqual(
    git(root, 'diff', '--name-only', 'main').split('\n').toSorted(),
  );
  expect((outcomes.get('told') ?? 0) + (outcomes.get('untold') ?? 0)).toBe(150);
  expect(outcomes.get('untold')).toBeGreaterThan(0);
  expect(await read()).toEqual(expected);
});
