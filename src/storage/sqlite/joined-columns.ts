/**
 * Columns of many rows as one value each. An object per row costs ten times as much as SQLite takes to read it, and a process
 * that answers one question reads all rows of an index for that. All columns of a statement are joined in the same order.
 */
import { AppError } from '../../core/index.ts';
import { bytesColumn, optionalTextColumn } from './columns.ts';
import type { Row } from './driver.ts';

/** A column of texts that hold no NUL, as `textsOf` reads it. Through bytes: a text with a NUL inside may be cut at it. */
export function joinedTexts(column: string): string {
  return `CAST(group_concat(${column}, char(0)) AS BLOB)`;
}

/** A column of integers, as `integersOf` reads it. */
export function joinedIntegers(column: string): string {
  return `group_concat(${column})`;
}

/** A column of bytes, one after the other, as `bytesColumn` reads it. */
export function joinedBytes(column: string): string {
  return `CAST(group_concat(${column}, '') AS BLOB)`;
}

export function textsOf(row: Row, column: string): readonly string[] {
  return row[column] === null ? [] : decoder.decode(bytesColumn(row, column)).split('\0');
}

export function integersOf(row: Row, column: string): readonly number[] {
  const text = optionalTextColumn(row, column) ?? '';
  const found: unknown = JSON.parse(`[${text}]`);
  if (Array.isArray(found)) return found;
  throw new AppError('internal', `The column ${column} is no list.`);
}

const decoder = new TextDecoder();
