/** Modules that run in threads and child processes: the name under dist/, and the source. */
export const THREAD_ENTRIES = {
  'parser-child': 'src/languages/syntax/parser-main.ts',
  'file-reader': 'src/indexing/reader-main.ts',
  'history-reader': 'src/indexing/history-main.ts',
  engine: 'src/engine/engine-main.ts',
  'match-worker': 'src/engine/matcher-main.ts',
};
