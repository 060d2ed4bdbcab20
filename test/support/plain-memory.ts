/** A memory as the program opens it, in a place without git or files: for campaigns and benchmarks. */
import type { Clock } from '../../src/core/index.ts';
import { loadStaticEncoder } from '../../src/embedding/index.ts';
import {
  createKeyMaker,
  createMemory,
  gate,
  type Memory,
  type Surroundings,
} from '../../src/memory/index.ts';
import { systemClock, systemIds } from '../../src/platform/index.ts';
import { createMemorySpaces } from '../../src/storage/index.ts';
import { silentLogger } from '../../src/text/index.ts';

type Encoder = NonNullable<Parameters<typeof createKeyMaker>[0]>;

export const ROOT = '/plain';
export const AUTHOR = { origin: 'agent', client: 'campaign', tool: 'checkpoint_save' } as const;

/**
 * Give the encoder where many are opened one after the other: loading it takes longer than all else. `around` says what is not
 * plain about the place.
 */
export function openPlainMemory(
  dataDir: string,
  encoder: Encoder = loadStaticEncoder(),
  around: Partial<Surroundings> = {},
  clock: Clock = systemClock,
): Memory {
  const keyMaker = createKeyMaker(encoder);
  return createMemory({
    spaces: createMemorySpaces({
      dataDir,
      keyMaker: () => keyMaker,
      gate,
      clock,
      logger: silentLogger,
    }),
    around: {
      placeOf: (root) => ({ root, name: 'plain', identity: root, folder: '' }),
      hashFile: () => undefined,
      readFile: () => undefined,
      uncommitted: async () => ({ files: [], isPartial: false }),
      readGuides: () => [],
      matcher: () => () => false,
      user: 'campaign',
      person: 'person',
      ...around,
    },
    encoder: () => encoder,
    clock,
    newId: () => systemIds.uuid().replaceAll('-', '').slice(0, 12),
  });
}
