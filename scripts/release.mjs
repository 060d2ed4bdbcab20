/**
 * `npm run release -- 1.0.0`: raises the version in package.json and its lock file, which is all that names it, and closes the section of
 * the changelog. `--date YYYY-MM-DD` is the day it is dated. What to do next is in docs/CONTRIBUTING.md.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root as own } from './setup.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    root: { type: 'string', default: own },
    date: { type: 'string', default: new Date().toISOString().slice(0, 10) },
  },
});
const [version = ''] = positionals;
const root = resolve(values.root);
const before = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
if (!/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version) || version === before) {
  process.stderr.write(`error: a new version is needed; this is ${before}\nhint: npm run release -- 1.0.0\n`);
  process.exit(2);
}

edit('package.json', (text) => text.replace(`"version": "${before}"`, `"version": "${version}"`));
edit('package-lock.json', (text) => {
  const lock = JSON.parse(text);
  lock.version = version;
  lock.packages[''].version = version;
  return `${JSON.stringify(lock, null, 2)}\n`;
});
edit('CHANGELOG.md', (text) =>
  text
    .replace(/^## Unreleased$/m, `## Unreleased\n\nNothing yet.\n\n## ${version}, ${values.date}`)
    .replace(/^What 1\.0\.0 will be: the first release\..*$/m, 'The first release.'),
);
process.stdout.write(`${before} → ${version}\n`);

function edit(name, change) {
  const path = join(root, name);
  const text = readFileSync(path, 'utf8');
  const changed = change(text);
  if (changed === text) throw new Error(`${name} has nothing to change`);
  writeFileSync(path, changed);
}
