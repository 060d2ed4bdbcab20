/** Guides hold examples; tests compile and run them as another program would. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';

export const readGuide = (name: string): string => readFileSync(resolve('docs/guides', name), 'utf8');

export function fencesOf(page: string, language: string): readonly string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(
    ([, code = '']) => code,
  );
}

/** Another program that depends on this package. */
export function installExample(code: string): { readonly folder: string; readonly script: string } {
  // Not below our own node_modules: a link back to the repository in there is a circle to whatever walks them meanwhile.
  const folder = mkdtempSync(join(tmpdir(), 'waymark-example-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(resolve('node_modules', '@types'), join(folder, 'node_modules', '@types'));
  symlinkSync(dirname(resolve('package.json')), join(folder, 'node_modules', 'waymark'));
  const compilerOptions = {
    target: 'es2023',
    module: 'nodenext',
    strict: true,
    skipLibCheck: true,
    types: ['node'],
    outDir: '.',
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['example.mts'] }));
  writeFileSync(join(folder, 'example.mts'), code);
  return { folder, script: join(folder, 'example.mjs') };
}
