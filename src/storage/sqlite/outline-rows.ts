/** Reads the definitions of indexed files. */
import type { Definition } from '../../core/index.ts';
import { Outline } from '../outline-text.ts';
import { textColumn } from './columns.ts';
import type { ReadTx } from './transactions.ts';

export function readDefinitions(tx: ReadTx, path: string): readonly Definition[] {
  const row = tx.get(
    'SELECT o.definitions FROM outline o JOIN file f ON f.id = o.file_id WHERE f.path = ?',
    path,
  );
  return row === undefined ? [] : new Outline(textColumn(row, 'definitions')).all();
}

/** In one question: each costs more than its answer. */
export function readOutlines(tx: ReadTx, paths: readonly string[]): readonly Outline[] {
  const rows = tx.all(
    `SELECT f.path, o.definitions FROM json_each(?) AS wanted
     CROSS JOIN file f ON f.path = wanted.value JOIN outline o ON o.file_id = f.id`,
    JSON.stringify(paths),
  );
  const found = new Map(rows.map((row) => [textColumn(row, 'path'), textColumn(row, 'definitions')]));
  return paths.map((path) => new Outline(found.get(path)));
}
