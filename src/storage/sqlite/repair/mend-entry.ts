/** An entry that got into a store with something in it that cannot be: brought within bounds, so that its text is not lost. Pure. */
import type { MemoryEntry } from '../../memory-store.ts';
import {
  entryProblem,
  isDate,
  isDeeperThan,
  isFields,
  MOST_DEPTH,
  parseFields,
  readEntry,
} from '../../memory-rows.ts';

/** Undefined if nothing can be made of it. */
export function mendEntry(doc: string): MemoryEntry | undefined {
  const value = parseFields(doc);
  const read = value === undefined ? undefined : readEntry(value);
  if (read === undefined) return undefined;
  const createdAt = [read.createdAt, read.updatedAt].find(isDate) ?? 0;
  const { claims, ...provenance } = read.provenance;
  const mended: MemoryEntry = {
    ...read,
    metadata: isDeeperThan(read.metadata, MOST_DEPTH) ? {} : read.metadata,
    confidence: read.confidence >= 0 && read.confidence <= 1 ? read.confidence : 0.5,
    tokens: toCount(read.tokens, 0),
    version: toCount(read.version, 1),
    createdAt,
    updatedAt: isDate(read.updatedAt) ? read.updatedAt : createdAt,
    provenance: claims === undefined || !isJsonObject(claims) ? provenance : { ...provenance, claims },
  };
  return entryProblem(toFields(mended)) === undefined ? mended : undefined;
}

function toCount(value: number, least: number): number {
  return Number.isFinite(value) ? Math.min(2 ** 31, Math.max(least, Math.trunc(value))) : least;
}

function isJsonObject(text: string): boolean {
  const value = parseFields(text);
  return value !== undefined && !isDeeperThan(value, MOST_DEPTH);
}

function toFields(entry: MemoryEntry): Readonly<Record<string, unknown>> {
  return isFields(entry) ? entry : {};
}
