/** Restores and imports what was damaged or forged, and looks whether the memory that was there is there afterwards. */
import { execFileSync } from 'node:child_process';
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

export interface BackupOptions {
  readonly folder: string;
  /** The built program, which is asked now and then as well. */
  readonly program: string;
  readonly cases: number;
  readonly seed: number;
}

export async function runBackups({ folder, program, cases, seed }: BackupOptions): Promise<BackupReport> {
  const ground = { ...(await prepare(folder)), program };
  const lost: string[] = [];
  const internal: string[] = [];
  const believed: string[] = [];
  const report = { refused: 0, taken: 0, lost, internal, believed };
  for (let index = 0; index < cases; index++) {
    const random = createRandom(seed, index);
    const place = join(folder, `case-${index}`);
    mkdirSync(place);
    const before = await contentsOf(ground);
    const tried = await attempt(ground, place, index, random);
    const name = `case ${index} (seed ${seed}): ${tried.name}`;
    if (tried.error === undefined) report.taken += 1;
    else report.refused += 1;
    if (tried.error !== undefined && isInternal(tried.error))
      report.internal.push(`${name}: ${tried.error.message}`);
    if (tried.error === undefined && tried.mustRefuse) report.believed.push(name);
    const after = await safely(() => contentsOf(ground), name, report.internal);
    const expected = tried.error === undefined ? tried.expected(before) : before;
    if (after !== undefined && !isSame(after, expected)) report.lost.push(name);
    await useEverything(ground, name, report.internal);
    if (index % PROGRAM_EVERY === 0) askProgram(ground, name, report.internal);
    // What was taken is undone, so that each case meets the same memory.
    if (tried.error === undefined)
      await restore(ground.memory, [ground.file], join(folder, 'own'), join(place, 'safety-2'));
    rmSync(place, { recursive: true, force: true });
  }
  await ground.memory.close();
  return { cases, ...report };
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

async function attempt(ground: Ground, place: string, index: number, random: Random): Promise<Tried> {
  const kind = index % 5;
  if (kind === 4) return attemptImport(ground, place, random);
  const { name, mustRefuse, expected } = makeBackup(ground, place, kind, index, random);
  const error = await caught(() => restore(ground.memory, [ground.file], place, join(place, 'safety')));
  return { name, error, mustRefuse, expected };
}

function makeBackup(
  ground: Ground,
  place: string,
  kind: number,
  index: number,
  random: Random,
): Omit<Tried, 'error'> {
  const { bytes, file } = ground;
  const absPath = join(place, file);
  const whole = (): Contents => readContents(ground, absPath);
  if (kind === 0) {
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
  if (kind === 1 && index % 2 === 0) {
    const length = random.below(bytes.length);
    writeFileSync(absPath, bytes.subarray(0, length));
    return { name: `cut to ${length} bytes`, mustRefuse: true, expected: whole };
  }
  if (kind === 1) {
    const odd = ODD_FILES[Math.floor(index / 10) % ODD_FILES.length] ?? ODD_FILES[0];
    odd?.make(absPath, bytes, random);
    return { name: odd?.name ?? '', mustRefuse: true, expected: whole };
  }
  const forgery = FORGERIES[(Math.floor(index / 5) * 2 + kind) % FORGERIES.length] ?? FORGERIES[0];
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

function isSame(one: Contents, other: Contents): boolean {
  return one.size === other.size && [...one].every(([id, text]) => other.get(id) === text);
}

/** What the tools and commands do with a memory. */
async function useEverything(
  { memory, root, folder }: Ground,
  name: string,
  internal: string[],
): Promise<void> {
  const target = join(folder, 'again');
  await safely(
    async () => {
      const store = await memory.storeOf(root);
      const entries = await memory.list(root, { limit: 100 });
      for (const { entry } of entries) {
        new Date(entry.createdAt).toISOString();
        await store.versions(entry.id);
      }
      for (const { at } of await store.log(1_000)) new Date(at).toISOString();
      await memory.recall(root, {
        text: 'what was learned about part 3',
        kinds: ['checkpoint', 'skill'],
        limit: 5,
      });
      await memory.recall(root, {
        text: 'Error: part 3 failed',
        kinds: ['remediation'],
        limit: 5,
        scope: 'all',
      });
      await memory.resume(root);
      await exportMemory(memory, root, openTextFolder(target));
    },
    name,
    internal,
  );
  rmSync(target, { recursive: true, force: true });
}

/** The program itself, as a user starts it. */
function askProgram(
  { root, dataDir, folder, program }: Ground & { readonly program: string },
  name: string,
  internal: string[],
): void {
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder };
  const commands = [
    ['memory', 'list'],
    ['recall', 'part 3'],
    ['memory', 'log'],
    ['memory', 'list', '--bin'],
  ];
  for (const words of commands) {
    try {
      const places = ['--data-dir', dataDir, '--cache-dir', join(folder, 'cache')];
      const said = execFileSync(process.execPath, [program, ...words, ...places], {
        cwd: root,
        env,
        stdio: 'pipe',
        encoding: 'utf8',
      });
      // It has to look into the same memory, or it proves nothing.
      if (words.length === 2 && words[1] === 'list' && !/own|theirs/.test(said))
        internal.push(`${name}: waymark ${words.join(' ')} shows nothing`);
    } catch (thrown) {
      internal.push(`${name}: waymark ${words.join(' ')}: ${String(Reflect.get(Object(thrown), 'stderr'))}`);
    }
  }
}

async function caught(work: () => Promise<unknown>): Promise<AppError | undefined> {
  try {
    await work();
    return undefined;
  } catch (thrown) {
    return toAppError(thrown);
  }
}

async function safely<Result>(
  work: () => Promise<Result>,
  name: string,
  internal: string[],
): Promise<Result | undefined> {
  try {
    return await work();
  } catch (thrown) {
    internal.push(`${name}, later: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    return undefined;
  }
}

function isInternal(error: AppError): boolean {
  return error.code === 'internal' || error.hint === undefined;
}
