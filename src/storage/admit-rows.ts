/** What goes into a memory beside its entries, its name and rows of other files, as the gate lets them in. */
import { createHash } from 'node:crypto';
import { basename, dirname } from 'node:path';
import type { RecordGate, SharedIdentity } from './memory-store.ts';
import type { MemoryRows } from './memory-rows.ts';

const DIGEST = /^sha256:[0-9a-f]{64}$/;

/** Keys are compared and never shown, so a digest does: whatever a caller puts into one is not kept. */
export function keptKey(saveKey: string | undefined): string | undefined {
  return saveKey === undefined ? undefined : `sha256:${digestOf(saveKey)}`;
}

/** As builds wrote it that kept the key itself; undefined for a text that passes for a digest. */
export function plainKey(saveKey: string | undefined): string | undefined {
  return saveKey === undefined || DIGEST.test(saveKey) ? undefined : saveKey;
}

/** A path that holds a secret is known by a digest: two of them must not become one. */
export function keptPlace(identity: string, { clean }: Pick<RecordGate, 'clean'>): string {
  const cleaned = clean(identity);
  return cleaned === identity ? identity : `${cleaned}#${digestOf(identity).slice(0, 16)}`;
}

export function keptIdentity(shared: SharedIdentity, gate: RecordGate): SharedIdentity {
  return { ...shared, identity: keptPlace(shared.identity, gate), name: gate.clean(shared.name) };
}

/** As `ownSpace` makes them: nothing that leads out of a directory. */
const SPACE = /^[\w.-]{0,40}-[0-9a-f]{16}$/;

export function isSpaceName(name: string): boolean {
  return SPACE.test(name);
}

/** Readable enough to recognise, unique by its digest. */
export function ownSpace(identity: string, { clean }: Pick<RecordGate, 'clean'>): string {
  const folder = basename(identity) === '.git' ? dirname(identity) : identity;
  const name = clean(basename(folder))
    .replaceAll(/[^\w.-]/g, '_')
    .slice(0, 40);
  return `${name}-${digestOf(identity).slice(0, 16)}`;
}

/** Rows that came by another way than through the gate: of a backup, of another memory, of a damaged file. */
export function admitRows(rows: MemoryRows, gate: RecordGate): MemoryRows {
  return {
    entries: rows.entries.map((row) => ({
      ...row,
      entry: gate.admit(row.entry).entry,
      saveKey: row.saveKey !== undefined && DIGEST.test(row.saveKey) ? row.saveKey : keptKey(row.saveKey),
    })),
    versions: rows.versions.map((version) => gate.admit(version).entry),
    changes: rows.changes.map((change) => ({
      ...change,
      name: gate.clean(change.name),
      by: gate.clean(change.by),
    })),
    identities: rows.identities.map((identity) => keptIdentity(identity, gate)),
  };
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
