/** What of a trial goes into the report. */
import { sourceOf, type Check } from './checks.ts';
import type { TrialReport } from './report.ts';
import type { SceneRecord, TrialRecord } from './trial.ts';

export function toReport(record: TrialRecord, checks: readonly Check[]): TrialReport {
  const { agent, transport, version, opening, scenes } = record;
  return {
    name: agent.name,
    package: agent.package,
    version,
    transport,
    opensWith: opening?.with ?? '–',
    declares: opening?.declares ?? [],
    source: sourceOf(scenes.repository) ?? '–',
    handsOver: handsOver(scenes.repository),
    restarts: Object.values(scenes).reduce((sum, { starts }) => sum + starts - 1, 0),
    checks,
  };
}

/** What the agent makes of an answer before the model reads it. */
function handsOver({ results: [status] }: SceneRecord): string {
  if (status === undefined) return '–';
  const wraps = status.startsWith('project:') ? '' : ', with words of its own around it';
  if (/"structuredContent"/.test(status)) return 'text and structured form';
  if (/^\s*(Wall time.*\n(Output:\n)?)?[[{]/.test(status)) return 'text inside JSON';
  return `text${wraps}`;
}
