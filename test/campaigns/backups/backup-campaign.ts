/** Restores and imports what was damaged or forged, and looks whether the memory that was there is there afterwards. */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError, toAppError } from '../../../src/core/index.ts';
import { backUp, exportMemory, importMemory, restore, type Memory } from '../../../src/memory/index.ts';
import { openTextFolder } from '../../../src/platform/index.ts';
import { loadDriver, type Connection } from '../../../src/storage/sqlite/driver.ts';
import { AUTHOR, openPlainMemory } from '../../support/plain-memory.ts';
import { createRandom, type Random } from '../http/seeded-random.ts';
import { EXPORT_CHANGES } from './forged-exports.ts';
import { FORGERIES } from './forged-rows.ts';
import { ODD_FILES } from './odd-files.ts';
import { askProgram, safely, useEverything } from './use-memory.ts';

export interface BackupReport {
  readonly cases: number;
  readonly refused: number;
  readonly taken: number;
  /** Times that a refusal changed something, or that less than the whole was taken. */
  readonly lost: readonly string[];
  /** Refusals without our own words, and later commands that met an internal error. */
  readonly internal: readonly string[];
  /** Forged rows that got in. */
  readonly believed: readonly string[];
}

interface Ground {
  readonly folder: string;
  readonly root: string;
  readonly dataDir: string;
  readonly memory: Memory;
  /** A good backup and a good export of other content than what is there. */
  readonly backup: string;
  readonly file: string;
  readonly bytes: Buffer;
  readonly exported: string;
  connect(absPath: string): Connection;
}

const SKILL = { kind: 'skill', name: 'release', summary: 'how', content: 'npm test\n' } as const;
/** How often the real program is asked as well. */
const PROGRAM_EVERY = 25;

const KINDS = ['flipped', 'odd', 'forged', 'forged', 'import'] as const;
export type BackupKind = (typeof KINDS)[number];

export interface BackupOptions {
  readonly folder: string;
  /** The built program, which is asked now and then as well. */
  readonly program: string;
  readonly cases: number;
  readonly seed: number;
}

export async function runBackups({ folder, program, cases, seed }: BackupOptions): Promise<BackupReport> {
  const ground = await prepare(folder);
  const lost: string[] = [];
  const internal: string[] = [];
  const believed: string[] = [];
  const report = { refused: 0, taken: 0, lost, internal, believed };
  for (let index = 0; index < cases; index++) {
    const random = createRandom(seed, index);
    const kind = KINDS[index % KINDS.length] ?? 'flipped';
    const verdict = await tryOne(ground, { kind, index, random, label: `case ${index} (seed ${seed})` });
    report[verdict.isTaken ? 'taken' : 'refused'] += 1;
    report[verdict.wrong?.kind ?? 'lost'].push(...(verdict.wrong === undefined ? [] : [verdict.wrong.what]));
    await useEverything(ground, verdict.name, report.internal);
    if (index % PROGRAM_EVERY === 0) askProgram({ ...ground, program }, verdict.name, report.internal);
    await undo(ground, verdict);
  }
  await ground.memory.close();
  return { cases, ...report };
}

/** The same in one process, without asking the program: for very many. */
export interface BackupGround {
  try(kind: BackupKind, index: number, random: Random): Promise<BackupVerdict>;
  close(): Promise<void>;
}

export async function openBackupGround(folder: string): Promise<BackupGround> {
  const ground = await prepare(folder);
  return {
    async try(kind, index, random) {
      const verdict = await tryOne(ground, { kind, index, random, label: `case ${index}` });
      const internal: string[] = [];
      // What was refused has left the memory as it was, which was just looked at.
      if (verdict.isTaken || index % PROGRAM_EVERY === 0) await useEverything(ground, verdict.name, internal);
      await undo(ground, verdict);
      const [what] = internal;
      return what === undefined
        ? verdict
        : { ...verdict, wrong: verdict.wrong ?? { kind: 'internal', what } };
    },
    close: () => ground.memory.close(),
  };
}

export interface BackupVerdict {
  readonly name: string;
  readonly isTaken: boolean;
  readonly wrong: { readonly kind: 'lost' | 'internal' | 'believed'; readonly what: string } | undefined;
}

interface Trial {
  readonly kind: BackupKind;
  readonly index: number;
  readonly random: Random;
  readonly label: string;
}

