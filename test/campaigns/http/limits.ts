/** The table a campaign closes with: what was measured, beside what is allowed. */

export interface Limit {
  readonly what: string;
  readonly measured: number;
  readonly unit?: string;
  readonly atMost?: number;
  readonly atLeast?: number;
}

export function isKept({ measured, atMost, atLeast }: Limit): boolean {
  // Written so that a missing measurement keeps no limit.
  return (atMost === undefined || measured <= atMost) && (atLeast === undefined || measured >= atLeast);
}

export function renderLimits(limits: readonly Limit[]): string {
  const rows = limits.map((limit) => [
    limit.what,
    `${round(limit.measured)}${limit.unit === undefined ? '' : ` ${limit.unit}`}`,
    limit.atMost === undefined ? `≥ ${limit.atLeast ?? '-'}` : `≤ ${limit.atMost}`,
    isKept(limit) ? 'ok' : 'VIOLATED',
  ]);
  const all = [['what', 'measured', 'limit', ''], ['---', '---', '---', '---'], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`)
    .join('\n');
}

function round(value: number): number {
  return Math.abs(value) >= 100 ? Math.round(value) : Math.round(value * 10) / 10;
}
