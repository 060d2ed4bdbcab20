/**
 * Reads typed values out of a row. A mismatch is a bug in the statement: tables are STRICT.
 *
 * Joined columns hold the values of many rows in one: an object per row costs ten times what SQLite takes to read it. All columns of
 * a statement are joined in the same order.
 */
import { AppError } from '../../core/index.ts';
import type { Row } from './driver.ts';

export function textColumn(row: Row, column: string): string {
  const value = row[column];
  if (typeof value === 'string') return value;
  throw mismatch(column, 'text');
}

export function numberColumn(row: Row, column: string): number {
  const value = row[column];
  if (typeof value === 'number') return value;
  throw mismatch(column, 'a number');
}

export function bytesColumn(row: Row, column: string): Uint8Array {
  const value = row[column];
  if (value instanceof Uint8Array) return value;
  throw mismatch(column, 'bytes');
}

export function optionalTextColumn(row: Row, column: string): string | undefined {
  return row[column] === null ? undefined : textColumn(row, column);
}

function mismatch(column: string, expected: string): AppError {
  return new AppError('internal', `The column ${column} is not ${expected}.`);
}

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
