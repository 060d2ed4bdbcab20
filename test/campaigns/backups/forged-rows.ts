/** Changes to a real backup through real SQLite, with check sums that are right: what only a look at the values can tell. */
import type { Connection, SqlValue } from '../../../src/storage/sqlite/driver.ts';
import { sumOf } from '../../../src/storage/memory-rows.ts';
import type { Random } from '../http/seeded-random.ts';

export interface Forgery {
  readonly name: string;
  /** Whether it may be taken: what is forged could have been written by us. */
  readonly plausible?: true;
  act(database: Connection, random: Random): void;
}

type Doc = Record<string, unknown>;

/** Something in the document of one entry is not what it was. */
function entryWith(name: string, change: (doc: Doc, random: Random) => void, plausible?: true): Forgery {
  return {
    name,
    ...(plausible === undefined ? {} : { plausible }),
    act(database, random) {
      const row = pickEntry(database, random);
      const doc: Doc = JSON.parse(String(row['doc']));
      change(doc, random);
      writeDoc(database, row, JSON.stringify(doc));
    },
  };
}

function pickEntry(database: Connection, random: Random): Readonly<Record<string, SqlValue>> {
  const rows = database.prepare('SELECT * FROM entry ORDER BY seq').all();
  return rows[random.below(rows.length)] ?? {};
}

function writeDoc(database: Connection, row: Readonly<Record<string, SqlValue>>, doc: string): void {
  const parsed: unknown = safely(() => JSON.parse(doc));
  const id = String(Reflect.get(Object(parsed), 'id') ?? row['id']);
  const sum = sumOf('entry', [id, doc, toPart(row['deleted_at']), toPart(row['save_key'])]);
  database.prepare('UPDATE entry SET doc = ?, sum = ? WHERE seq = ?').run(doc, sum, row['seq'] ?? 0);
}

