/** Processor time beside the time of the clock: of a machine that does other things too, it says what was needed. */
import { readdirSync, readFileSync } from 'node:fs';

const HUNDREDTH_MS = 10;

/** Of a process and all that it started, ended ones included; undefined where there is no /proc. */
export function processorMs(of = process.pid): number | undefined {
  try {
    const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    const told = new Map(all.map((pid) => [Number(pid), readStat(pid)]));
    const isOurs = (pid: number): boolean => pid === of || (pid > 1 && isOurs(told.get(pid)?.parent ?? 0));
    return [...told].reduce((sum, [pid, { ms }]) => sum + (isOurs(pid) ? ms : 0), 0);
  } catch {
    return undefined;
  }
}

/** How much of the clock's time the processor worked for these processes, as printed. */
export function renderProcessor(ms: number, lastedMs: number): string {
  return `${(ms / 1_000).toFixed(1)} s of processor time in ${(lastedMs / 1_000).toFixed(1)} s`;
}

/** Nothing of a process that is gone: its parent, which waited for it, counts it. */
function readStat(pid: string): { readonly parent: number; readonly ms: number } {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // Behind the name, which may hold anything: state, parent; the 12th to 15th are its own time and that of children it waited for.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const hundredths = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { parent: Number(fields[1]), ms: hundredths * HUNDREDTH_MS };
  } catch {
    return { parent: 0, ms: 0 };
  }
}
