/** What a campaign found, as a table with a last line that says it all; the exit code says the same. */
export interface Finding {
  readonly what: string;
  readonly measured: number;
  /** In words; empty for what is only shown. */
  readonly limit: string;
  readonly ok: boolean;
}

export function printVerdict(findings: readonly Finding[], complaints: readonly string[] = []): void {
  const rows = findings.map(
    ({ what, measured, limit, ok }) =>
      `| ${what} | ${Math.round(measured * 1000) / 1000} | ${limit} | ${ok ? 'ok' : 'FAILED'} |`,
  );
  const missed = findings.filter(({ ok }) => !ok).map(({ what }) => what);
  const verdict = missed.length === 0 ? 'verdict: all met' : `verdict: FAILED: ${missed.join('; ')}`;
  const head = [`Node ${process.version}`, '| what | measured | limit | |', '|---|---|---|---|'];
  process.stdout.write(`${[...head, ...rows, ...complaints, verdict].join('\n')}\n`);
  if (missed.length > 0) process.exitCode = 1;
}

/** None of these may be. */
export function none(what: string, measured: number): Finding {
  return { what, measured, limit: '0', ok: measured === 0 };
}

export function atLeast(what: string, measured: number, least: number): Finding {
  return { what, measured, limit: `≥ ${least}`, ok: measured >= least };
}

export function atMost(what: string, measured: number, most: number, why = ''): Finding {
  const limit = `≤ ${Math.round(most * 10) / 10}${why === '' ? '' : ` (${why})`}`;
  return { what, measured, limit, ok: measured <= most };
}

export function shown(what: string, measured: number): Finding {
  return { what, measured, limit: '', ok: true };
}
