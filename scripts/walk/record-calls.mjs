/**
 * `node --import` this in front of src/main.ts: every thread counts its calls with V8's precise coverage; the main thread collects
 * the counts and sends them over the IPC channel. A thread inherits the flag from the process.
 */
import { Session } from 'node:inspector';
import { register } from 'node:module';
import { BroadcastChannel, isMainThread, threadId } from 'node:worker_threads';

register('./load-sources.mjs', import.meta.url);

const HOME = new URL('../../src/', import.meta.url).href;
/** Longer than any work that holds a thread. */
const ENDED_MS = 20_000;
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

/** What ran in this thread since the last question. */
async function takeCalls() {
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
  const taken = { called, order: [...order].map((url) => url.slice(HOME.length)) };
  order = new Set();
  return taken;
}

const channel = new BroadcastChannel('walk');
channel.unref();
if (isMainThread) collectFromThreads();
else answerMainThread();

function answerMainThread() {
  channel.onmessage = async ({ data }) => {
    if (data.kind === 'take') channel.postMessage({ kind: 'taken', threadId, taken: await takeCalls() });
  };
  channel.postMessage({ kind: 'started', threadId });
}

function collectFromThreads() {
  const threads = new Set();
  const waiting = new Map();
  channel.onmessage = ({ data }) => {
    if (data.kind === 'started') threads.add(data.threadId);
    if (data.kind === 'taken') waiting.get(data.threadId)?.(data.taken);
  };
  process.on('message', async () => {
    const answers = [...threads].map(
      (id) =>
        new Promise((resolve) => {
          waiting.set(id, resolve);
          // A thread that has ended never answers.
          setTimeout(() => resolve(undefined), ENDED_MS).unref();
        }),
    );
    channel.postMessage({ kind: 'take' });
    const own = await takeCalls();
    const others = await Promise.all(answers);
    for (const [at, id] of [...threads].entries()) if (others[at] === undefined) threads.delete(id);
    const all = [own, ...others.filter((one) => one !== undefined)];
    process.send({ called: all.flatMap((one) => one.called), order: all.flatMap((one) => one.order) });
  });
  process.channel?.unref();
}
