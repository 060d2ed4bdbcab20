/**
 * Brings the grammars that src/languages/syntax/grammar-files.ts names into dist/grammars, packed, and refuses any that is not the one we know. Those
 * of an earlier build stay; the package they come from (tools/grammars) has four times as many.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { root, talk } from './setup.mjs';
import { withTools } from './tool-packages.mjs';

const TARGET = join(root, 'dist', 'grammars');

export async function copyGrammars() {
  const grammars = await readTable();
  mkdirSync(TARGET, { recursive: true });
  for (const name of readdirSync(TARGET)) {
    const known = grammars[name.replace(/\.wasm\.gz$/, '')];
    if (known === undefined || known.sha256 !== digestOf(unpacked(join(TARGET, name))))
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
  const bytes = readFileSync(source);
  const found = digestOf(bytes);
  if (found !== sha256) {
    talk(
      `error: the grammar ${name} is not the one in src/languages/syntax/grammar-files.ts (sha256 ${found})`,
    );
    talk('hint: after a deliberate update of tools/grammars, review the new grammar and put in its checksum');
    process.exit(1);
  }
  writeFileSync(fileOf(name), gzipSync(bytes, { level: 9 }));
}

function fileOf(name) {
  return join(TARGET, `${name}.wasm.gz`);
}

function digestOf(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Nothing where it cannot be unpacked. */
function unpacked(absFile) {
  try {
    return gunzipSync(readFileSync(absFile));
  } catch {
    return '';
  }
}

/** The table is TypeScript, so that the program and the build cannot disagree. */
async function readTable() {
  const { transformSync } = await import('esbuild');
  const source = readFileSync(join(root, 'src', 'languages', 'syntax', 'grammar-files.ts'), 'utf8');
  const { code } = transformSync(source, { loader: 'ts', format: 'esm' });
  const module = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  return module.GRAMMAR_FILES;
}
