/** The branches that entries of a memory were written on. */
import type { BranchSize } from '../memory-store.ts';
import { numberColumn, textColumn } from './driver.ts';
import type { ReadTx } from './transactions.ts';

/** A row that is damaged is on none: it is found when it is read. */
export const BRANCH = "CASE WHEN json_valid(doc) THEN json_extract(doc, '$.provenance.branch') END";

export function readBranches(tx: ReadTx): readonly BranchSize[] {
  const rows = tx.all(
    `SELECT ${BRANCH} AS branch, count(*) AS count FROM entry
     WHERE deleted_at IS NULL GROUP BY 1 HAVING branch IS NOT NULL ORDER BY 1`,
  );
  return rows.map((row) => ({ branch: textColumn(row, 'branch'), count: numberColumn(row, 'count') }));
}
