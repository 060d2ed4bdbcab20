/** Where everything is kept: in files of this user, or in a database that several machines share. */
import { isAbsolute } from 'node:path';
import type { Config } from '../config/index.ts';
import { AppError, once, type Logger, type ProjectPlace } from '../core/index.ts';
import { createKeyMaker, gate, type Encoder } from '../memory/index.ts';
import { machineName, systemClock, userName } from '../platform/index.ts';
import { remoteIdentity } from '../project/index.ts';
import { createPostgresStorage, createSqliteStorage, type Storage } from '../storage/index.ts';

/** Until there are several: what belongs to all who use a database. */
const TENANT = 'default';

export interface StorageParts {
  readonly config: Config;
  readonly encoder: () => Encoder;
  /** What a project is to all who work on it. */
  readonly identityOf: (root: string) => string;
  readonly logger: Logger;
}

export function chooseStorage({ config, encoder, identityOf, logger }: StorageParts): Storage {
  const { cacheDir, dataDir, storage: url } = config;
  const common = { keyMaker: once(() => createKeyMaker(encoder())), gate, clock: systemClock, logger };
  if (url === undefined) return createSqliteStorage({ ...common, cacheDir, dataDir });
  checkAddress(url);
  return createPostgresStorage({
    ...common,
    url,
    tenant: TENANT,
    nameOf: (root) => ({ project: identityOf(root), tree: root }),
    workFolder: dataDir,
  });
}

/** Says nothing of what was given: it may hold a password. */
function checkAddress(url: string): void {
  if (/^postgres(?:ql)?:\/\/[^/\s]/.test(url) && URL.canParse(url)) return;
  throw new AppError('bad_config', 'The storage is not the address of a PostgreSQL database.', {
    hint: 'Give it as postgres://user@host:5432/database, or leave it out to keep everything in files.',
  });
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
