import { expect, test } from 'vitest';
import type { Logger, Project } from '../core/index.ts';
import { createKnownProjects } from './known-projects.ts';

const silent: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  child: () => silent,
};

test('R042 projects used within one millisecond keep their order, also when the clock is set back', async () => {
  const seen: (Project & { readonly seenAt: number })[] = [];
  const times = [1000, 1000, 1000, 400];
  const known = createKnownProjects({
    exists: async () => true,
    open: async () => ({
      remember: async (project) => {
        seen.push(project);
      },
      list: async () => seen.toSorted((a, b) => b.seenAt - a.seenAt),
      byName: async () => [],
    }),
    clock: { now: () => times.shift() ?? 400, elapsed: () => 0 },
    logger: silent,
  });
  for (const name of ['z', 'a', 'm', 'b']) known.remember({ root: `/${name}`, name });

  expect((await known.list(10)).map(({ name }) => name)).toEqual(['b', 'm', 'a', 'z']);
});

test('a project that was the last one a moment ago is not written again, another one is', async () => {
  const written: (Project & { readonly seenAt: number })[] = [];
  let now = 1_000_000;
  const use = async (name: string, afterMs: number): Promise<void> => {
    now += afterMs;
    // As a process does that runs one command.
    const known = createKnownProjects({
      exists: async () => true,
      open: async () => ({
        remember: async (project) => void written.push(project),
        list: async () => written.toSorted((a, b) => b.seenAt - a.seenAt),
        byName: async () => [],
      }),
      clock: { now: () => now, elapsed: () => 0 },
      logger: silent,
    });
    known.remember({ root: `/${name}`, name });
    await known.settled();
  };
  await use('a', 0);
  await use('a', 1_000);
  await use('b', 1_000);
  await use('a', 1_000);
  await use('a', 600_000);
  // A clock that was set back must not keep it from being noted.
  await use('a', -900_000);

  expect(written.map(({ name, seenAt }) => [name, seenAt - 1_000_000])).toEqual([
    ['a', 0],
    ['b', 2_000],
    ['a', 3_000],
    ['a', 603_000],
    ['a', -297_000],
  ]);
});
