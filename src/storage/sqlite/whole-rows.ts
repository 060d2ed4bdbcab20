/** All that an index holds of its files, for an index elsewhere. */
import type { RowStamp, WholeFile } from '../index-store.ts';
import { unpackText } from '../packed-file.ts';
import { bytesColumn, numberColumn, optionalTextColumn, type Row, textColumn } from './driver.ts';
import { toManifestEntry } from './index-rows.ts';
import type { ReadTx } from './transactions.ts';

export function readRowStamps(tx: ReadTx): readonly RowStamp[] {
  return tx
    .all(
      `SELECT f.path, f.size_bytes, f.mtime_ms, f.hash, f.analysis, p.parser, p.failure
       FROM file f LEFT JOIN parse p ON p.file_id = f.id ORDER BY f.path`,
    )
    .map(toStamp);
}

export function readWholeFiles(tx: ReadTx, paths: readonly string[]): readonly WholeFile[] {
  return tx
    .all(
      `SELECT f.path, f.size_bytes, f.mtime_ms, f.hash, f.analysis, f.language, f.lines, f.plain_by, f.chunks,
         f.definitions, p.parser, p.failure, p.error_share, c.terms, t.packed AS trigrams, v.model, v.dimensions,
         v.packed AS vectors, o.definitions AS outline, x.packed AS facts
       FROM json_each(?) AS wanted CROSS JOIN file f ON f.path = wanted.value
       JOIN content c ON c.file_id = f.id JOIN trigram t ON t.file_id = f.id
       LEFT JOIN vector v ON v.file_id = f.id LEFT JOIN outline o ON o.file_id = f.id
       LEFT JOIN parse p ON p.file_id = f.id LEFT JOIN fact x ON x.file_id = f.id`,
      JSON.stringify(paths),
    )
    .map(toWholeFile);
}

function toStamp(row: Row): RowStamp {
  return {
    ...toManifestEntry(row),
    parser: optionalTextColumn(row, 'parser'),
    failure: optionalTextColumn(row, 'failure'),
  };
}

function toWholeFile(row: Row): WholeFile {
  const { parser, failure, ...stamp } = toStamp(row);
  return {
    ...stamp,
    language: textColumn(row, 'language'),
    lines: numberColumn(row, 'lines'),
    plainBy: numberColumn(row, 'plain_by'),
    chunks: numberColumn(row, 'chunks'),
    definitions: numberColumn(row, 'definitions'),
    outline: row['outline'] === null ? undefined : unpackText(bytesColumn(row, 'outline')),
    terms: bytesColumn(row, 'terms'),
    trigrams: bytesColumn(row, 'trigrams'),
    vectors:
      row['model'] === null
        ? undefined
        : {
            model: textColumn(row, 'model'),
            dimensions: numberColumn(row, 'dimensions'),
            packed: bytesColumn(row, 'vectors'),
          },
    parsed:
      parser === undefined
        ? undefined
        : {
            note: { parser, failure, errorShare: numberColumn(row, 'error_share') },
            facts: row['facts'] === null ? undefined : bytesColumn(row, 'facts'),
          },
  };
}
