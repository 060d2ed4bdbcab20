import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readAhead } from './read-exactly.ts';

const ONE_EACH = { weigh: () => 1, most: 3 };

interface Source {
  readonly begun: string[];
  isEnded: boolean;
  items(): AsyncGenerator<string>;
}

function createSource(names: readonly string[], fail?: Error): Source {
  const source: Source = {
    begun: [],
    isEnded: false,
    async *items() {
      try {
        for (const name of names) {
          source.begun.push(name);
          await setImmediate();
          yield name;
        }
        if (fail !== undefined) throw fail;
      } finally {
        source.isEnded = true;
      }
    },
  };
  return source;
}

async function untilQuiet(source: Source): Promise<void> {
  for (let before = -1; before !== source.begun.length;) {
    before = source.begun.length;
    for (let turn = 0; turn < 5; turn++) await setImmediate();
  }
}

async function collect(items: AsyncIterable<string>): Promise<string[]> {
  const got: string[] = [];
  for await (const item of items) got.push(item);
  return got;
}

test('everything comes, in the order of the source', async () => {
  const names = Array.from({ length: 20 }, (_, at) => String(at));

  const got = await collect(readAhead(createSource(names).items(), ONE_EACH));

  expect(got).toEqual(names);
});

test('items are made before they are asked for, and no more than may wait', async () => {
  const source = createSource(['a', 'b', 'c', 'd', 'e', 'f']);
  const reader = readAhead(source.items(), ONE_EACH);

  await reader.next();
  await untilQuiet(source);
  expect(source.begun).toEqual(['a', 'b', 'c', 'd']);

  await reader.next();
  await untilQuiet(source);
  expect(source.begun).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('a failure comes behind what was made before it', async () => {
  const reader = readAhead(createSource(['a', 'b'], new Error('the disk is gone')).items(), ONE_EACH);

  expect((await reader.next()).value).toBe('a');
  expect((await reader.next()).value).toBe('b');
  await expect(reader.next()).rejects.toThrow('the disk is gone');
});

test('who leaves early ends the source, also one that waits for room', async () => {
  const source = createSource(['a', 'b', 'c', 'd', 'e', 'f']);

  for await (const item of readAhead(source.items(), ONE_EACH)) {
    await untilQuiet(source);
    if (item === 'b') break;
  }

  expect(source.isEnded).toBe(true);
  expect(source.begun).not.toContain('f');
});
