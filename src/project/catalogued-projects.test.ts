import { expect, test } from 'vitest';
import type { Logger, Project } from '../core/index.ts';
import { createKnownProjects } from './catalogued-projects.ts';

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
    exists: () => true,
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
