/** A process beside the campaign that brings a side in step whenever it is told to, until it is killed; then another takes its place. */
import { startWriter, type WriterProcess } from '../storage-process.ts';

export interface SyncingProcess {
  /** Resolves when it has brought the side in step, or left it to another process. */
  sync(): Promise<void>;
  /** Tells it to, and ends it so much later. */
  syncAndKill(afterMs: number): Promise<void>;
  close(): Promise<void>;
}

export function createSyncingProcess(program: string, dataDir: string, root: string): SyncingProcess {
  let running: WriterProcess | undefined;
  const started = async (): Promise<WriterProcess> => {
    if (running !== undefined) return running;
    running = startWriter(program, [dataDir, root]);
    await running.untilLines(1);
    return running;
  };
  const end = async (): Promise<void> => {
    running?.kill();
    const { stderr } = (await running?.ended) ?? { stderr: '' };
    running = undefined;
    if (stderr !== '') throw new Error(`A process that brings files in step complained:\n${stderr}`);
  };
  return {
    async sync() {
      const one = await started();
      const lines = one.lines().length;
      one.goAhead();
      await one.untilLines(lines + 1);
      if (one.lines().length === lines) await end();
    },
    async syncAndKill(afterMs) {
      (await started()).goAhead();
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      await end();
    },
    close: end,
  };
}
