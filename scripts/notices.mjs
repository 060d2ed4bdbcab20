/** Writes dist/THIRD-PARTY.txt: the licences of all that is copied into the package instead of being installed beside it. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.mjs';

/** The grammars are files of this package, copied by copy-grammars.mjs, which does not keep it: its licence is beside its lock file. */
const GRAMMARS = 'tree-sitter-wasm';

/** @param {readonly string[]} inputs  Files of the bundle, relative to the project. */
export function writeNotices(inputs) {
  const bundled = inputs.flatMap((file) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []);
  const names = [...new Set([...bundled, GRAMMARS])].toSorted();
  const parts = names.map((name) => {
    const folder = name === GRAMMARS ? join(root, 'tools', 'grammars') : join(root, 'node_modules', name);
    const { version, license } =
      name === GRAMMARS ? lockedGrammars() : readJson(join(folder, 'package.json'));
    return `${name} ${version} (${license})\n\n${licenceIn(folder)}\n`;
  });
  const head = `This package contains code of ${names.join(', ')}. Their licences follow.\n`;
  writeFileSync(join(root, 'dist', 'THIRD-PARTY.txt'), [head, ...parts].join(`\n${'-'.repeat(72)}\n\n`));
}

function licenceIn(folder) {
  const name = readdirSync(folder).find((file) => /^licen[cs]e(?:\.\w+)?$/i.test(file));
  if (name !== undefined) return readFileSync(join(folder, name), 'utf8').trim();
  // Some have it at the end of what they say of themselves.
  const [, licence] =
    /^##? licen[cs]e\s+(.*)$/ims.exec(readFileSync(join(folder, 'README.md'), 'utf8')) ?? [];
  if (licence === undefined) throw new Error(`There is no licence in ${folder}.`);
  return licence.trim();
}

function lockedGrammars() {
  return readJson(join(root, 'tools', 'grammars', 'package-lock.json')).packages[`node_modules/${GRAMMARS}`];
}

function readJson(absFile) {
  return JSON.parse(readFileSync(absFile, 'utf8'));
}