async function tryOne(ground: Ground, { kind, index, random, label }: Trial): Promise<BackupVerdict> {
  const place = placeOf(ground);
  mkdirSync(place);
  const before = await contentsOf(ground);
  const tried =
    kind === 'import'
      ? await attemptImport(ground, place, random)
      : await attempt(ground, place, { kind, index, random });
  const name = `${label}: ${tried.name}`;
  const isTaken = tried.error === undefined;
  const verdict = (wrong?: BackupVerdict['wrong']): BackupVerdict => ({ name, isTaken, wrong });
  if (tried.error !== undefined && isInternal(tried.error))
    return verdict({ kind: 'internal', what: `${name}: ${tried.error.message}` });
  if (isTaken && tried.mustRefuse) return verdict({ kind: 'believed', what: name });
  const internal: string[] = [];
  const after = await safely(() => contentsOf(ground), name, internal);
  if (after === undefined) return verdict({ kind: 'internal', what: internal[0] ?? name });
  return isSame(after, isTaken ? tried.expected(before) : before)
    ? verdict()
    : verdict({ kind: 'lost', what: name });
}

/** What was taken is undone, so that each case meets the same memory. */
async function undo(ground: Ground, { isTaken }: BackupVerdict): Promise<void> {
  const place = placeOf(ground);
  if (isTaken)
    await restore(ground.memory, [ground.file], join(ground.folder, 'own'), join(place, 'safety-2'));
  rmSync(place, { recursive: true, force: true });
}

function placeOf({ folder }: Ground): string {
  return join(folder, 'case');
}

type Contents = ReadonlyMap<string, string>;

interface Tried {
  readonly name: string;
  readonly error: AppError | undefined;
  readonly mustRefuse: boolean;
  expected(before: Contents): Contents;
}

async function prepare(folder: string): Promise<Ground> {
  const root = join(folder, 'project');
  mkdirSync(root);
  writeFileSync(join(root, 'package.json'), '{}');
  const dataDir = join(folder, 'data');
  const memory = openPlainMemory(dataDir);
  await fill(memory, root, 'theirs', 12);
  const backup = join(folder, 'backup');
  const exported = join(folder, 'export');
  await backUp(memory, backup);
  await exportMemory(memory, root, openTextFolder(exported));
  const [file = ''] = readdirSync(backup);
  const driver = await loadDriver();
  const store = await memory.storeOf(root);
  await store.remove(
    (await store.list({ limit: 100 })).map(({ entry }) => entry.id),
    'campaign',
  );
  await store.purge({ before: Number.MAX_SAFE_INTEGER }, 'campaign');
  await fill(memory, root, 'own', 8);
  await backUp(memory, join(folder, 'own'));
  const connect = (absPath: string): Connection => driver.connect(absPath, { readOnly: false, timeout: 0 });
  return {
    folder,
    root,
    dataDir,
    memory,
    backup,
    file,
    bytes: readFileSync(join(backup, file)),
    exported,
    connect,
  };
}

async function fill(memory: Memory, root: string, whose: string, count: number): Promise<void> {
  for (let index = 0; index < count; index++)
    await memory.save(root, AUTHOR, {
      kind: index % 3 === 0 ? 'remediation' : 'checkpoint',
      name: `${whose} ${index}`,
      content: `${whose}: what was learned about part ${index}. ${'word '.repeat(index * 90)}`,
      fields:
        index % 3 === 0 ? { error: `Error: part ${index} failed`, stack: `at part${index} (a.ts:1:2)` } : {},
      metadata: { index },
      tags: [whose],
    });
  await memory.save(root, AUTHOR, { ...SKILL, content: `${whose} first\n` });
  await memory.save(root, AUTHOR, { ...SKILL, content: `${whose} second\n` });
}

async function attempt(
  ground: Ground,
  place: string,
  made: Omit<Trial, 'kind' | 'label'> & { readonly kind: Exclude<BackupKind, 'import'> },
): Promise<Tried> {
  const { name, mustRefuse, expected } = makeBackup(ground, place, made);
  const error = await caught(() => restore(ground.memory, [ground.file], place, join(place, 'safety')));
  return { name, error, mustRefuse, expected };
}

