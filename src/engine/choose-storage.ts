/** Where everything is kept: in files of this user, or in a database that several machines share. */
import { isAbsolute } from 'node:path';
import { tenantConfig, type Config } from '../config/index.ts';
import {
  createMemoryBudget,
  once,
  OWN_TENANT,
  type Logger,
  type MemoryBudget,
  type ProjectPlace,
} from '../core/index.ts';
import { loadStaticEncoder, type StaticEncoder } from '../embedding/index.ts';
import { createKeyMaker, gate, type Encoder } from '../memory/index.ts';
import { machineName, systemClock, userName } from '../platform/index.ts';
import { remoteIdentity } from '../project/index.ts';
import { createPostgresHost, createSqliteStorage, type Storage } from '../storage/index.ts';

export interface StorageParts {
  readonly encoder: () => Encoder;
  readonly logger: Logger;
}

/** What all tenants of a server have in common: a database, or nothing but the machine's disk. */
export interface StorageHost {
  /** Opened for one tenant, whose rows or folders it reaches, and no others. */
  open(options: OpenTenantOptions): Storage;
  close(): Promise<void>;
}

export interface OpenTenantOptions {
  /** As they hold for the tenant. */
  readonly config: Config;
  readonly tenant: string;
  /** What a project is to all who work on it. */
  readonly identityOf: (root: string) => string;
}

export function chooseStorage(url: string | undefined, { encoder, logger }: StorageParts): StorageHost {
  const common = { keyMaker: once(() => createKeyMaker(encoder())), gate, clock: systemClock, logger };
  if (url === undefined)
    return {
      open: ({ config: { cacheDir, dataDir } }) => createSqliteStorage({ ...common, cacheDir, dataDir }),
      close: async () => {},
    };
  const host = createPostgresHost({ url, logger });
  return {
    open: ({ config, tenant, identityOf }) =>
      host.open({
        ...common,
        tenant,
        nameOf: (root) => ({ project: identityOf(root), tree: root }),
        workFolder: config.dataDir,
        keepsSource: config.keepSource,
      }),
    close: () => host.close(),
  };
}

/** What is kept of one tenant, for an operator's commands: memory alone, no project is looked at. */
export function openTenantMemory(
  config: Config,
  tenant: string,
  parts: StorageParts,
): Pick<Storage, 'close'> & { readonly spaces: Storage['memory'] } {
  const host = chooseStorage(config.storage, parts);
  const own = tenant === OWN_TENANT ? config : tenantConfig(config, tenant);
  const storage = host.open({ config: own, tenant, identityOf: (root) => root });
  return {
    spaces: storage.memory,
    async close() {
      await storage.close();
      await host.close();
    },
  };
}

/** By what a memory is found: the repository's remote where others can know it by that, else the place on this machine. */
export function sharedIdentity(place: ProjectPlace, remote: string | undefined): string {
  return (remote === undefined ? undefined : remoteIdentity(remote)) ?? place.identity;
}

/** No path is like this, so that no project can be taken for a person; in a database that others use, too, each person has one. */
export function personIdentity({ isShared }: Pick<Storage, 'isShared'>): string {
  return isShared ? `person ${userName()} of ${machineName()}` : 'person';
}

/** A place on this machine, and not the name of a repository. */
export function isLocal(identity: string): boolean {
  return isAbsolute(identity);
}

/** What the tenants of a server share, all of it without anything of theirs. */
export interface SharedParts {
  readonly encoder: () => StaticEncoder;
  readonly storage: StorageHost;
  /** For what was searched. */
  readonly memory: MemoryBudget;
}

export function createSharedParts(config: Config, logger: Logger): SharedParts {
  const encoder = once(loadStaticEncoder);
  const memory = createMemoryBudget(config.searchMemoryMb * 1024 * 1024);
  return { encoder, storage: chooseStorage(config.storage, { encoder, logger }), memory };
}
