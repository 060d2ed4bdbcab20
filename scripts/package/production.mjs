/** The program as it runs: what is published, with every package it loads at run time beside it. */
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUNDLED } from '../bundled.mjs';
import { root } from '../setup.mjs';

/** The folders of all packages that are neither for development only nor in the bundle, as the lock file has them. */
export function productionPackages() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const inBundle = BUNDLED.map((name) => `node_modules/${name}`);
  return Object.entries(packages)
    .filter(([path, { dev, devOptional, peer }]) => path !== '' && !dev && !devOptional && !peer)
    .map(([path]) => path)
    .filter((path) => !inBundle.includes(path));
}

function published() {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).files.filter(
    (path) => !path.startsWith('!'),
  );
}

export function stageProduction(folder) {
  mkdirSync(folder, { recursive: true });
  // What npm would publish, as package.json lists it, and nothing that only readers want.
  for (const name of ['package.json', ...published().filter((path) => path !== 'CHANGELOG.md')]) {
    cpSync(join(root, name), join(folder, name), {
      recursive: true,
      filter: (source) => !source.endsWith('/.build') && !source.includes('/dist/types'),
    });
  }
  for (const path of productionPackages()) {
    cpSync(join(root, path), join(folder, path), { recursive: true, dereference: true, filter: isNeeded });
  }
}

/** What only a compiler or a reader of the sources would want. Below a package's own folders such names may hold code: `yaml/dist/doc`. */
function isNeeded(source) {
  return !/^\/(?:deps|src|shell|\.bin|docs?|tests?|examples?)$|\.(?:map|d\.[cm]?ts|[cm]?ts|cc|cpp|c|h|gyp)$/.test(
    source.replace(/^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/, ''),
  );
}
