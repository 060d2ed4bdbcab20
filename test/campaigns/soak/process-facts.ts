/** What the kernel knows of a running process. */
import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessFacts {
  readonly rssMb: number;
  readonly handles: number;
  readonly threads: number;
}

export function factsOf(pid: number): ProcessFacts {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const field = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? Number.NaN);
  return {
    rssMb: field('VmRSS') / 1024,
    handles: readdirSync(`/proc/${pid}/fd`).length,
    threads: field('Threads'),
  };
}
