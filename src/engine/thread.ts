/** The engine in a thread of its own, so that the front never waits for its work. */
import type { Logger } from '../core/index.ts';
import { packageFile, startThread } from '../platform/index.ts';
import type { FromEngine } from './messages.ts';
import type { Engine } from './port.ts';
import { createRemoteEngine } from './remote-engine.ts';
import type { EngineThreadData } from './thread-main.ts';

/** Started by its first call; started again by the next one, should it end. */
export function openEngineThread(data: EngineThreadData, logger: Logger): Engine {
  return createRemoteEngine(
    ({ onMessage, onEnd }) =>
      startThread({
        absModulePath: packageFile('dist/engine.js'),
        data,
        // Both sides are of one build.
        onMessage: (message) => onMessage(message as FromEngine),
        onEnd,
      }),
    logger,
  );
}
