/** A maker of servers with the tools a test brings. */
import { createServerFactory, type ServerFactory } from '../../src/mcp/index.ts';
import { systemClock } from '../../src/platform/index.ts';
import { createDetector } from '../../src/project/index.ts';
import { silentLogger } from '../../src/text/index.ts';
import type { Resource, TenantParts, Tool, ToolServices } from '../../src/tools/index.ts';

export interface FixtureParts {
  readonly tools?: readonly Tool[];
  readonly resources?: readonly Resource[];
}

/** Tools of a fixture bring what they need: any call of this engine throws. */
const NO_ENGINE: ToolServices['engine'] = new Proxy(
  // Nothing of it is ever read.
  {} as ToolServices['engine'],
  {
    get: (_, name) => {
      if (name === 'forClient') return () => NO_ENGINE;
      throw new Error('a fixture has no engine');
    },
  },
);
const NO_PARTS: TenantParts = {
  services: { engine: NO_ENGINE, newWord: () => 'word' },
  detector: createDetector({ environment: () => ({}), projectFromCwd: false }),
  known: { list: async () => [], byName: async () => [], remember: () => {} },
};

export function fixtureFactory({ tools = [], resources = [] }: FixtureParts): ServerFactory {
  return createServerFactory({
    version: '0.0.0-test',
    tools,
    resources,
    prompts: [],
    partsOf: () => NO_PARTS,
    logger: silentLogger,
    newReference: () => 'ref-1',
    clock: systemClock,
    tip: false,
    stateKeys: () => ({ current: 'k'.repeat(32), previous: undefined }),
  });
}
