/** The engine in a thread of its own, so that the front never waits for its work. */
import { pathToFileURL } from 'node:url';
import type { Logger } from '../core/index.ts';
import { packageFile, startThread, workingDirectory } from '../platform/index.ts';
import type * as HostEngine from './engine-main.ts';
import type { EngineThreadData } from './engine-main.ts';
import type { ToEngine } from './messages.ts';
import { createRemoteEngine, type OpenWire, type RemoteEngine } from './remote-engine.ts';

const ENGINE_MODULE = 'dist/engine.js';

/** Started by `start` or by its first call; started again by the next one, should it end. */
export function openEngineThread(data: () => EngineThreadData, logger: Logger): RemoteEngine {
  return createRemoteEngine(
    // Node starts no thread in a working directory that is gone.
    (listener) =>
      workingDirectory() === undefined ? openHere(data(), listener) : openThread(data(), listener),
    logger,
  );
}

function openThread(data: EngineThreadData, { onMessage, onEnd }: Parameters<OpenWire>[0]) {
  return startThread({
    absModulePath: packageFile(ENGINE_MODULE),
    data,
    // Both sides are of one build.
    onMessage: onMessage as (message: unknown) => void,
    onEnd,
  });
}

/** In this thread, by the same module that threads run. */
function openHere(data: EngineThreadData, { onMessage }: Parameters<OpenWire>[0]) {
  let deliver = (_message: ToEngine): void => {};
  const ready = loadEngine().then(({ hostEngine }) => {
    void hostEngine(data, { onMessage: (listener) => (deliver = listener), send: onMessage });
  });
  return { send: (message: ToEngine) => void ready.then(() => deliver(message)), stop() {} };
}

async function loadEngine(): Promise<typeof HostEngine> {
  // The build makes it from engine-main.ts, which exports the host.
  return (await import(pathToFileURL(packageFile(ENGINE_MODULE)).href)) as typeof HostEngine;
}
