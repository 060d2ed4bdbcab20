/** What a long life leaves behind: many known projects, a large one of generated code, a memory of many entries. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { gate, createKeyMaker } from '../../../src/memory/index.ts';
import { loadStaticEncoder } from '../../../src/embedding/index.ts';
import { systemClock } from '../../../src/platform/index.ts';
import {
  createMemorySpaces,
  ENTRY_KINDS,
  openCatalogStore,
  type KeyMaker,
  type MemoryEntry,
  type RecordGate,
} from '../../../src/storage/index.ts';
import { silentLogger } from '../../../src/text/index.ts';

const FILES_PER_FOLDER = 50;
const ENTRIES_AT_ONCE = 2_000;
const DAY_MS = 24 * 3_600_000;

export function writeLargeProject(root: string, files: number): void {
  for (let at = 0; at < files; at++) {
    const absPath = join(root, pathOf(at));
    mkdirSync(dirname(absPath), { recursive: true });
    // Two neighbours, one far away, and now and then a way back: a cycle.
    const uses = [at + 1, at + 7, (at * 31) % files, at % 97 === 0 ? at - 1 : at + 2].filter(
      (other) => other >= 0 && other < files && other !== at,
    );
    const imports = [...new Set(uses)].map(
      (other) => `import { value${other} } from '${relativeTo(at, other)}';\n`,
    );
    writeFileSync(
      absPath,
      `${imports.join('')}/** Adds up what module ${at} needs. */\nexport function total${at}(): number {\n  return ${uses
        .map((other) => `value${other}`)
        .join(' + ')};\n}\nexport const value${at} = ${at};\n`,
    );
  }
}

function pathOf(at: number): string {
  const folder = Math.floor(at / FILES_PER_FOLDER);
  return `packages/area-${folder % 20}/module-${folder}/file-${at}.ts`;
}

function relativeTo(from: number, to: number): string {
  const path = posix.relative(posix.dirname(pathOf(from)), pathOf(to));
  return path.startsWith('.') ? path : `./${path}`;
}

export async function rememberProjects(dataDir: string, folder: string, count: number): Promise<void> {
  const catalog = await openCatalogStore({ dataDir, clock: systemClock, logger: silentLogger });
  for (let at = 0; at < count; at++) {
    const root = join(folder, 'projects', `project-${String(at).padStart(4, '0')}`);
    mkdirSync(root, { recursive: true });
    await catalog.remember({ root, name: `project-${at}`, seenAt: Date.now() - at * 60_000 });
  }
  await catalog.close();
}

/** Nothing to take out, and keys of the names alone: what listing, counting and drawing need, without the time of the rest. */
export type Filling = 'whole' | 'cheap';

export async function fillMemory(
  dataDir: string,
  root: string,
  count: number,
  filling: Filling = 'whole',
): Promise<void> {
  const whole = createKeyMaker(loadStaticEncoder());
  // Under the same version: a memory whose keys were made in another way makes them anew.
  const named: KeyMaker = {
    version: whole.version,
    keysOf: ({ name }) => ({
      fingerprint: undefined,
      title: name.toLowerCase().replaceAll(/\W+/g, ' '),
      body: '',
      vector: undefined,
    }),
  };
  const open: RecordGate = { admit: (entry) => ({ entry, redacted: [] }), clean: (text) => text };
  const options = {
    dataDir,
    keyMaker: () => (filling === 'whole' ? whole : named),
    gate: filling === 'whole' ? gate : open,
    clock: systemClock,
    logger: silentLogger,
  };
  const spaces = createMemorySpaces(options);
  const store = await spaces.open(await spaces.spaceOf(root));
  for (let from = 0; from < count; from += ENTRIES_AT_ONCE) {
    const many = Math.min(ENTRIES_AT_ONCE, count - from);
    const entries = Array.from({ length: many }, (_, at) => ({
      entry: entryOf(from + at, root),
      history: [],
    }));
    await store.takeIn(entries);
  }
  await spaces.close();
}

function entryOf(at: number, project: string): MemoryEntry {
  const createdAt = Date.now() - (at % 700) * DAY_MS - at;
  return {
    id: `cp-${String(at).padStart(12, '0')}`,
    kind: ENTRY_KINDS[at % 3] ?? 'checkpoint',
    name: `Entry ${at}: the work on area ${at % 20}`,
    summary: `What was done on day ${at % 700} in module ${at % 100}`,
    content: `Done: part ${at} of module ${at % 100}.\nNext: part ${at + 1}.`,
    tags: [`area-${at % 20}`],
    fields: {},
    metadata: {},
    files: [],
    flags: [],
    confidence: 0.5,
    tokens: 30,
    provenance: {
      origin: 'agent',
      client: 'campaign 1',
      tool: 'checkpoint_save',
      user: 'me',
      project,
      branch: at % 10 === 0 ? 'release' : 'main',
    },
    createdAt,
    updatedAt: createdAt,
    version: 1,
  };
}
