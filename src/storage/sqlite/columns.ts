/** Reads typed values out of a row. A mismatch is a bug in the statement: tables are STRICT. */
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
