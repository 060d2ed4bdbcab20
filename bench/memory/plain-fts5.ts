/** The baseline: SQLite's own full text search over the same texts, with its own tokenizer and ranking. */
import type { EntryDraft } from '../../src/memory/index.ts';
import { loadDriver } from '../../src/storage/sqlite/driver.ts';

export async function loadFts5(
  drafts: ReadonlyMap<string, EntryDraft>,
): Promise<(question: string, limit: number) => readonly string[]> {
  const driver = await loadDriver();
  const connection = driver.connect(':memory:', { readOnly: false, timeout: 0 });
  connection.exec('CREATE VIRTUAL TABLE entry USING fts5 (id UNINDEXED, text)');
  const insert = connection.prepare('INSERT INTO entry (id, text) VALUES (?, ?)');
  for (const [id, { name = '', summary = '', content, fields = {} }] of drafts)
    insert.run(id, [name, summary, content, ...Object.values(fields)].join('\n'));
  const search = connection.prepare('SELECT id FROM entry WHERE entry MATCH ? ORDER BY rank LIMIT ?');
  return (question, limit) => {
    const words = [...new Set(question.match(/[\p{L}\p{N}]+/gu) ?? [])];
    return search.all(words.map((word) => `"${word}"`).join(' OR '), limit).map((row) => String(row['id']));
  };
}
