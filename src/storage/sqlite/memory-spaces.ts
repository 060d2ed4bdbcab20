/** Memories as SQLite files in one directory, one file each, so that damage to one touches no other. */
import { join } from 'node:path';
import type { Clock, Logger } from '../../core/index.ts';
import { namesIn, pathExists } from '../../platform/index.ts';
import type { MemorySpaces, SpaceLink } from '../memory-spaces.ts';
import type { KeyMaker, RecordGate } from '../memory-store.ts';
import { isSpaceName, keptPlace, ownSpace } from '../admit-rows.ts';
import { textColumn } from './driver.ts';
import { salvageMemory } from './repair/memory-salvage.ts';
import type { SqliteMemory } from './memory-store.ts';
import { openMemoryStore } from './open-memory-store.ts';
import type { Migration } from './migrate.ts';
import { openDatabase } from './open-database.ts';
import { readBackup } from './repair/read-backup.ts';
import type { SqliteStore } from './sqlite-store.ts';
import type { Transactions, WriteTx } from './transactions.ts';

export interface MemorySpacesOptions {
  readonly dataDir: string;
  /** Asked for when the first memory is opened. */
  readonly keyMaker: () => KeyMaker;
  readonly gate: RecordGate;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How long an unused memory stays open. */
  readonly idleMs?: number;
}

export const LINKS = 'links.db';
const IDLE_MS = 30_000;
/** A timer this late fires in a process that was stopped or starved, and so was the work that holds the memory. */
const LATE_MS = 1_000;
/** The files of memories and of their links, those put aside among them. */
export const SPACE_FILE =
  /^(?:[\w.-]{0,40}-[0-9a-f]{16}|links)\.db(?:\.damaged-[^-]+(?:-\d+)?|\.salvaged|\.salvaging)?$/;

export const LINK_MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    name: 'links',
    up: 'CREATE TABLE link (identity TEXT PRIMARY KEY, space TEXT NOT NULL) STRICT, WITHOUT ROWID;',
  },
];

export function memoryDirectory(dataDir: string): string {
  return join(dataDir, 'memory');
}

export function createMemorySpaces(options: MemorySpacesOptions): MemorySpaces {
  const { dataDir, gate, clock, logger, idleMs = IDLE_MS } = options;
  const directory = memoryDirectory(dataDir);
  const linksPath = join(directory, LINKS);
  const open = new Map<string, OpenSpace>();
  let links: Promise<SqliteStore> | undefined;

  const openLinks = (): Promise<SqliteStore> => {
    links ??= openDatabase({
      absPath: linksPath,
      migrations: LINK_MIGRATIONS,
      durability: 'full',
      onDamage: (_damaged, fresh) => refillLinks(directory, fresh, gate),
      check: 'full',
      // A file of another schema under this name refuses the statement, which counts as damage.
      isSound: (transactions) =>
        transactions.read((tx) => tx.all('SELECT identity, space FROM link')) !== undefined,
      clock,
      logger,
    });
    links.catch(() => (links = undefined));
    return links;
  };
  // Most users link nothing: then there is no file, and none is made to find that out.
  const linked = async (): Promise<readonly SpaceLink[]> =>
    pathExists(linksPath) ? readLinks(await openLinks()) : [];
  const letGo = async (space: string): Promise<void> => {
    const held = open.get(space);
    open.delete(space);
    clearTimeout(held?.timer);
    await held?.store.then((store) => store.close());
  };
  const keep = (held: OpenSpace): void => {
    held.usedAt = clock.elapsed();
    held.timer.refresh();
  };
  const fileOf = (space: string): string => join(directory, `${space}.db`);
  const openSpace = (space: string): Promise<SqliteMemory> => {
    const held = open.get(space);
    if (held !== undefined) {
      keep(held);
      return held.store;
    }
    const store = openMemoryStore({
      absPath: fileOf(space),
      backupDir: join(dataDir, 'backups', 'migrations'),
      keyMaker: options.keyMaker(),
      gate,
      clock,
      logger,
    });
    const timer = setTimeout(() => {
      if (clock.elapsed() - opening.usedAt > idleMs + Math.min(LATE_MS, idleMs)) keep(opening);
      else void letGo(space).catch(() => {});
    }, idleMs);
    timer.unref();
    const opening: OpenSpace = { store, timer, usedAt: clock.elapsed() };
    open.set(space, opening);
    store.then(
      () => keep(opening),
      // One that could not be opened is tried again at the next call.
      () => {
        clearTimeout(timer);
        open.delete(space);
      },
    );
    return store;
  };
  return {
    spaceOf: async (identity) => {
      const place = keptPlace(identity, gate);
      return (await linked()).find((link) => link.identity === place)?.space ?? ownSpace(identity, gate);
    },
    link: async ({ identity, space }) =>
      (await openLinks()).write((tx) => insertLink(tx, { identity: keptPlace(identity, gate), space })),
    unlink: async (identity) =>
      (await openLinks()).write(
        (tx) => tx.run('DELETE FROM link WHERE identity = ?', keptPlace(identity, gate)).changes > 0,
      ),
    links: linked,
    list: async () => spaceNames(directory),
    exists: async (space) => pathExists(fileOf(space)),
    copy: async ({ from, into }) => (await openSpace(into)).absorb(fileOf(from)),
    checkBackup: async (absPath) => void (await readBackup(absPath, directory)),
    isSpace: isSpaceName,
    open: openSpace,
    async close() {
      // A memory that failed to open has nothing to close, and its opener has heard of the failure.
      await Promise.allSettled([...open.keys()].map(letGo));
      await links?.then(
        (store) => store.close(),
        () => {},
      );
      links = undefined;
    },
  };
}

interface OpenSpace {
  readonly store: Promise<SqliteMemory>;
  readonly timer: NodeJS.Timeout;
  usedAt: number;
}

function spaceNames(directory: string): readonly string[] {
  return namesIn(directory)
    .filter((name) => name.endsWith('.db') && name !== LINKS)
    .map((name) => name.slice(0, -'.db'.length));
}

function readLinks(store: SqliteStore): readonly SpaceLink[] {
  const rows = store.read((tx) => tx.all('SELECT identity, space FROM link ORDER BY identity'));
  return rows
    .map((row) => ({ identity: textColumn(row, 'identity'), space: textColumn(row, 'space') }))
    .filter(({ space }) => isSpaceName(space));
}

function insertLink(tx: WriteTx, { identity, space }: SpaceLink): void {
  tx.run(
    'INSERT INTO link (identity, space) VALUES (?, ?) ON CONFLICT (identity) DO UPDATE SET space = excluded.space',
    identity,
    space,
  );
}

/** Each memory knows who shares it, so lost links can be found again. */
function refillLinks(directory: string, fresh: Transactions, gate: RecordGate): void {
  fresh.write((tx) => {
    for (const space of spaceNames(directory)) {
      for (const { identity } of salvageMemory(join(directory, `${space}.db`)).identities)
        if (ownSpace(identity, gate) !== space) insertLink(tx, { identity, space });
    }
  });
}
