/**
 * Brings the grammars that src/languages/syntax/grammar-files.ts names into dist/grammars, and refuses any that is not the one we know. Those
 * of an earlier build stay; the package they come from (tools/grammars) has four times as many.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, talk } from './setup.mjs';
import { withTools } from './tool-packages.mjs';

const TARGET = join(root, 'dist', 'grammars');

export async function copyGrammars() {
  const grammars = await readTable();
  mkdirSync(TARGET, { recursive: true });
  for (const name of readdirSync(TARGET)) {
    if (grammars[name.replace(/\.wasm$/, '')]?.sha256 !== digestOf(join(TARGET, name)))
      rmSync(join(TARGET, name));
  }
  const missing = Object.keys(grammars).filter((name) => !existsSync(fileOf(name)));
  if (missing.length === 0) return;
  await withTools('grammars', async (absModules) => {
    for (const name of missing) copyGrammar(absModules, name, grammars[name].sha256);
  });
}

function copyGrammar(absModules, name, sha256) {
  const source = join(absModules, 'tree-sitter-wasm', 'out', name, `tree-sitter-${name}.wasm`);
  const found = digestOf(source);
  if (found !== sha256) {
    talk(
      `error: the grammar ${name} is not the one in src/languages/syntax/grammar-files.ts (sha256 ${found})`,
    );
    talk('hint: after a deliberate update of tools/grammars, review the new grammar and put in its checksum');
    process.exit(1);
  }
  writeFileSync(fileOf(name), readFileSync(source));
}

function fileOf(name) {
  return join(TARGET, `${name}.wasm`);
}

function digestOf(absFile) {
  return createHash('sha256').update(readFileSync(absFile)).digest('hex');
}

/** The table is TypeScript, so that the program and the build cannot disagree. */
async function readTable() {
  const { transformSync } = await import('esbuild');
  const source = readFileSync(join(root, 'src', 'languages', 'syntax', 'grammar-files.ts'), 'utf8');
  const { code } = transformSync(source, { loader: 'ts', format: 'esm' });
  const module = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  return module.GRAMMAR_FILES;
}
