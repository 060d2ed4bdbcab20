/** Kills a saving process at random moments, lets many save at once, and compares what was acknowledged with what is there. */
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { startWriter } from '../storage-process.ts';

export interface Compared {
  readonly acknowledged: number;
  readonly missing: number;
  readonly doubled: number;
  readonly sound: boolean;
}

export interface KillReport extends Compared {
  readonly kills: number;
}

export interface RaceReport extends Compared {
  readonly complaints: readonly string[];
  readonly fsyncMs: number;
  readonly aloneP50Ms: number;
  readonly raceP50Ms: number;
  readonly raceP99Ms: number;
}

const MOST_ACKS = 40;
const MOST_DELAY_MS = 10;
const FSYNCS = 100;

/** Lanes with a memory of their own: a process that is killed, or waits for the disk, leaves a core idle. */
const LANES = 6;
/** After so many kills what is there is compared, and the lane goes on with a new memory: a large one takes long to look at. */
const KILLS_PER_MEMORY = 250;

export async function runMemoryKills(options: {
  readonly program: string;
  readonly dataDir: string;
  readonly kills: number;
}): Promise<KillReport> {
  const { program, dataDir, kills } = options;
  const lanes = await Promise.all(
    Array.from({ length: LANES }, (_, lane) =>
      killInTurn({
        program,
        dataDir: join(dataDir, `lane-${lane}`),
        kills: Math.floor((kills + LANES - 1 - lane) / LANES),
      }),
    ),
  );
  return { kills, ...sumOf(lanes) };
}

function sumOf(parts: readonly Compared[]): Compared {
  const sum = (count: (part: Compared) => number): number =>
    parts.reduce((total, part) => total + count(part), 0);
  return {
    acknowledged: sum(({ acknowledged }) => acknowledged),
    missing: sum(({ missing }) => missing),
    doubled: sum(({ doubled }) => doubled),
    sound: parts.every(({ sound }) => sound),
  };
}

async function killInTurn(options: {
  readonly program: string;
  readonly dataDir: string;
  readonly kills: number;
}): Promise<Compared> {
  const { program, dataDir, kills } = options;
  const all: Compared[] = [];
  for (let left = kills; left > 0; left -= KILLS_PER_MEMORY) {
    const memory = join(dataDir, `memory-${all.length}`);
    all.push(await killInOne({ program, dataDir: memory, kills: Math.min(left, KILLS_PER_MEMORY) }));
  }
  return sumOf(all);
}

async function killInOne(options: {
  readonly program: string;
  readonly dataDir: string;
  readonly kills: number;
}): Promise<Compared> {
  const { program, dataDir, kills } = options;
  const acknowledged = new Set<string>();
  for (let done = 0; done < kills; done++) {
    const writer = startWriter(program, ['save', dataDir, '0', `k${done}`]);
    // Every fifth one dies while it opens the memory.
    if (done % 5 === 4) await delay(Math.random() * 250);
    else await writer.untilLines(Math.ceil(Math.random() * MOST_ACKS));
    await delay(Math.random() * MOST_DELAY_MS);
    writer.kill();
    const { stderr } = await writer.ended;
    if (stderr !== '') throw new Error(`The writer complained:\n${stderr}`);
    for (const key of writer.lines()) acknowledged.add(key);
  }
  return compare(program, dataDir, acknowledged, 'killed');
}

export async function runMemoryRace(options: {
  readonly program: string;
  readonly dataDir: string;
  readonly processes: number;
  readonly saves: number;
}): Promise<RaceReport> {
  const { program, dataDir, processes, saves } = options;
  const alone = await saveTogether(program, join(dataDir, 'alone'), 1, Math.min(saves, 200));
  // In the same folder and the same minute: a disk's mood changes.
  const fsyncMs = measureFsync(dataDir);
  const together = await saveTogether(program, dataDir, processes, saves);
  const keys = Array.from({ length: processes }, (_, who) =>
    Array.from({ length: saves }, (__, at) => `p${who}-${at}`),
  ).flat();
  return {
    ...(await compare(program, dataDir, new Set(keys), 'raced')),
    complaints: [...alone.complaints, ...together.complaints],
    fsyncMs,
    aloneP50Ms: percentile(alone.tookMs, 0.5),
    raceP50Ms: percentile(together.tookMs, 0.5),
    raceP99Ms: percentile(together.tookMs, 0.99),
  };
}

async function saveTogether(program: string, dataDir: string, processes: number, saves: number) {
  const writers = Array.from({ length: processes }, (_, who) =>
    startWriter(program, ['race', dataDir, String(saves), `p${who}`]),
  );
  await Promise.all(writers.map((writer) => writer.untilLines(1)));
  for (const writer of writers) writer.goAhead();
  const endings = await Promise.all(writers.map((writer) => writer.ended));
  return {
    complaints: endings.filter(({ code, stderr }) => code !== 0 || stderr !== '').map(({ stderr }) => stderr),
    tookMs: writers.flatMap((writer) => toNumbers(JSON.parse(writer.lines()[1] ?? '[]'))),
  };
}

/** The middle time of writing a page and waiting for the disk. */
export function measureFsync(directory: string): number {
  const fd = openSync(join(directory, 'fsync-probe'), 'w');
  const page = Buffer.alloc(4096, 1);
  const times = Array.from({ length: FSYNCS }, () => {
    const before = performance.now();
    writeSync(fd, page);
    fsyncSync(fd);
    return performance.now() - before;
  });
  closeSync(fd);
  return percentile(times, 0.5);
}

/** In a process of its own, which has to recover what the killed ones left. */
async function compare(
  program: string,
  dataDir: string,
  acknowledged: ReadonlySet<string>,
  written: 'raced' | 'killed',
): Promise<Compared> {
  const checker = startWriter(program, ['report', dataDir, written]);
  const { code, stderr } = await checker.ended;
  if (code !== 0) throw new Error(`The memory could not be opened:\n${stderr}`);
  const parsed: unknown = JSON.parse(checker.lines()[0] ?? '{}');
  const field = (name: string): unknown =>
    typeof parsed === 'object' && parsed !== null ? Reflect.get(parsed, name) : undefined;
  const listed = field('names');
  const names = Array.isArray(listed) ? listed.map(String) : [];
  const there = new Set(names);
  return {
    acknowledged: acknowledged.size,
    missing: [...acknowledged].filter((key) => !there.has(key)).length,
    doubled: names.length - there.size,
    sound: field('sound') === true,
  };
}

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1] ?? Number.NaN;
}

function toNumbers(parsed: unknown): readonly number[] {
  return Array.isArray(parsed) ? parsed.map(Number) : [];
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
