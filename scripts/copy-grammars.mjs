/** Copies the grammars that src/parsing/grammar-files.ts names into dist/grammars, and refuses any that is not the one we know. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, talk } from './setup.mjs';

export async function copyGrammars() {
  const grammars = await readTable();
  const target = join(root, 'dist', 'grammars');
  mkdirSync(target, { recursive: true });
  for (const [name, { sha256 }] of Object.entries(grammars)) {
    const bytes = readFileSync(
      join(root, 'node_modules', 'tree-sitter-wasm', 'out', name, `tree-sitter-${name}.wasm`),
    );
    const found = createHash('sha256').update(bytes).digest('hex');
    if (found !== sha256) {
      talk(`error: the grammar ${name} is not the one in src/parsing/grammar-files.ts (sha256 ${found})`);
      talk('hint: run `npm ci`; after a deliberate update, review the new grammar and put in its checksum');
      process.exit(1);
    }
    writeFileSync(join(target, `${name}.wasm`), bytes);
  }
}

/** The table is TypeScript, so that the program and the build cannot disagree. */
async function readTable() {
  const { transformSync } = await import('esbuild');
  const source = readFileSync(join(root, 'src', 'parsing', 'grammar-files.ts'), 'utf8');
  const { code } = transformSync(source, { loader: 'ts', format: 'esm' });
  const module = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  return module.GRAMMAR_FILES;
}
