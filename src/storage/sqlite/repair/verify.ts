/** The thorough check of a store: every page, every reference, every full-text index against its content. */
import { textColumn, hasErrorCode } from '../driver.ts';
import type { Transactions } from '../transactions.ts';

export type Finding =
  | { readonly kind: 'pages'; readonly count: number }
  | { readonly kind: 'references'; readonly count: number }
  | { readonly kind: 'text_index'; readonly table: string };

export type Verdict =
  | { readonly kind: 'sound' }
  | { readonly kind: 'damaged'; readonly findings: readonly [Finding, ...Finding[]] };

/** Reads the whole file, so it takes as long as that does. */
export function verifyStore(transactions: Transactions): Verdict {
  const [first, ...rest] = [
    ...countFinding('pages', () => brokenPages(transactions)),
    ...countFinding('references', () => brokenReferences(transactions)),
    ...driftedTextIndexes(transactions),
  ];
  return first === undefined ? { kind: 'sound' } : { kind: 'damaged', findings: [first, ...rest] };
}

function brokenPages(transactions: Transactions): number {
  const rows = transactions.read((tx) => tx.all('PRAGMA integrity_check'));
  return rows.filter((row) => row['integrity_check'] !== 'ok').length;
}

function brokenReferences(transactions: Transactions): number {
  return transactions.read((tx) => tx.all('PRAGMA foreign_key_check')).length;
}

function countFinding(kind: 'pages' | 'references', count: () => number): readonly Finding[] {
  const found = unlessDamaged(count) ?? 1;
  return found === 0 ? [] : [{ kind, count: found }];
}

/** `integrity_check` calls an index that disagrees with its content table "ok"; only FTS5's own check compares them. */
function driftedTextIndexes(transactions: Transactions): readonly Finding[] {
  const tables = unlessDamaged(() => textIndexes(transactions)) ?? [];
  return tables
    .filter((table) => unlessDamaged(() => checkTextIndex(transactions, table)) === undefined)
    .map((table) => ({ kind: 'text_index', table }));
}

function textIndexes(transactions: Transactions): readonly string[] {
  const rows = transactions.read((tx) =>
    tx.all(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE 'create virtual table%using fts5%'
       AND sql NOT LIKE 'create virtual table%using fts5vocab%'`,
    ),
  );
  return rows.map((row) => textColumn(row, 'name'));
}

function checkTextIndex(transactions: Transactions, table: string): true {
  const quoted = `"${table.replaceAll('"', '""')}"`;
  // FTS5 takes commands as inserts; rank 1 asks it to compare with the content table as well.
  transactions.write((tx) =>
    tx.script(`INSERT INTO ${quoted}(${quoted}, rank) VALUES ('integrity-check', 1)`),
  );
  return true;
}

function unlessDamaged<T>(check: () => T): T | undefined {
  try {
    return check();
  } catch (thrown) {
    if (hasErrorCode(thrown, 'storage_damaged')) return undefined;
    throw thrown;
  }
}
