/** The engines of a server's tenants: each with services of its own, opened by its first call and closed when others need the room. */
import { createEngine, type EngineServices } from './local-engine.ts';
import { ENGINE_METHODS, type Engine } from './port.ts';

export interface TenantEngines {
  of(tenant: string): Engine;
  close(): Promise<void>;
}

/** Beyond this the one that was idle longest is closed; its next call opens it again. */
const MOST_OPEN = 64;

interface OpenTenant {
  readonly services: EngineServices;
  readonly engine: Engine;
  running: number;
}

export function createTenantEngines(
  open: (tenant: string) => EngineServices,
  mostOpen = MOST_OPEN,
): TenantEngines {
  /** The one used last stands last. */
  const opened = new Map<string, OpenTenant>();
  const closing = new Map<string, Promise<void>>();

  async function enter(tenant: string): Promise<OpenTenant> {
    await closing.get(tenant);
    const known = opened.get(tenant) ?? openOne(tenant);
    opened.delete(tenant);
    opened.set(tenant, known);
    known.running += 1;
    if (opened.size > mostOpen) makeRoom();
    return known;
  }
  function openOne(tenant: string): OpenTenant {
    const services = open(tenant);
    return { services, engine: createEngine(services), running: 0 };
  }
  function makeRoom(): void {
    const idle = [...opened].find(([, { running }]) => running === 0);
    if (idle === undefined) return;
    const [tenant, { services }] = idle;
    opened.delete(tenant);
    const closed = services
      .close()
      .catch(() => {})
      .finally(() => closing.delete(tenant));
    closing.set(tenant, closed);
  }

  function engineOf(tenant: string, client?: string): Engine {
    const methods = Object.fromEntries(
      ENGINE_METHODS.map((method) => [
        method,
        async (request: unknown, call?: object) => {
          const entered = await enter(tenant);
          try {
            // The request is the one that this method takes: callers know it by the same interface.
            const run = entered.engine[method] as (request: unknown, call: object) => Promise<unknown>;
            return await run(request, { client, ...call });
          } finally {
            entered.running -= 1;
          }
        },
      ]),
      // One function for each name of the port.
    ) as unknown as Omit<Engine, 'close' | 'forClient' | 'forTenant'>;
    const engine: Engine = {
      ...methods,
      forClient: (name) => engineOf(tenant, name),
      // Nothing leads from one tenant to another.
      forTenant: () => engine,
      close: async () => {},
    };
    return engine;
  }

  return {
    of: (tenant) => engineOf(tenant),
    async close() {
      await Promise.all([
        ...closing.values(),
        ...[...opened.values()].map(({ services }) => services.close()),
      ]);
      opened.clear();
    },
  };
}