function toPart(value: SqlValue | undefined): string | number | undefined {
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

function safely(work: () => unknown): unknown {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = { in: value };
  return value;
}

const DATES = [9e15, -1, 8.64e15 + 1, 1.5, Number.MAX_SAFE_INTEGER, '2026', null, true] as const;
const odd = (random: Random): unknown => random.pick([null, 7, [], {}, 'x', [1], { a: 1 }, false, -1.5, '']);

export const FORGERIES: readonly Forgery[] = [
  entryWith(
    'a created date beyond the calendar',
    (doc, random) => (doc['createdAt'] = random.pick([...DATES])),
  ),
  entryWith(
    'an updated date beyond the calendar',
    (doc, random) => (doc['updatedAt'] = random.pick([...DATES])),
  ),
  entryWith('an unknown kind', (doc) => (doc['kind'] = 'spell')),
  entryWith('an id that is a path', (doc) => (doc['id'] = '../../../etc/passwd')),
  entryWith('another id than its row', (doc) => (doc['id'] = 'cp-000000000000')),
  entryWith(
    'a version that is no count',
    (doc, random) => (doc['version'] = random.pick([0, -3, 1.5, 1e300, '2', null])),
  ),
  entryWith(
    'a confidence beyond sure',
    (doc, random) => (doc['confidence'] = random.pick([2, -1, 'yes', null])),
  ),
  entryWith(
    'tokens that are no count',
    (doc, random) => (doc['tokens'] = random.pick([-1, 0.5, 'many', null])),
  ),
  entryWith('a text of two megabytes', (doc) => (doc['content'] = 'x'.repeat(2 * 1024 * 1024))),
  entryWith('ten thousand tags', (doc) => (doc['tags'] = Array.from({ length: 10_000 }, () => 't'))),
  entryWith('metadata nested too deep to be written', (doc) => (doc['metadata'] = nested(200))),
  entryWith(
    'claims that are no JSON',
    (doc) => (doc['provenance'] = { ...Object(doc['provenance']), claims: '{no' }),
  ),
  entryWith(
    'an unknown origin',
    (doc) => (doc['provenance'] = { ...Object(doc['provenance']), origin: 'god' }),
  ),
  entryWith('no provenance', (doc) => delete doc['provenance']),
  entryWith(
    'a field of another type',
    (doc, random) => {
      const field = random.pick([
        'name',
        'summary',
        'content',
        'tags',
        'fields',
        'metadata',
        'files',
        'flags',
        'provenance',
      ]);
      doc[field] = odd(random);
    },
    true,
  ),
  entryWith('another text, well made', (doc) => (doc['content'] = 'Forged, and well made.'), true),
  {
    name: 'a document that is no JSON',
    act: (database, random) => writeDoc(database, pickEntry(database, random), '{"id":'),
  },
  {
    name: 'a document that is a list',
    act: (database, random) => writeDoc(database, pickEntry(database, random), '[1,2]'),
  },
  {
    name: 'a document nested 300,000 deep',
    act: (database, random) =>
      writeDoc(
        database,
        pickEntry(database, random),
        `{"metadata":${'['.repeat(300_000)}${']'.repeat(300_000)}}`,
      ),
  },
  {
    name: 'a wrong check sum',
    act: (database) => database.exec(`UPDATE entry SET sum = 'e:000000000000000000000000' WHERE seq = 1`),
  },
  {
    name: 'a time of deletion that no number holds',
    act: (database) => database.exec('UPDATE entry SET deleted_at = 9223372036854775807 WHERE seq = 1'),
  },
  {
    name: 'a place that no number holds',
    act: (database) => database.exec('UPDATE entry SET created_at = 9223372036854775806 WHERE seq = 1'),
  },
  {
    name: 'another kind in the row than in the document',
    act: (database) => database.exec(`UPDATE entry SET kind = 'guide' WHERE seq = 1`),
  },
  {
    name: 'a version of an entry that is not there',
    act(database, random) {
      const doc = JSON.stringify({
        ...JSON.parse(String(pickEntry(database, random)['doc'])),
        id: 'cp-ffffffffffff',
      });
      database
        .prepare('INSERT INTO entry_version (entry_id, doc, sum) VALUES (?, ?, ?)')
        .run('cp-ffffffffffff', doc, sumOf('version', ['cp-ffffffffffff', doc]));
    },
  },
  {
    name: 'a log line dated beyond the calendar',
    act(database) {
      const doc = JSON.stringify({ at: 9e15, action: 'save', entryId: 'x', kind: 'k', name: 'n', by: 'b' });
      database.prepare('INSERT INTO change (doc, sum) VALUES (?, ?)').run(doc, sumOf('change', [doc]));
    },
  },
  {
    name: 'a project without a name',
    act(database) {
      const doc = JSON.stringify({ identity: '/x', since: 'never' });
      database
        .prepare('INSERT INTO identity (identity, doc, sum) VALUES (?, ?, ?)')
        .run('/x', doc, sumOf('identity', ['/x', doc]));
    },
  },
  {
    name: 'a trigger',
    act: (database) => database.exec('CREATE TRIGGER t AFTER INSERT ON entry BEGIN DELETE FROM entry; END'),
  },
  {
    name: 'a view in place of a table',
    act: (database) =>
      database.exec('ALTER TABLE change RENAME TO gone; CREATE VIEW change AS SELECT * FROM gone'),
  },
  { name: 'a table too many', act: (database) => database.exec('CREATE TABLE more (a)') },
  { name: 'a table too few', act: (database) => database.exec('DROP TABLE identity') },
  { name: 'a column too many', act: (database) => database.exec('ALTER TABLE entry ADD COLUMN more TEXT') },
  { name: 'a newer schema', act: (database) => database.exec('PRAGMA user_version = 99') },
  { name: 'no schema version', act: (database) => database.exec('PRAGMA user_version = 0') },
  { name: 'the mark of another program', act: (database) => database.exec('PRAGMA application_id = 7') },
  {
    name: 'words and vectors of nothing',
    plausible: true,
    act: (database) =>
      database.exec(
        `DELETE FROM entry_vector; DELETE FROM key_state; INSERT INTO entry_words (entry_words) VALUES ('delete-all')`,
      ),
  },
];
