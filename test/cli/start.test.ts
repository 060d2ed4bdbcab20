/** What a start loads, and what it leaves for the next one. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';
import { emptyHome, runBinary } from '../support/waymark.ts';

const CHUNKS = fileURLToPath(new URL('../../dist/chunks/', import.meta.url));

/** The modules that this process ran, as V8 names them. */
async function scriptsOf(args: readonly string[]): Promise<{ stdout: string; scripts: string }> {
  const home = emptyHome();
  const env = { NODE_V8_COVERAGE: home.folder.join('coverage') };
  const { code, stdout } = await runBinary([...args], { home, env });
  expect(code).toBe(0);
  const [name = ''] = readdirSync(home.folder.join('coverage'));
  return { stdout, scripts: readFileSync(home.folder.join('coverage', name), 'utf8') };
}

/** The files of dist that hold this text, which names something of a library or of a room. */
function chunksWith(text: string): readonly string[] {
  const names = readdirSync(CHUNKS).filter((name) => readFileSync(`${CHUNKS}${name}`, 'utf8').includes(text));
  expect(names.length).toBeGreaterThan(0);
  return names.map((name) => `/dist/chunks/${name}"`);
}

test('the version is told without the SDK, the schemas, the database and the search', async () => {
  const { scripts } = await scriptsOf(['--version']);

  const heavy = ['protocolVersion', 'ZodRealError', 'BEGIN IMMEDIATE', 'createSearch('].flatMap(chunksWith);
  expect(heavy.filter((chunk) => scripts.includes(chunk))).toEqual([]);
});

test('a search in a fresh index loads no schema library', async () => {
  const project = tempFolder({
    '.git/HEAD': 'ref: refs/heads/main\n',
    'a.ts': 'export const parseUrl = 1;\n',
  });

  const { stdout, scripts } = await scriptsOf(['search', 'parseUrl', '--project', project.path]);

  expect(stdout).toContain('a.ts:1');
  expect(chunksWith('ZodRealError').filter((chunk) => scripts.includes(chunk))).toEqual([]);
});

test('the compile cache of Node is a private folder beside the indexes, and Node 20 has none', async () => {
  const home = emptyHome();
  const project = tempFolder({ '.git/HEAD': 'ref: refs/heads/main\n', 'a.ts': 'export const a = 1;\n' });
  const cache = home.folder.join('cache');
  const args = ['--project', project.path, '--cache-dir', cache];

  await runBinary(['search', 'a', ...args], { home });
  await runBinary(['search', 'a', ...args], { home });

  const hasCache = Number(process.versions.node.split('.')[0]) >= 22;
  expect(readdirSync(cache).includes('compiled')).toBe(hasCache);
  for (const name of readdirSync(cache)) expect(statSync(`${cache}/${name}`).mode & 0o777).toBe(0o700);
});
