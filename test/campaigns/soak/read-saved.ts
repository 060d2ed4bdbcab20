/** What all memories of a data directory hold, as SQLite reads them. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadDriver } from '../../../src/storage/sqlite/driver.ts';

export interface Saved {
  /** Of every entry. */
  readonly names: readonly string[];
  /** Of every entry, and of every older version of it. */
  readonly contents: readonly string[];
  readonly isSound: boolean;
}

export async function readSaved(dataDir: string): Promise<Saved> {
  const driver = await loadDriver();
  const names: string[] = [];
  const contents: string[] = [];
  let isSound = true;
  const folder = join(dataDir, 'memory');
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.db'))) {
    const database = driver.connect(join(folder, file), { readOnly: false, timeout: 5_000 });
    const fieldsOf = (table: string, field: string): readonly string[] =>
      database
        .prepare(`SELECT doc FROM ${table}`)
        .all()
        .map(({ doc }) => String(Reflect.get(Object(JSON.parse(String(doc))), field)));
    if (database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'entry'").all().length > 0) {
      names.push(...fieldsOf('entry', 'name'));
      contents.push(...fieldsOf('entry', 'content'), ...fieldsOf('entry_version', 'content'));
    }
    const [check] = database.prepare('PRAGMA integrity_check').all();
    isSound &&= check?.['integrity_check'] === 'ok';
    database.close();
  }
  return { names, contents, isSound };
}
