/** Packages as they are built, and a machine on which npm finds them and nothing else. */
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { tempFolder, type OnEnd, type TempFolder } from '../support/temp-folder.ts';
import { openRegistry } from './local-registry.ts';

const exec = promisify(execFile);

export interface Packages {
  /** Has `out` with the packages, an empty `home` and a `project`. */
  readonly folder: TempFolder;
  readonly env: Readonly<Record<string, string>>;
}

/** Builds these kinds of packages. */
export async function buildPackages(kinds: readonly string[], onEnd: OnEnd): Promise<Packages> {
  const folder = tempFolder({ 'project/.git/HEAD': 'ref: refs/heads/main\n' }, onEnd);
  const script = fileURLToPath(new URL('../../scripts/package.mjs', import.meta.url));
  await exec(process.execPath, [script, '--out', folder.join('out'), ...kinds]);
  mkdirSync(folder.join('home'));
  return {
    folder,
    env: {
      PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`,
      HOME: folder.join('home'),
    },
  };
}

/** Packs what npm publishes, and answers as the registry that has it. */
export async function openTarball(onEnd: OnEnd): Promise<Packages & { readonly tarball: string }> {
  const { folder, env } = await buildPackages(['npm', 'registry'], onEnd);
  const [name = ''] = readdirSync(folder.join('out/npm'));
  const tarball = join(folder.join('out/npm'), name);
  return {
    folder,
    tarball,
    env: {
      ...env,
      npm_config_registry: await openRegistry(tarball, folder.join('registry'), onEnd),
      npm_config_cache: folder.join('npm-cache'),
      npm_config_userconfig: folder.join('npmrc'),
      npm_config_update_notifier: 'false',
      npm_config_progress: 'false',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      npm_config_ignore_scripts: 'true',
    },
  };
}
