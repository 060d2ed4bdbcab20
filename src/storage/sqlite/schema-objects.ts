/** Whether a file has the tables that our migrations make, and nothing beside them that could change what statements do. */
import type { Migration } from './migrate.ts';
import type { Row } from './driver.ts';

/** Tables that SQLite makes itself, for its own indexes and for full text. */
const OWN_OBJECT = /^sqlite_/;
const SHADOW = /_(?:data|idx|content|docsize|config)$/;

/** In words; undefined if all is as the migrations, which have to be scripts of CREATE statements, leave it. */
export function schemaProblem(
  all: (sql: string) => readonly Row[],
  migrations: readonly Migration[],
): string | undefined {
  const wanted = new Map(
    migrations
      .flatMap(({ up }) => (typeof up === 'string' ? createStatements(up) : []))
      .map((sql) => [nameIn(sql), sql]),
  );
  const texts = [...wanted].filter(([, sql]) => sql.startsWith('CREATE VIRTUAL TABLE')).map(([name]) => name);
  const found = all('SELECT type, name, sql FROM sqlite_schema').filter(
    ({ type, name }) =>
      !OWN_OBJECT.test(String(name)) &&
      !(type === 'table' && texts.some((text) => String(name).replace(SHADOW, '') === text && name !== text)),
  );
  if (found.some(({ name, sql }) => wanted.get(String(name)) !== sql))
    return 'it has tables that are not ours';
  return found.length === wanted.size ? undefined : 'it lacks tables of a memory';
}

/** As SQLite keeps them: from the first word to the last, as they were written. */
function createStatements(script: string): readonly string[] {
  return script
    .replaceAll(/^\s*--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement.startsWith('CREATE'));
}

function nameIn(statement: string): string {
  return /^CREATE (?:VIRTUAL )?(?:TABLE|INDEX) (\w+)/.exec(statement)?.[1] ?? '';
}
