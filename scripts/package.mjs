/** `npm run package`: builds what is published, each kind into a folder of its own. `node scripts/package.mjs --out DIR [kind …]` */
import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { KINDS } from './package/kinds.mjs';
import { ensureBuilt, ensureInstalled, root } from './setup.mjs';

const { values, positionals } = parseArgs({
  options: { out: { type: 'string', default: join(root, 'build') } },
  allowPositionals: true,
});
const unknown = positionals.filter((kind) => !Object.hasOwn(KINDS, kind));
if (unknown.length > 0) {
  process.stderr.write(
    `error: there is no package ${unknown.join(', ')}\nhint: choose from ${Object.keys(KINDS).join(', ')}\n`,
  );
  process.exit(2);
}
ensureInstalled();
ensureBuilt();
for (const [kind, build] of Object.entries(KINDS)) {
  if (positionals.length > 0 && !positionals.includes(kind)) continue;
  const folder = join(resolve(values.out), kind);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await build(folder);
  process.stderr.write(`${kind}: ${folder}\n`);
}
