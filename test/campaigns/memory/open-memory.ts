/** A memory as the program opens it, for campaigns. */
import { loadStaticEncoder } from '../../../src/embedding/index.ts';
import { createKeyMaker, createMemory, type Memory } from '../../../src/memory/index.ts';
import { systemClock, systemIds } from '../../../src/platform/index.ts';
import { createMemorySpaces } from '../../../src/storage/index.ts';
import { silentLogger } from '../../../src/text/index.ts';

export const ROOT = '/campaign';
export const AUTHOR = { origin: 'agent', client: 'campaign', tool: 'checkpoint_save' } as const;

export function openCampaignMemory(dataDir: string): Memory {
  const encoder = loadStaticEncoder();
  const keyMaker = createKeyMaker(encoder);
  return createMemory({
    spaces: createMemorySpaces({
      dataDir,
      keyMaker: () => keyMaker,
      clock: systemClock,
      logger: silentLogger,
    }),
    around: {
      placeOf: (root) => ({ root, name: 'campaign', identity: root }),
      hashFile: () => undefined,
      readGuides: () => [],
      matcher: () => () => false,
      user: 'campaign',
    },
    encoder: () => encoder,
    clock: systemClock,
    newId: () => systemIds.uuid().replaceAll('-', '').slice(0, 12),
  });
}

/** Texts of very different length, the same for the same number. */
export function campaignText(number: number): string {
  const words = 'retry queue upload backoff tenant invoice cursor token index branch worker cache'.split(' ');
  const length = number % 50 === 0 ? 1200 : 20 + ((number * 37) % 160);
  return Array.from({ length }, (_, at) => words[(number * 7 + at * at) % words.length]).join(' ');
}
