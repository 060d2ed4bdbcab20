/** The writer program of the campaigns, bundled once per test file. */
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { startWriter, type WriterOptions, type WriterProcess } from '../campaigns/storage-process.ts';
import { bundleEntry, type BundledEntry } from '../support/bundle-entry.ts';

export interface WriterProgram {
  absPath(): string;
  start(args: readonly string[], options?: WriterOptions): WriterProcess;
}

export function useWriterProgram(): WriterProgram {
  let bundle: BundledEntry | undefined;
  beforeAll(async () => {
    bundle = await bundleEntry('test/campaigns/storage-writer.ts');
  });
  afterAll(() => bundle?.remove());
  const absPath = (): string => bundle?.absPath ?? '';
  return {
    absPath,
    start: (args, options) => {
      const writer = startWriter(absPath(), args, options);
      onTestFinished(() => writer.kill());
      return writer;
    },
  };
}
