/** The table that is printed, and the page in docs/. */
import type { Check } from './checks.ts';
import type { Transport } from './trial.ts';

const MOST_FAULT_CHARS = 1500;

export interface TrialReport {
  readonly name: string;
  readonly package: string;
  readonly version: string;
  readonly transport: Transport;
  readonly opensWith: string;
  readonly declares: readonly string[];
  readonly source: string;
  readonly handsOver: string;
  /** Sessions that were started again because the agent had not waited for the server. */
  readonly restarts: number;
  readonly checks: readonly Check[];
}

/** Every check of every agent: ✓, or ✗. */
export function renderTable(reports: readonly TrialReport[]): string {
  const names = reports[0]?.checks.map(({ name }) => name) ?? [];
  const rows = reports.map(({ name, transport, checks }) =>
    row([name, transport, ...checks.map(({ fault }) => (fault === undefined ? '✓' : '✗'))]),
  );
  return `${heading(['agent', 'transport', ...names])}${rows.join('')}`;
}

/** What failed, for the person who runs it. */
export function renderFaults({ checks, restarts }: TrialReport): string {
  const late = restarts === 0 ? '' : `  started again, as it did not wait for the server: ${restarts} ×\n`;
  const faults = checks
    .filter(({ fault }) => fault !== undefined)
    .map(({ name, fault }) => `  ✗ ${name}: ${fault?.slice(0, MOST_FAULT_CHARS)}\n`)
    .join('');
  return `${late}${faults}`;
}

export function renderPage(reports: readonly TrialReport[], date: Date): string {
  const passed = new Set(reports.map(({ name }) => name));
  for (const { name, checks } of reports)
    if (checks.some(({ fault }) => fault !== undefined)) passed.delete(name);
  const facts = reports.map((report) =>
    row([
      report.name,
      `\`${report.package}\` ${report.version}`,
      report.transport,
      report.opensWith,
      report.declares.join(', ') || '–',
      report.source,
      report.handsOver,
    ]),
  );
  return `# Agents that were tried

Made by \`npm run campaign:clients -- --write\` on ${date.toISOString().slice(0, 10)}. The published agents run against the built program, each
with an empty home and no network but loopback. A local program stands in for the model: it asks for tool calls and keeps what
the agent sends back, which is exactly what a model reads. ${passed.size} of ${new Set(reports.map(({ name }) => name)).size} agents pass every check.

## What each one does

| agent | package | transport | opens with | declares | project via | hands the model |
|---|---|---|---|---|---|---|
${facts.join('')}
## What was checked

- **connects**, **lists all tools**, **calls**: every call of four sessions is answered. Claude Code is told to wait for its servers
  (\`MCP_CONNECTION_NONBLOCKING=false\`); any other session in which the agent did not wait is started again and counted.
- **reads …**: the code of a hit with line numbers and indent, a checkpoint, a solution and a skill reach the model word for word.
- **repository**, **subfolder**, **second project**, **without git**: the folder that the agent is started in. Index and memory are
  those of the right project; nothing of the second project is written to the first. Where an agent says nothing about its folder,
  the answer asks for \`switch_project\`, and the model calls it with that folder. A subfolder that the model names is searched as it
  was named; its memory is the repository's all the same.
- **setup**, **doctor**, **uninstall**: setup writes the file with which the agent then connects, doctor says ✓, and uninstall puts
  every byte back.

${renderTable(reports)}${renderRestarts(reports)}`;
}

function renderRestarts(reports: readonly TrialReport[]): string {
  const late = reports.filter(({ restarts }) => restarts > 0);
  if (late.length === 0) return '';
  const list = late
    .map(({ name, transport, restarts }) => `${name} over ${transport} (${restarts})`)
    .join(', ');
  return `\nSessions in which the agent had not waited for the server, so that they were started again: ${list}.\n`;
}

function heading(cells: readonly string[]): string {
  return `${row(cells)}|${cells.map(() => '---|').join('')}\n`;
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |\n`;
}
