/** How much a project remembers, in words and for a program. */
import { AppError } from '../core/index.ts';
import type { Engine } from '../engine/index.ts';
import { escapeControl } from '../text/index.ts';

export interface MemoryFacts {
  readonly text: string;
  /** `3 checkpoints, 1 fix`. */
  readonly counts: string;
  readonly value: { readonly entries: Readonly<Record<string, number>>; readonly of: string };
}

type MemoryPort = Pick<Engine, 'placeOf' | 'memorySizes'>;

const PLURALS: Readonly<Record<string, string>> = {
  checkpoint: 'checkpoints',
  remediation: 'fixes',
  skill: 'skills',
  guide: 'guides',
  collection: 'collections',
};
const SINGULARS: Readonly<Record<string, string>> = { remediation: 'fix' };

/** Reads only what is there: no memory is made for it. One that cannot be opened is said to be so, and breaks nothing. */
export async function readMemoryFacts(engine: MemoryPort, root: string): Promise<MemoryFacts> {
  const place = await engine.placeOf({ root });
  const shared = place.folder === '' ? '' : ` (of ${place.root})`;
  const entries = await readSizes(engine, root);
  const counts = Object.entries(entries ?? {}).map(([kind, count]) => `${count} ${nounOf(kind, count)}`);
  const words =
    entries === undefined ? 'cannot be opened; `waymark doctor` says why' : counts.join(', ') || 'empty';
  return {
    text: escapeControl(`memory: ${words}${shared}`),
    counts: escapeControl(words),
    value: { entries: entries ?? {}, of: place.root },
  };
}

async function readSizes(
  engine: MemoryPort,
  root: string,
): Promise<Readonly<Record<string, number>> | undefined> {
  try {
    const sizes = await engine.memorySizes({ root });
    return Object.fromEntries(sizes.filter(({ count }) => count > 0).map(({ kind, count }) => [kind, count]));
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.facts.fault !== 'bug') return undefined;
    throw thrown;
  }
}

function nounOf(kind: string, count: number): string {
  return (count === 1 ? SINGULARS[kind] : PLURALS[kind]) ?? kind;
}