function makeBackup(
  ground: Ground,
  place: string,
  { kind, index, random }: Omit<Trial, 'label'>,
): Omit<Tried, 'error'> {
  const { bytes, file } = ground;
  const absPath = join(place, file);
  const whole = (): Contents => readContents(ground, absPath);
  if (kind === 'flipped') {
    const damaged = Buffer.from(bytes);
    for (let count = 1 + random.below(12); count > 0; count--) {
      const at = random.below(damaged.length);
      damaged[at] = (damaged[at] ?? 0) ^ (1 << random.below(8));
    }
    writeFileSync(absPath, damaged);
    return {
      name: 'flipped bits',
      mustRefuse: false,
      expected: () => readContents(ground, join(ground.backup, file)),
    };
  }
  if (kind === 'odd' && random.chance(0.5)) {
    const length = random.below(bytes.length);
    writeFileSync(absPath, bytes.subarray(0, length));
    return { name: `cut to ${length} bytes`, mustRefuse: true, expected: whole };
  }
  if (kind === 'odd') {
    const odd = ODD_FILES[Math.floor(index / 10) % ODD_FILES.length] ?? ODD_FILES[0];
    odd?.make(absPath, bytes, random);
    return { name: odd?.name ?? '', mustRefuse: true, expected: whole };
  }
  const forgery = FORGERIES[index % FORGERIES.length] ?? FORGERIES[0];
  writeFileSync(absPath, bytes);
  const database = ground.connect(absPath);
  forgery?.act(database, random);
  database.close();
  return { name: forgery?.name ?? '', mustRefuse: forgery?.plausible !== true, expected: whole };
}

async function attemptImport(ground: Ground, place: string, random: Random): Promise<Tried> {
  const folder = join(place, 'export');
  cpSync(ground.exported, folder, { recursive: true });
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.md'),
  );
  const path = files[random.below(files.length)] ?? '';
  const change = EXPORT_CHANGES[random.below(EXPORT_CHANGES.length)] ?? EXPORT_CHANGES[0];
  change?.act(join(folder, path), random);
  const added = new Map<string, string>();
  const error = await caught(async () => {
    const report = await importMemory(ground.memory, ground.root, openTextFolder(folder), {
      ...AUTHOR,
      origin: 'imported',
    });
    if (report.ignored.length > 0) throw new Error(`ignored ${report.ignored.join(', ')}`);
    const now = await contentsOf(ground);
    const mains = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (one) => one.endsWith('.md') && !one.startsWith('history'),
    );
    if (report.added + report.known < mains.length) throw new Error('fewer entries than files');
    for (const [id, text] of now) added.set(id, text);
  });
  return {
    name: `${change?.name ?? ''} in ${path.split('/')[0] ?? ''}`,
    error,
    mustRefuse: false,
    // What was there is there as it was; what came beside it is as the files say.
    expected: (before) => new Map([...added, ...before]),
  };
}

/** Every entry with its text, those in the bin among them. */
async function contentsOf({ memory, root }: Ground): Promise<Contents> {
  const store = await memory.storeOf(root);
  const all = [...(await store.list({ limit: 1_000 })), ...(await store.list({ limit: 1_000, inBin: true }))];
  return new Map(
    all.map(({ entry }) => [
      entry.id,
      JSON.stringify([entry.name, entry.content, entry.version, entry.createdAt]),
    ]),
  );
}

/** The same of a backup, as SQLite reads it. */
function readContents({ connect }: Ground, absPath: string): Contents {
  const database = connect(absPath);
  try {
    const rows = database.prepare('SELECT doc FROM entry').all();
    return new Map(
      rows.map((row) => {
        const { id, name, content, version, createdAt } = JSON.parse(String(row['doc']));
        return [String(id), JSON.stringify([name, content, version, createdAt])];
      }),
    );
  } finally {
    database.close();
  }
}

function isSame(found: Contents, expected: Contents): boolean {
  return (
    found.size === expected.size && [...expected].every(([id, text]) => isAsExpected(found.get(id), text))
  );
}

const NAMELESS = '["",';

/** An entry that came without a name gets one from its text. */
function isAsExpected(found: string | undefined, expected: string): boolean {
  if (!expected.startsWith(NAMELESS)) return found === expected;
  return found?.endsWith(expected.slice(NAMELESS.length)) === true;
}

async function caught(work: () => Promise<unknown>): Promise<AppError | undefined> {
  try {
    await work();
    return undefined;
  } catch (thrown) {
    return toAppError(thrown);
  }
}

function isInternal(error: AppError): boolean {
  return error.code === 'internal' || error.hint === undefined;
}
