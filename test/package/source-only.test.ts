/** What is published can be read: no bytecode, and nothing of the machine that built it. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Grammars and the model are published as their makers published them; the build compares the checksums of the grammars. */
const AS_THEY_CAME = /^(?:dist\/grammars\/[\w-]+\.wasm|assets\/model\/[\w.-]+)$/;
/** No text has it; what V8 writes is full of it. */
const NUL = 0;

test('the tarball holds source text only, and names no folder of its builder', { timeout: 120_000 }, () => {
  const folder = tempFolder({});
  const [packed]: readonly { readonly filename: string }[] = JSON.parse(
    execFileSync(
      'npm',
      ['pack', '--json', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder.path],
      {
        cwd: ROOT,
        encoding: 'utf8',
      },
    ),
  );
  execFileSync('tar', ['-xzf', folder.join(packed?.filename ?? ''), '-C', folder.path]);
  const top = folder.join('package');

  const files = readdirSync(top, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((absPath) => !AS_THEY_CAME.test(relative(top, absPath)));
  const opaque = files.filter((absPath) => readFileSync(absPath).includes(NUL));
  const builders = [ROOT, `${homedir()}/`, `${tmpdir()}/`];
  const telling = files.filter((absPath) => {
    const text = readFileSync(absPath, 'utf8');
    return builders.some((place) => text.includes(place));
  });

  expect(files.map((absPath) => relative(top, absPath))).toContain('dist/main.js');
  expect(opaque).toEqual([]);
  expect(telling).toEqual([]);
  expect(files.filter((absPath) => /\.(?:cjs|node)$|\.v8/.test(absPath))).toEqual([]);
});
