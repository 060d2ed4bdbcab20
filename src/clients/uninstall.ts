/** Takes out what setup wrote, and nothing else. */
import { isDeepStrictEqual } from 'node:util';
import { toAppError, type AppError } from '../core/index.ts';
import {
  isLink,
  readEditable,
  removeEditable,
  replaceEditable,
  type EditableFile,
  type Ids,
} from '../platform/index.ts';
import type { Client } from './client.ts';
import { dropEntry, readDocument, readEntry, type DocumentPlace } from './edit/edit-document.ts';
import { digestOf, type ManifestStore, type WrittenFile } from './manifest.ts';
import { decode, placeOf } from './setup-files.ts';
import { HOOK_CLIENTS } from './table/hooks.ts';
import { CLIENTS } from './table/index.ts';
import { AGENTS_FILE } from './table/shared-files.ts';

export type Removal = { readonly file: WrittenFile; readonly name: string } & (
  | {
      /**
       * `restored`: byte for byte as it was. `removed`: the file was ours alone. `edited`: the entry is out, later changes
       * stay. `absent`: nothing of ours was left. `changed`: the entry was edited since; it stays.
       */
      readonly kind: 'restored' | 'removed' | 'edited' | 'absent' | 'changed';
    }
  | { readonly kind: 'refused'; readonly error: AppError }
);

/** Without `act` it only says what would be done. */
export function uninstall(store: ManifestStore, ids: Ids, act: boolean): readonly Removal[] {
  const { files } = store.read();
  // What was written last comes out first: then every file is as it was when the one before was written.
  const removals = files
    .toReversed()
    .map((file): Removal => {
      const client = clientOf(file);
      const name = client?.name ?? file.client;
      try {
        return { file, name, kind: takeOut(file, store, act ? ids : undefined) };
      } catch (thrown) {
        return { file, name, kind: 'refused', error: toAppError(thrown) };
      }
    })
    .toReversed();
  if (act) {
    const kept = removals.filter(({ kind }) => kind === 'refused').map(({ file }) => file);
    if (files.length > 0) store.write(kept);
  }
  return removals;
}

function clientOf(record: WrittenFile): Client | undefined {
  return [...CLIENTS, AGENTS_FILE, ...HOOK_CLIENTS.map(({ file }) => file)].find(
    ({ id }) => id === record.client,
  );
}

type Done = Exclude<Removal['kind'], 'refused'>;

function takeOut(record: WrittenFile, store: ManifestStore, ids: Ids | undefined): Done {
  const file = readEditable(record.absPath);
  if (file.bytes === undefined) return 'absent';
  const untouched = digestOf(file.bytes) === record.digest;
  // Setup did not make the target of a link: take out only the entry.
  if (untouched && record.restore.kind === 'remove' && !isLink(record.absPath)) {
    if (ids !== undefined) removeEditable(file, record.restore.folders);
    return 'removed';
  }
  const original = record.restore.kind === 'backup' ? store.kept(record.restore.digest) : undefined;
  if (untouched && original !== undefined) {
    if (ids !== undefined) replaceEditable(file, original, ids);
    return 'restored';
  }
  return edit(record, file, ids);
}

function edit(record: WrittenFile, file: EditableFile, ids: Ids | undefined): Done {
  const client = clientOf(record);
  if (client === undefined) return 'absent';
  const place = placeOf(client, record.absPath);
  const text = decode(file);
  const entry = readEntry(text, place);
  if (entry === undefined) return 'absent';
  if (!isDeepStrictEqual(JSON.parse(JSON.stringify(entry)), record.entry)) return 'changed';
  const after = dropEntry(text, place, record.added);
  const isOwn = record.restore.kind === 'remove' && file.target === file.absPath;
  if (isOwn && isBare(after, place)) {
    if (ids !== undefined) removeEditable(file, foldersOf(record));
    return 'removed';
  }
  if (ids !== undefined) replaceEditable(file, Buffer.from(after), ids);
  return 'edited';
}

function foldersOf({ restore }: WrittenFile): readonly string[] {
  return restore.kind === 'remove' ? restore.folders : [];
}

/** Whether nothing is left of a file that setup made, except for the `$schema` that clients add. */
function isBare(text: string, place: DocumentPlace): boolean {
  const left = Object.keys(Object(readDocument(text, place)));
  return left.every((key) => key === '$schema') && !/^[^\S\r\n]*(?:\/\/|\/\*|#)/m.test(text);
}
