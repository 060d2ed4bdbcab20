/** The module of a thread that reads commits: built as `dist/history-reader.js`. */
import { openThreadPort, systemClock } from '../platform/index.ts';
import type { HistoryRequest } from './history-pass.ts';
import { readHistory } from './read-history.ts';

const port = openThreadPort();
// Both sides are of one build.
port.send(readHistory(port.data as HistoryRequest, systemClock));
