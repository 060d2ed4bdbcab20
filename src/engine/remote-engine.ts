/** An engine in another thread, behind the same port: messages out, promises back. */
import { AppError, type Logger } from '../core/index.ts';
import { systemClock } from '../platform/index.ts';
import type { KnownProjects } from '../project/index.ts';
import { fromFailure, type FromEngine, type ToEngine } from './messages.ts';
import { ENGINE_METHODS, type Engine, type EngineCall, type EngineMethod } from './port.ts';

export interface EngineWire {
  send(message: ToEngine): void;
  /** Ends the thread whatever it does. */
  stop(): void;
}

/** Opens the wire; messages and the end of the thread are told to the listener. */
export type OpenWire = (listener: {
  onMessage(message: FromEngine): void;
  onEnd(reason: string): void;
}) => EngineWire;

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
  readonly call: EngineCall;
  /** To be sent again if the thread could not be started. */
  readonly message: ToEngine;
}

/** Beyond this the front refuses: a queue without a bound is a leak that answers too late. */
const MOST_WAITING = 1_000;
const MOST_WAITING_PER_CLIENT = 200;

export interface RemoteEngine extends Engine {
  /** Starts the thread before its first call, which then need not wait for it. */
  start(): void;
}

export function createRemoteEngine(openWire: OpenWire, logger: Logger): RemoteEngine {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let closed: (() => void) | undefined;
  let wire: EngineWire | undefined;
  let hasAnswered = false;
  let hasRetried = false;

  const onMessage = (message: FromEngine): void => {
    hasAnswered = true;
    switch (message.kind) {
      case 'answer':
        take(message.id)?.resolve(message.value);
        return;
      case 'failure':
        take(message.id)?.reject(fromFailure(message.failure));
        return;
      case 'progress':
        waiting.get(message.id)?.call.onProgress?.(message.progress);
        return;
      case 'closed':
        closed?.();
    }
  };
  const onEnd = (reason: string): void => {
    wire = undefined;
    // It never ran, as in a working directory that is removed while it starts: nothing was done, and all can be sent again.
    if (!hasAnswered && !hasRetried && closed === undefined) {
      hasRetried = true;
      if (waiting.size === 0) return;
      const again = started();
      for (const { message } of waiting.values()) again.send(message);
      return;
    }
    if (waiting.size > 0 || closed === undefined) logger.error('the engine ended', { reason });
    // The next call starts another one: nothing that was acknowledged is in memory alone.
    rejectAll('The engine had to be restarted.');
    closed?.();
  };
  const rejectAll = (message: string): void => {
    for (const id of waiting.keys())
      take(id)?.reject(new AppError('interrupted', message, { hint: 'Call again.' }));
  };
  const take = (id: number): Waiting | undefined => {
    const found = waiting.get(id);
    waiting.delete(id);
    return found;
  };

  const waitingOf = (client: string | undefined): number => {
    if (client === undefined || waiting.size < MOST_WAITING_PER_CLIENT) return 0;
    let count = 0;
    for (const { call } of waiting.values()) if (call.client === client) count++;
    return count;
  };

  const started = (): EngineWire => (wire ??= openWire({ onMessage, onEnd }));

  const call = (
    tenant: string | undefined,
    method: EngineMethod,
    request: unknown,
    options: EngineCall = {},
  ): Promise<unknown> => {
    const { signal } = options;
    if (signal?.aborted === true) return Promise.reject(cancelled());
    if (waiting.size >= MOST_WAITING || waitingOf(options.client) >= MOST_WAITING_PER_CLIENT)
      return Promise.reject(tooBusy());
    const open = started();
    const id = ++lastId;
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        wire?.send({ kind: 'cancel', id });
        take(id)?.reject(cancelled());
      };
      const leave = (): void => signal?.removeEventListener('abort', onAbort);
      const message: ToEngine = { kind: 'call', id, method, request, client: options.client, tenant };
      waiting.set(id, {
        message,
        call: options,
        resolve(value) {
          leave();
          resolve(value);
        },
        reject(error) {
          leave();
          reject(error);
        },
      });
      signal?.addEventListener('abort', onAbort, { once: true });
      open.send(message);
    });
  };

  const methodsFor = (tenant: string | undefined, client?: string) =>
    // One function for each name of the port, each of which sends what the other side takes.
    Object.fromEntries(
      ENGINE_METHODS.map((method) => [
        method,
        (request: unknown, options?: EngineCall) => call(tenant, method, request, { client, ...options }),
      ]),
    ) as unknown as Omit<Engine, 'close' | 'forClient' | 'forTenant'>;
  const engineOf = (tenant: string, client?: string): Engine => {
    const own: Engine = {
      ...methodsFor(tenant, client),
      forClient: (name) => engineOf(tenant, name),
      // Nothing leads from one tenant to another.
      forTenant: () => own,
      close: async () => {},
    };
    return own;
  };
  const engine: RemoteEngine = {
    ...methodsFor(undefined),
    forClient: (client) => ({ ...engine, ...methodsFor(undefined, client) }),
    forTenant: (tenant) => (tenant === undefined ? engine : engineOf(tenant)),
    start: () => void started(),
    async close() {
      const open = wire;
      if (open === undefined) return;
      // Without a call there is nothing to end in order.
      if (lastId === 0) return open.stop();
      await new Promise<void>((resolve) => {
        closed = resolve;
        open.send({ kind: 'close' });
      });
      wire = undefined;
      open.stop();
      rejectAll('Waymark is ending.');
    },
  };
  return engine;
}

function cancelled(): AppError {
  return new AppError('interrupted', 'The call was cancelled.');
}

function tooBusy(): AppError {
  return new AppError('too_busy', 'Too many calls are waiting.', { hint: 'Call again in a moment.' });
}

const NOTE_EVERY_MS = 60_000;
const MOST_NOTED = 1_000;

/** Known projects as the front sees them: kept by the engine, told of each at most once a minute. */
export function createRemoteProjects(
  engine: Pick<Engine, 'knownProjects' | 'projectsNamed' | 'rememberProject'>,
): KnownProjects {
  const notedAt = new Map<string, number>();
  return {
    async list(limit, mayName = () => true) {
      // These are only suggestions: the answer they belong to must not fail for want of them.
      const known = await engine.knownProjects({}).catch(() => []);
      return known.filter(({ root }) => mayName(root)).slice(0, limit);
    },
    byName: (name) => engine.projectsNamed({ name }),
    remember(project) {
      const now = systemClock.elapsed();
      if (now - (notedAt.get(project.root) ?? -Infinity) < NOTE_EVERY_MS) return;
      if (notedAt.size >= MOST_NOTED) notedAt.clear();
      notedAt.set(project.root, now);
      // The engine logs what goes wrong; a call never fails for want of a note.
      engine.rememberProject({ project }).catch(() => {});
    },
  };
}
