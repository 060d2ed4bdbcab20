/** The row of what commits say of files. */
import type { KeptHistory } from '../index-store.ts';
import { bytesColumn, numberColumn, textColumn } from './driver.ts';
import type { ReadTx, WriteTx } from './transactions.ts';

export function readStamps(tx: ReadTx): { readonly generation: number; readonly history: number } {
  const row = tx.get('SELECT generation, history FROM state');
  if (row === undefined) return { generation: 0, history: 0 };
  return { generation: numberColumn(row, 'generation'), history: numberColumn(row, 'history') };
}

export function readHistory(tx: ReadTx): KeptHistory | undefined {
  const row = tx.get('SELECT maker, tips, commits, packed FROM history');
  if (row === undefined) return undefined;
  return {
    maker: textColumn(row, 'maker'),
    tips: textColumn(row, 'tips').split(' '),
    commits: numberColumn(row, 'commits'),
    packed: bytesColumn(row, 'packed'),
  };
}

export function writeHistory(tx: WriteTx, { maker, tips, commits, packed }: KeptHistory): void {
  tx.run(
    'INSERT OR REPLACE INTO history (id, maker, tips, commits, packed) VALUES (1, ?, ?, ?, ?)',
    maker,
    tips.join(' '),
    commits,
    packed,
  );
  tx.run('UPDATE state SET history = history + 1');
}
