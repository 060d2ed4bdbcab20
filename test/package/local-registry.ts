/** A package registry on this machine that holds Waymark's tarball and what it needs, so that npm and npx can be tried for real. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { OnEnd } from '../support/temp-folder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

interface Packed {
  readonly name: string;
  readonly version: string;
  readonly filename: string;
  readonly integrity: string;
}

/** The address of the registry. The lock file says which packages are needed; they are packed from node_modules. */
export async function openRegistry(tarball: string, folder: string, onEnd: OnEnd): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const { stdout } = await run(
    'npm',
    [
      'pack',
      '--json',
      '--ignore-scripts',
      '--loglevel=error',
      '--pack-destination',
      folder,
      ...productionFolders(),
    ],
    { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 },
  );
  const packed: readonly Packed[] = JSON.parse(stdout);
  const files = new Map(packed.map(({ filename }) => [`/${filename}`, join(folder, filename)]));
  files.set('/waymark.tgz', tarball);
  const pages = new Map<string, (base: string) => string>();
  for (const one of packed) {
    const manifest = readJson(join(ROOT, 'node_modules', one.name, 'package.json'));
    pages.set(`/${one.name}`, (base) => toPage(manifest, `${base}/${one.filename}`, one.integrity));
  }
  const own = readJson(join(ROOT, 'package.json'));
  const integrity = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
  pages.set('/waymark', (base) => toPage(own, `${base}/waymark.tgz`, integrity));

  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '').replace(/\?.*/, '');
    const file = files.get(path);
    const page = pages.get(path);
    if (file !== undefined) createReadStream(file).pipe(response);
    else if (page === undefined) response.writeHead(404).end('{}');
    else response.setHeader('content-type', 'application/json').end(page(base()));
  });
  const base = (): string => {
    const address = server.address();
    return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return base();
}

function productionFolders(): readonly string[] {
  const { packages } = readJson(join(ROOT, 'package-lock.json'));
  return Object.entries(Object(packages))
    .filter(
      ([path, facts]) =>
        path !== '' &&
        ['dev', 'devOptional', 'peer'].every((key) => Reflect.get(Object(facts), key) !== true),
    )
    .map(([path]) => `./${path}`);
}

function toPage(manifest: Readonly<Record<string, unknown>>, tarball: string, integrity: string): string {
  const version = String(manifest['version']);
  return JSON.stringify({
    name: manifest['name'],
    'dist-tags': { latest: version },
    versions: { [version]: { ...manifest, dist: { tarball, integrity } } },
  });
}

function readJson(file: string): Record<string, unknown> {
  return JSON.parse(readFileSync(file, 'utf8'));
}
