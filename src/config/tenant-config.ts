/** The settings as they hold for one tenant of a server: its own folders, and nothing of the machine's besides. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Config } from './definitions.ts';

/** A name that is one folder on every system: no two tenants share one by the case of their letters. */
const FOLDER = /^[a-z0-9][a-z0-9._-]{0,99}$/;

/** Tenants may name projects in the folder of their name alone; one without such a folder has only what was pushed. */
export function tenantConfig(config: Config, tenant: string): Config {
  const digest = createHash('sha256').update(tenant).digest('hex').slice(0, 32);
  const dataDir = join(config.dataDir, 'tenants', digest);
  const folder =
    config.tenantProjectRoot !== undefined && FOLDER.test(tenant)
      ? join(config.tenantProjectRoot, tenant)
      : // Never made: an empty list would be no limit.
        join(dataDir, 'projects');
  return {
    ...config,
    dataDir,
    cacheDir: join(config.cacheDir, 'tenants', digest),
    allowProjectRoot: [folder],
    projectFromCwd: false,
  };
}
