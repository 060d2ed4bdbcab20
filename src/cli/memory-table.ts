/** Entries of the memory as lines that fit a terminal, with the times of this machine; in a pipe nothing is cut. Pure. */
import type { MemoryEntry } from '../storage/index.ts';
import { escapeControl } from '../text/index.ts';
import { renderTime } from './look/times.ts';
import { cut } from './look/width.ts';

const ID_COLUMNS = 18;
const KIND_COLUMNS = 11;
const TIME_COLUMNS = 16;

export function entryRow(entry: MemoryEntry, columns: number = Infinity): string {
  const { id, kind, name, updatedAt, flags, provenance } = entry;
  const marks = [
    ...(provenance.origin === 'captured' ? ['captured'] : []),
    ...(flags.length === 0 ? [] : [`CAUTION: ${flags.join(', ')}`]),
  ];
  const note = marks.length === 0 ? '' : `[${marks.join('; ')}] `;
  // A guide of the repository has no time of its own.
  const time = (updatedAt === 0 ? '' : renderTime(updatedAt)).padEnd(TIME_COLUMNS);
  return cut(
    escapeControl(`${id.padEnd(ID_COLUMNS)}  ${time}  ${kind.padEnd(KIND_COLUMNS)}  ${note}${name}`),
    columns,
  );
}

/** By day, the latest first. */
export function timelineOf(
  entries: readonly MemoryEntry[],
  heading: (day: string) => string,
  columns: number = Infinity,
): string {
  const days = new Map<string, string[]>();
  for (const { updatedAt, kind, name, provenance, id } of entries.toSorted(
    (a, b) => b.updatedAt - a.updatedAt,
  )) {
    const [day = '', time = ''] = renderTime(updatedAt).split(' ');
    const branch = provenance.branch === undefined ? '' : ` (${provenance.branch})`;
    const line = cut(
      escapeControl(`  ${time}  ${kind.padEnd(KIND_COLUMNS)}  ${id.padEnd(ID_COLUMNS)}  ${name}${branch}`),
      columns,
    );
    days.set(day, [...(days.get(day) ?? []), line]);
  }
  return [...days].map(([day, lines]) => [heading(day), ...lines].join('\n')).join('\n\n');
}
