/** The module of the engine's thread: built as `dist/engine.js`. Outside of a thread it only exports the host. */
import { openThreadPort } from '../platform/index.ts';
import { hostEngine, type EngineThreadData } from './host-engine.ts';
import type { FromEngine, ToEngine } from './messages.ts';

export { hostEngine };

const port = openThreadPort();
if (port.data !== null)
  // Both sides are of one build.
  await hostEngine(port.data as EngineThreadData, {
    // As above.
    onMessage: (listener) => port.onMessage((message) => listener(message as ToEngine)),
    send: (message: FromEngine) => port.send(message),
  });
