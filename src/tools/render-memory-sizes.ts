/** How much a project remembers, in words and for a program. */
import { AppError } from '../core/index.ts';
import type { Memory } from '../memory/index.ts';
import { escapeControl } from '../text/index.ts';

export interface MemoryFacts {
  readonly text: string;
  readonly value: { readonly entries: Readonly<Record<string, number>>; readonly of: string };
}

const PLURALS: Readonly<Record<string, string>> = {
  checkpoint: 'checkpoints',
  remediation: 'fixes',
  skill: 'skills',
  guide: 'guides',
  collection: 'collections',
};
const SINGULARS: Readonly<Record<string, string>> = { remediation: 'fix' };

/** Reads only what is there: no memory is made for it. One that cannot be opened is said to be so, and breaks nothing. */
export async function readMemoryFacts(memory: Memory, root: string): Promise<MemoryFacts> {
  const place = memory.placeOf(root);
  const shared = place.folder === '' ? '' : ` (of ${place.root})`;
  const entries = await readSizes(memory, root);
  const counts = Object.entries(entries ?? {}).map(([kind, count]) => `${count} ${nounOf(kind, count)}`);
  const words =
    entries === undefined ? 'cannot be opened; `waymark doctor` says why' : counts.join(', ') || 'empty';
  return {
    text: escapeControl(`memory: ${words}${shared}`),
    value: { entries: entries ?? {}, of: place.root },
  };
}

async function readSizes(
  memory: Memory,
  root: string,
): Promise<Readonly<Record<string, number>> | undefined> {
  try {
    if ((await memory.list(root, { limit: 1 })).length === 0) return {};
    const sizes = await (await memory.storeOf(root)).sizes();
    return Object.fromEntries(sizes.filter(({ count }) => count > 0).map(({ kind, count }) => [kind, count]));
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.facts.fault !== 'bug') return undefined;
    throw thrown;
  }
}

function nounOf(kind: string, count: number): string {
  return (count === 1 ? SINGULARS[kind] : PLURALS[kind]) ?? kind;
}
