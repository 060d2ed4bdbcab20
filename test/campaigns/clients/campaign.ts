/** The campaign with published agents: installs them, tries each, prints the table and writes the page. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Agent } from './agent.ts';
import { AGENTS } from './agents/index.ts';
import { judge } from './checks.ts';
import { installAgents } from './install-agents.ts';
import { currentIsolation, runIsolated } from './isolation.ts';
import { renderFaults, renderPage, renderTable, type TrialReport } from './report.ts';
import { toReport } from './trial-report.ts';
import { runTrial, TRANSPORTS, type Transport } from './trial.ts';

const OPTIONS = {
  only: { type: 'string' },
  transport: { type: 'string' },
  agents: { type: 'string' },
  keep: { type: 'boolean', default: false },
  write: { type: 'boolean', default: false },
} as const;

/** Resolves with the exit code: 0 where every check holds. */
export async function runClientsCampaign(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  const agents = chooseAgents(values.only);
  const transports = chooseTransports(values.transport);
  if (currentIsolation() === undefined) {
    const made = values.agents === undefined ? mkdtempSync(join(tmpdir(), 'clients-agents-')) : undefined;
    const agentsFolder = made ?? realpathSync(values.agents ?? '');
    try {
      installAgents(agents, agentsFolder);
      return await runIsolated([...args, '--agents', agentsFolder]);
    } finally {
      if (made !== undefined && !values.keep) rmSync(made, { recursive: true, force: true });
    }
  }
  const reports: TrialReport[] = [];
  for (const agent of agents)
    for (const transport of transports)
      reports.push(await tryOne({ agent, transport, agentsFolder: values.agents ?? '', keep: values.keep }));
  const isolation = currentIsolation() ?? 'closed proxy';
  process.stdout.write(`${renderTable(reports)}\nTraffic: loopback only, by a ${isolation}.\n`);
  if (values.write) writeFileSync('docs/clients-tried.md', renderPage(reports, new Date()));
  return reports.every(({ checks }) => checks.every(({ fault }) => fault === undefined)) ? 0 : 1;
}

interface One {
  readonly agent: Agent;
  readonly transport: Transport;
  readonly agentsFolder: string;
  readonly keep: boolean;
}

async function tryOne({ agent, transport, agentsFolder, keep }: One): Promise<TrialReport> {
  const startedAt = performance.now();
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'clients-')));
  const record = await runTrial({ agent, transport, root: process.cwd(), agentsFolder, folder, keep });
  const report = toReport(record, judge(record));
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  process.stderr.write(`${agent.name}, ${transport}: ${seconds} s${keep ? `, kept in ${folder}` : ''}\n`);
  process.stderr.write(renderFaults(report));
  return report;
}

function chooseAgents(only: string | undefined): readonly Agent[] {
  if (only === undefined) return AGENTS;
  return only.split(',').map((name) => {
    const found = AGENTS.find(({ id }) => id === name);
    if (found === undefined)
      throw new Error(`no agent ${name}: there are ${AGENTS.map(({ id }) => id).join(', ')}`);
    return found;
  });
}

function chooseTransports(name: string | undefined): readonly Transport[] {
  if (name === undefined) return TRANSPORTS;
  const found = TRANSPORTS.filter((transport) => transport === name);
  if (found.length === 0) throw new Error(`no transport ${name}: there are ${TRANSPORTS.join(', ')}`);
  return found;
}
