/** Wires everything in this thread: the front around an engine of its own. For commands that end, and for other programs. */
import { tenantConfig, type Config } from './config/index.ts';
import { loadStaticEncoder, type EncoderChoice, type HttpLimits } from './embedding/index.ts';
import {
  createEngine,
  createServices,
  createSharedParts,
  createTenantEngines,
  openTenantMemory,
} from './engine/index.ts';
import { createFront, type Front, type FrontOptions } from './front.ts';
import type { Indexing } from './indexing/index.ts';
import type { ExactParserParts } from './languages/index.ts';
import type { Memory } from './memory/index.ts';
import { createDetector } from './project/index.ts';
import type { Search } from './search/index.ts';
import type { CatalogStore, MemorySpaces } from './storage/index.ts';
import { once } from './core/index.ts';

export interface App extends Front {
  readonly indexing: Indexing;
  readonly search: Search;
  readonly memory: Memory;
  readonly encoder: EncoderChoice;
  /** Where known projects are kept. Opened on first use: no file is touched before it is needed. */
  catalog(): Promise<CatalogStore>;
  /** The memories of a tenant, for an operator's commands; the caller closes them. */
  memoryOf(tenant: string): { readonly spaces: MemorySpaces; close(): Promise<void> };
}

export interface AppOptions extends FrontOptions {
  /** The settings as they hold inside one project; the same for all by default. */
  readonly forProject?: (root: string) => Config;
  /** Other parser children than the usual ones, to see what comes of their faults. */
  readonly parser?: ExactParserParts;
  /** Other limits for a service that makes vectors than the usual ones. */
  readonly encoder?: { readonly limits: Partial<HttpLimits> };
}

/**
 * Builds Waymark from a resolved configuration.
 *
 * @example
 * const app = createApp({ config: resolveConfig({ env: {} }).config });
 * const found = await app.detector.detect({ transport: 'cli' });
 * const answer = await app.search.run({ roots: ['/home/me/web-shop'], query: 'how are sessions expired' });
 * await app.close();
 */
export function createApp(options: AppOptions): App {
  const { config, forProject = () => config, parser, encoder } = options;
  const front = createFront(options, ({ isServing: mayFollow, ...parts }) => {
    let isBuilt = false;
    const shared = once(() => createSharedParts(config, parts.logger));
    const common = { forProject, parser, encoder, mayFollow, ...parts };
    const services = once(() => {
      isBuilt = true;
      return createServices({ config, shared: shared(), ...common });
    });
    const tenants = once(() =>
      createTenantEngines((tenant) => {
        const own = tenantConfig(config, tenant);
        const detector = createDetector({ ...own, environment: () => ({}), logger: parts.logger });
        return createServices({ ...common, config: own, tenant, shared: shared(), detector });
      }),
    );
    const engine = once(() => createEngine(services(), (tenant) => tenants().of(tenant)));
    return {
      services,
      get engine() {
        return engine();
      },
      get known() {
        return services().known;
      },
      async close() {
        if (!isBuilt) return;
        await tenants().close();
        await services().close();
        await shared().storage.close();
      },
    };
  });
  const { host } = front;
  return {
    config,
    logger: front.logger,
    detector: front.detector,
    clock: front.clock,
    servers: () => front.servers(),
    openStdio: (stdio) => front.openStdio(stdio),
    listen: () => front.listen(),
    close: () => front.close(),
    get engine() {
      return host.engine;
    },
    get known() {
      return host.known;
    },
    get indexing() {
      return host.services().indexing;
    },
    get search() {
      return host.services().search;
    },
    get memory() {
      return host.services().memory;
    },
    get encoder() {
      return host.services().encoder;
    },
    catalog: () => host.services().catalog(),
    memoryOf: (tenant) =>
      openTenantMemory(config, tenant, { encoder: loadStaticEncoder, logger: front.logger }),
  };
}
