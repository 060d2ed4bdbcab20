/** Threads of our own code: a module that is sent messages and answers. */
import { availableParallelism } from 'node:os';
import { parentPort, Worker, workerData } from 'node:worker_threads';

export interface ThreadOptions {
  readonly absModulePath: string;
  /** What it is told when it starts. */
  readonly data: unknown;
  /** How much memory it may take before it is ended; the system's limit if left out. */
  readonly heapMb?: number;
  onMessage(message: unknown): void;
  /** It ended, by itself or by a fault, or there was none to be had; once, and not after `stop`. */
  onEnd(reason: string): void;
}

export interface Thread {
  send(message: unknown): void;
  stop(): void;
}

/** How many threads can work at the same time, this one included. */
export function coreCount(): number {
  return availableParallelism();
}

export function startThread(options: ThreadOptions): Thread {
  const { onMessage, onEnd } = options;
  let isOver = false;
  const end = (reason: string): void => {
    if (isOver) return;
    isOver = true;
    onEnd(reason);
  };
  const worker = newWorker(options);
  if (worker === undefined) {
    setImmediate(() => end('it could not be started'));
    return { send: () => {}, stop: () => void (isOver = true) };
  }
  worker.on('message', (message: unknown) => {
    if (!isOver) onMessage(message);
  });
  worker.on('messageerror', () => end('a message could not be read'));
  worker.on('error', (error) => end(error instanceof Error ? error.message : 'unknown'));
  worker.on('exit', (code) => end(`exit ${code}`));
  return {
    send: (message) => worker.postMessage(message),
    stop() {
      isOver = true;
      void worker.terminate();
    },
  };
}

/** Undefined where the system has no thread left to give: that is thrown at once, unlike all that goes wrong later. */
function newWorker({ absModulePath, data, heapMb }: ThreadOptions): Worker | undefined {
  const resourceLimits = heapMb === undefined ? {} : { maxOldGenerationSizeMb: heapMb };
  try {
    return new Worker(absModulePath, {
      workerData: data,
      env: {},
      stdout: true,
      stderr: true,
      resourceLimits,
    });
  } catch {
    return undefined;
  }
}

export interface ThreadPort {
  readonly data: unknown;
  onMessage(listener: (message: unknown) => void): void;
  send(message: unknown): void;
}

/** The thread's own side. */
export function openThreadPort(): ThreadPort {
  return {
    data: workerData,
    onMessage: (listener) => void parentPort?.on('message', listener),
    send: (message) => parentPort?.postMessage(message),
  };
}
