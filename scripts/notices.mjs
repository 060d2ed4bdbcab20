/** Writes dist/THIRD-PARTY.txt: the licences of all that is copied into the package instead of being installed beside it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.mjs';

/** The grammars are files of this package, copied by copy-grammars.mjs. */
const COPIED = ['tree-sitter-wasm'];

/** @param {readonly string[]} inputs  Files of the bundle, relative to the project. */
export function writeNotices(inputs) {
  const bundled = inputs.flatMap((file) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []);
  const names = [...new Set([...bundled, ...COPIED])].toSorted();
  const parts = names.map((name) => {
    const folder = join(root, 'node_modules', name);
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return `${name} ${version} (${license})\n\n${readFileSync(join(folder, 'LICENSE'), 'utf8').trim()}\n`;
  });
  const head = `This package contains code of ${names.join(', ')}. Their licences follow.\n`;
  writeFileSync(join(root, 'dist', 'THIRD-PARTY.txt'), [head, ...parts].join(`\n${'-'.repeat(72)}\n\n`));
}
