/** The package as a user has it: packed here, installed into a folder of its own; and the Nodes to try it with. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

export interface NodeProgram {
  readonly absPath: string;
  readonly version: string;
  readonly major: number;
}

/** Packs the checkout, installs the tarball below `folder` and gives its bin. */
export function installPackage(folder: string): string {
  const app = join(folder, 'app');
  mkdirSync(app);
  npm(['pack', '--ignore-scripts', '--pack-destination', folder]);
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  if (tarball === undefined) throw new Error('npm packed nothing');
  npm(['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', app, join(folder, tarball)]);
  return join(app, 'node_modules', 'waymark', 'dist', 'main.js');
}

/** This Node, and the others that are supported: those that WAYMARK_TEST_NODES names, or the newest from npm. */
export function findNodes(majors: readonly number[]): readonly NodeProgram[] {
  const named = process.env['WAYMARK_TEST_NODES']?.split(delimiter);
  const own = describeNode(process.execPath);
  const others = majors.filter((major) => major !== own.major).map(String);
  const fetched = (): string[] =>
    execFileSync(process.execPath, [resolve('scripts/fetch-nodes.mjs'), ...others], { encoding: 'utf8' })
      .split('\n')
      .filter(Boolean);
  return [own, ...(named ?? fetched()).map(describeNode)].toSorted((a, b) => a.major - b.major);
}

function describeNode(absPath: string): NodeProgram {
  const version = execFileSync(absPath, ['--version'], { encoding: 'utf8' }).trim();
  return { absPath, version, major: Number.parseInt(version.slice(1), 10) };
}

function npm(args: readonly string[]): void {
  execFileSync('npm', [...args, '--loglevel=error'], { stdio: ['ignore', 'ignore', 'inherit'] });
}
