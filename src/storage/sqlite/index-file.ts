/** Where the index of a project is kept. */
import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { INDEX_SCHEMA_VERSION } from './index-schema.ts';

/** One file per project and schema: readable enough to recognise, unique by its digest. */
export function indexFile(cacheDir: string, root: string): string {
  const name = basename(root)
    .replaceAll(/[^\w.-]/g, '_')
    .slice(0, 40);
  const digest = createHash('sha256').update(root).digest('hex').slice(0, 16);
  return join(cacheDir, 'indexes', `${name}-${digest}-v${INDEX_SCHEMA_VERSION}.db`);
}
