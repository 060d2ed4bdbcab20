/** `node --import` this in front of src/main.ts: it counts calls with V8's precise coverage and tells them over the IPC channel. */
import { Session } from 'node:inspector';
import { register } from 'node:module';

register('./load-sources.mjs', import.meta.url);

const HOME = new URL('../../src/', import.meta.url).href;
const session = new Session();
session.connect();
const post = (method, parameters) =>
  new Promise((resolve, reject) =>
    session.post(method, parameters, (error, result) => (error === null ? resolve(result) : reject(error))),
  );
await post('Profiler.enable');
await post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

let order = new Set();
globalThis.walkCalled = (url) => void order.add(url);

/** What ran since the last question. */
process.on('message', async () => {
  const { result } = await post('Profiler.takePreciseCoverage');
  const called = result
    .filter(({ url }) => url.startsWith(HOME))
    .map(({ url, functions }) => ({
      file: url.slice(HOME.length),
      // The module itself is a function without a name, from its first character to its last.
      functions: functions
        .filter(
          ({ functionName, ranges: [whole] }) =>
            whole.count > 0 && (functionName !== '' || whole.startOffset > 0),
        )
        .map(({ functionName, ranges: [whole] }) => `${functionName}@${whole.startOffset}`),
    }))
    .filter(({ functions }) => functions.length > 0);
  process.send({ called, order: [...order].map((url) => url.slice(HOME.length)) });
  order = new Set();
});
process.channel?.unref();
