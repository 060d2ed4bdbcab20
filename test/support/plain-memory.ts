/** A memory as the program opens it, in a place without git or files: for campaigns and benchmarks. */
import { loadStaticEncoder } from '../../src/embedding/index.ts';
import { createKeyMaker, createMemory, gate, type Memory } from '../../src/memory/index.ts';
import { systemClock, systemIds } from '../../src/platform/index.ts';
import { createMemorySpaces } from '../../src/storage/index.ts';
import { silentLogger } from '../../src/text/index.ts';

type Encoder = NonNullable<Parameters<typeof createKeyMaker>[0]>;

export const ROOT = '/plain';
export const AUTHOR = { origin: 'agent', client: 'campaign', tool: 'checkpoint_save' } as const;

/** Give the encoder where many are opened one after the other: loading it takes longer than all else. */
export function openPlainMemory(dataDir: string, encoder: Encoder = loadStaticEncoder()): Memory {
  const keyMaker = createKeyMaker(encoder);
  return createMemory({
    spaces: createMemorySpaces({
      dataDir,
      keyMaker: () => keyMaker,
      gate,
      clock: systemClock,
      logger: silentLogger,
    }),
    around: {
      placeOf: (root) => ({ root, name: 'plain', identity: root, folder: '' }),
      hashFile: () => undefined,
      uncommitted: async () => ({ files: [], isPartial: false }),
      readGuides: () => [],
      matcher: () => () => false,
      user: 'campaign',
    },
    encoder: () => encoder,
    clock: systemClock,
    newId: () => systemIds.uuid().replaceAll('-', '').slice(0, 12),
  });
}
