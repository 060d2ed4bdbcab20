/** The runtime of grammars, for all tests of one process: it can be started only once. */
import { startRuntime, type Runtime } from '../../src/languages/syntax/start-runtime.ts';

const started: { runtime?: Promise<Runtime> } = {};

export function sharedRuntime(): Promise<Runtime> {
  return (started.runtime ??= startRuntime());
}
