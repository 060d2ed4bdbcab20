/** Which processes a process has started and that still run; none where the system does not tell. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';

export function childrenOf(pid: number | undefined): readonly string[] {
  if (!existsSync('/proc/self')) return [];
  return readdirSync('/proc').filter((name) => {
    try {
      const [, parent] = /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/status`, 'utf8')) ?? [];
      return Number(parent) === pid;
    } catch {
      return false;
    }
  });
}
