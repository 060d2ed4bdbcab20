/** The names of all entries in all memories of a data directory, as SQLite reads them. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadDriver } from '../../../src/storage/sqlite/driver.ts';

export async function readNames(
  dataDir: string,
): Promise<{ readonly names: readonly string[]; readonly isSound: boolean }> {
  const driver = await loadDriver();
  const names: string[] = [];
  let isSound = true;
  const folder = join(dataDir, 'memory');
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.db'))) {
    const database = driver.connect(join(folder, file), { readOnly: false, timeout: 5_000 });
    const hasEntries = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'entry'").all().length > 0;
    const rows = hasEntries ? database.prepare('SELECT doc FROM entry').all() : [];
    for (const { doc } of rows) names.push(String(Reflect.get(Object(JSON.parse(String(doc))), 'name')));
    const [check] = database.prepare('PRAGMA integrity_check').all();
    isSound &&= check?.['integrity_check'] === 'ok';
    database.close();
  }
  return { names, isSound };
}
