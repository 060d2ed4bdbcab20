/** A report to send along with a bug report: what the doctor saw, versions and settings; no values that could be secret. */
import { join, resolve } from 'node:path';
import { readEnvironment, renderConfigValue } from '../../config/index.ts';
import { readEditable, replaceEditable, systemClock, systemIds } from '../../platform/index.ts';
import { hideSecrets } from '../../text/index.ts';
import type { CommandContext } from '../command.ts';

export function writeBundle(value: object, { resolved }: CommandContext, home: string): string {
  const stamp = new Date(systemClock.now())
    .toISOString()
    .slice(0, 19)
    .replaceAll(/[-:]/g, '')
    .replace('T', '-');
  const absPath = join(resolve('.'), `waymark-report-${stamp}.json`);
  const report = {
    ...value,
    system: { platform: process.platform, arch: process.arch, node: process.versions.node },
    settings: renderConfigValue(resolved),
    // Names tell which clients and tools are involved; values may be secret.
    variables: Object.keys(readEnvironment()).toSorted(),
  };
  // The user's name is in every path below their home.
  const text = JSON.stringify(report, null, 2).split('\n').map(hideSecrets).join('\n').replaceAll(home, '~');
  replaceEditable(readEditable(absPath), Buffer.from(`${text}\n`), systemIds);
  return absPath;
}
