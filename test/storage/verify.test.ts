import { expect, test } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';
import { withForeignHands } from './database-files.ts';
import { addNote, openNotes } from './notes-store.ts';

test('a store in order is sound', async () => {
  const store = await openNotes(tempFolder().join('notes.db'));
  await store.write((tx) => addNote(tx, 'indexed'));

  expect(await store.verify()).toEqual({ kind: 'sound' });
  store.close();
});

test('a full-text index that drifted from its table is found although the integrity check says ok', async () => {
  const store = await openNotes(tempFolder().join('notes.db'));
  await store.write((tx) => addNote(tx, 'indexed'));
  await store.write((tx) => tx.run('UPDATE note SET body = ?', 'changed behind the back of the index'));

  const verdict = await store.verify();

  expect(store.read((tx) => tx.all('PRAGMA integrity_check'))).toEqual([{ integrity_check: 'ok' }]);
  expect(verdict).toEqual({ kind: 'damaged', findings: [{ kind: 'text_index', table: 'note_text' }] });
  store.close();
});

test('rows that point nowhere are counted', async () => {
  const path = tempFolder().join('notes.db');
  const store = await openNotes(path);
  await store.write((tx) =>
    tx.script('CREATE TABLE tag (note INTEGER NOT NULL REFERENCES note (id)) STRICT'),
  );
  await withForeignHands(path, 'PRAGMA foreign_keys = OFF; INSERT INTO tag VALUES (98), (99)');

  expect(await store.verify()).toEqual({ kind: 'damaged', findings: [{ kind: 'references', count: 2 }] });
  store.close();
});
