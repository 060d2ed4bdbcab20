/** The baseline: plain FTS5 with BM25 over windows of 50 lines, words as its own tokenizer cuts them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import type { Shown } from './ndcg.ts';

const WINDOW = 50;

export interface FullText {
  find(query: string, limit: number): Shown[];
  close(): void;
}

export function openFullText(root: string, paths: readonly string[]): FullText {
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE VIRTUAL TABLE chunk USING fts5(path UNINDEXED, start UNINDEXED, text)');
  const insert = database.prepare('INSERT INTO chunk (path, start, text) VALUES (?, ?, ?)');
  database.exec('BEGIN');
  for (const path of paths) {
    const lines = readFileSync(join(root, path), 'utf8').split('\n');
    for (let at = 0; at < lines.length; at += WINDOW)
      insert.run(path, at + 1, lines.slice(at, at + WINDOW).join('\n'));
  }
  database.exec('COMMIT');
  const select = database.prepare(
    'SELECT path, start FROM chunk WHERE chunk MATCH ? ORDER BY bm25(chunk), rowid LIMIT ?',
  );
  return {
    find(query, limit) {
      const words = query.match(/[\p{L}\p{N}_]+/gu) ?? [];
      if (words.length === 0) return [];
      const rows = select.all(words.map((word) => `"${word}"`).join(' OR '), limit);
      return rows.map((row) => {
        const start = Number(row['start']);
        return { path: String(row['path']), startLine: start, endLine: start + WINDOW - 1 };
      });
    },
    close: () => database.close(),
  };
}
