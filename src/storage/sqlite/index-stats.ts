/** Counts what is in an index. */
import type { IndexStats } from '../index-store.ts';
import { numberColumn, textColumn } from './driver.ts';
import { readGeneration } from './index-rows.ts';
import type { ReadTx } from './transactions.ts';

export function readStats(tx: ReadTx): IndexStats {
  const count = (sql: string): number => {
    const row = tx.get(sql);
    return row === undefined ? 0 : numberColumn(row, 'n');
  };
  return {
    files: count('SELECT count(*) AS n FROM file'),
    chunks: count('SELECT coalesce(sum(chunks), 0) AS n FROM file'),
    definitions: count('SELECT coalesce(sum(definitions), 0) AS n FROM file'),
    sourceBytes: count('SELECT coalesce(sum(size_bytes), 0) AS n FROM file'),
    skips: count('SELECT count(*) AS n FROM skip'),
    generation: readGeneration(tx),
    byLanguage: tx
      .all(
        `SELECT language, count(*) AS files, sum(chunks) AS chunks
         FROM file GROUP BY language ORDER BY files DESC, language`,
      )
      .map((row) => ({
        language: textColumn(row, 'language'),
        files: numberColumn(row, 'files'),
        chunks: numberColumn(row, 'chunks'),
      })),
    bySkipReason: tx
      .all('SELECT reason, count(*) AS n FROM skip GROUP BY reason ORDER BY n DESC, reason')
      .map((row) => ({ reason: textColumn(row, 'reason'), count: numberColumn(row, 'n') })),
    parsed: tx
      .all(
        `SELECT f.language, sum(p.failure IS NULL) AS exact, sum(p.failure IS NOT NULL) AS failed,
           coalesce(sum(iif(p.failure IS NULL, p.error_share * f.size_bytes, 0)) /
             nullif(sum(iif(p.failure IS NULL, f.size_bytes, 0)), 0), 0.0) AS error_share
         FROM parse p JOIN file f ON f.id = p.file_id GROUP BY f.language ORDER BY count(*) DESC, f.language`,
      )
      .map((row) => ({
        language: textColumn(row, 'language'),
        exact: numberColumn(row, 'exact'),
        failed: numberColumn(row, 'failed'),
        errorShare: numberColumn(row, 'error_share'),
      })),
  };
}
