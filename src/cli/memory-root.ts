/** The project whose memory a command works on, and its files in step with it before and after. */
import type { Services } from './command.ts';
import { projectRoot } from './project.ts';

export interface MemoryRoot {
  readonly root: string;
  /** Writes what the command has changed. */
  readonly done: () => Promise<void>;
}

export async function memoryRoot({
  memory,
  detector,
}: Pick<Services, 'memory' | 'detector'>): Promise<MemoryRoot> {
  const { syncIfLinked } = await import('../memory/index.ts');
  const root = await projectRoot(detector);
  await syncIfLinked(memory, root);
  return { root, done: async () => void (await syncIfLinked(memory, root)) };
}
