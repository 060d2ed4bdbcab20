/** What the kernel knows of a running process. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface ProcessFacts {
  readonly rssMb: number;
  /** Without the connections that clients keep open to `port`: how many those are is theirs to say. */
  readonly handles: number;
  readonly threads: number;
}

export function factsOf(pid: number, port: number): ProcessFacts {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const field = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? Number.NaN);
  const open = openConnections(pid, port);
  return {
    rssMb: field('VmRSS') / 1024,
    handles: handlesOf(pid).filter((handle) => !open.has(handle)).length,
    threads: field('Threads'),
  };
}

function handlesOf(pid: number): readonly string[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).flatMap((name) => {
    try {
      return [readlinkSync(`${folder}/${name}`)];
    } catch {
      // Closed meanwhile.
      return [];
    }
  });
}

const ESTABLISHED = '01';

/** One whose client has hung up is not among them: the server has to close it, too. */
function openConnections(pid: number, port: number): ReadonlySet<string> {
  const rows = ['tcp', 'tcp6'].flatMap((name) =>
    readFileSync(`/proc/${pid}/net/${name}`, 'utf8').split('\n'),
  );
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  return new Set(
    rows.flatMap((row) => {
      const [, local = '', , state, , , , , , inode = ''] = row.trim().split(/\s+/);
      return state === ESTABLISHED && local.endsWith(`:${hex}`) ? [`socket:[${inode}]`] : [];
    }),
  );
}
