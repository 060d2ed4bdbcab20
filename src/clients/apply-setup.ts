/** Carries out what was planned, and notes what uninstall needs to know. */
import { replaceEditable, type Ids } from '../platform/index.ts';
import { digestOf, type ManifestStore, type WrittenFile } from './manifest.ts';
import type { PlannedEdit } from './setup-files.ts';

/** The note is made before the file is written: a note too many is harmless, one too few is not. */
export function applyEdit(edit: PlannedEdit, store: ManifestStore, ids: Ids): void {
  if (edit.kind === 'same') return;
  const bytes = Buffer.from(edit.after);
  const { files } = store.read();
  const known = files.find(({ absPath, client }) => absPath === edit.absPath && client === edit.client.id);
  const others = files.filter((file) => file !== known);
  const record: WrittenFile = {
    client: edit.client.id,
    scope: edit.scope,
    absPath: edit.absPath,
    entry: { ...edit.entry },
    digest: digestOf(bytes),
    added: Math.max(edit.added, known?.added ?? 0),
    restore: restoreOf(edit, known, store),
  };
  store.write([...others, record]);
  const folders = replaceEditable(edit.file, bytes, ids);
  if (record.restore.kind === 'remove' && folders.length > 0) {
    store.write([...others, { ...record, restore: { kind: 'remove', folders: [...folders] } }]);
  }
}

function restoreOf(
  edit: PlannedEdit,
  known: WrittenFile | undefined,
  store: ManifestStore,
): WrittenFile['restore'] {
  const { bytes } = edit.file;
  if (bytes === undefined) return { kind: 'remove', folders: [] };
  // Our own earlier work is no original: what was there before it still is.
  if (known !== undefined && digestOf(bytes) === known.digest) return known.restore;
  const digest = store.keep(bytes);
  return known === undefined ? { kind: 'backup', digest } : { kind: 'edit' };
}
