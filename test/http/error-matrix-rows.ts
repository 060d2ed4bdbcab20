/** The error matrix, row by row: what is sent, by whom, to which server, and what has to come back. */
import { MESSAGE_ROWS } from './error-matrix-messages.ts';
import { REQUEST_ROWS } from './error-matrix-requests.ts';
import type { MatrixRow } from './matrix-row.ts';

export const MATRIX: readonly MatrixRow[] = [...REQUEST_ROWS, ...MESSAGE_ROWS];
