/** The campaign with the hooks of published agents: installs them, tries each, prints what held. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { AGENTS } from '../agents/index.ts';
import { installAgents } from '../install-agents.ts';
import { currentIsolation, runIsolated } from '../isolation.ts';
import { HOOK_AGENTS } from './hook-agents.ts';
import { runHookTrial } from './hook-trial.ts';

const OPTIONS = {
  only: { type: 'string' },
  agents: { type: 'string' },
  keep: { type: 'boolean', default: false },
} as const;
const MOST_FAULT_CHARS = 2_000;

/** Resolves with the exit code: 0 where every check holds. */
export async function runHookCampaign(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  const chosen = HOOK_AGENTS.filter(({ id }) => values.only?.split(',').includes(id) ?? true).flatMap(
    (hooks) => AGENTS.filter(({ id }) => id === hooks.id).map((agent) => ({ agent, hooks })),
  );
  if (currentIsolation() === undefined) {
    const made = values.agents === undefined ? mkdtempSync(join(tmpdir(), 'hooks-agents-')) : undefined;
    const agentsFolder = made ?? realpathSync(values.agents ?? '');
    try {
      installAgents(
        chosen.map(({ agent }) => agent),
        agentsFolder,
      );
      return await runIsolated([...args, '--agents', agentsFolder]);
    } finally {
      if (made !== undefined && !values.keep) rmSync(made, { recursive: true, force: true });
    }
  }
  let failed = 0;
  for (const { agent, hooks } of chosen) {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hooks-')));
    const { agents: agentsFolder = '', keep } = values;
    const report = await runHookTrial({ agent, hooks, root: process.cwd(), agentsFolder, folder, keep });
    process.stdout.write(`${report.name} ${report.version}${keep ? `, kept in ${folder}` : ''}\n`);
    for (const { name, fault } of report.checks) {
      if (fault !== undefined) failed += 1;
      process.stdout.write(
        `  ${fault === undefined ? '✓' : '✗'} ${name}${fault === undefined ? '' : `: ${fault.slice(0, MOST_FAULT_CHARS)}`}\n`,
      );
    }
  }
  process.stdout.write(failed === 0 ? 'verdict: all met\n' : `verdict: FAILED: ${failed} checks\n`);
  return failed === 0 ? 0 : 1;
}
