/** Damages copies of a memory in every way a disk can, opens them, and counts what came back. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openMemoryStore, type MemoryStore } from '../../../src/storage/index.ts';
import { systemClock } from '../../../src/platform/index.ts';
import { silentLogger } from '../../../src/text/index.ts';
import { openPages } from '../../../src/storage/sqlite/repair/page-source.ts';
import { makeEntry, OPEN_GATE, PLAIN_KEYS } from '../../storage/memory-entries.ts';
import { campaignText } from './campaign-text.ts';

export interface DamageReport {
  readonly copies: number;
  readonly crashes: readonly string[];
  /** Copies whose damage was noticed; the others were hit where nothing is. */
  readonly quarantined: number;
  /** Damaged files that were not kept aside. */
  readonly notKept: number;
  /** Of all entries whose pages were not touched, the share that came back. */
  readonly salvagedShare: number;
  readonly worstShare: number;
  /** Entries that came back other than they were saved. */
  readonly wrong: number;
  /** Times that the memory of another project was not as before. */
  readonly othersTouched: number;
}

const PAGE = 4096;
const ENTRIES = 400;

export async function runDamage(folder: string, copies: number): Promise<DamageReport> {
  const original = join(folder, 'original.db');
  const other = join(folder, 'other.db');
  await fill(original);
  await fill(other);
  const bytes = readFileSync(original);
  const homes = homesOf(bytes);
  const otherBytes = readFileSync(other);
  const crashes: string[] = [];
  let [quarantined, notKept, untouchedTotal, salvagedTotal, worstShare, wrong, othersTouched] = [
    0, 0, 0, 0, 1, 0, 0,
  ];
  for (let copy = 0; copy < copies; copy++) {
    const place = join(folder, `copy-${copy}`);
    mkdirSync(place);
    copyFileSync(other, join(place, 'other.db'));
    const { damaged, touched } = damage(bytes, copy);
    writeFileSync(join(place, 'memory.db'), damaged);
    try {
      const store = await open(join(place, 'memory.db'));
      const found = new Map((await store.list({ limit: 10_000 })).map(({ entry }) => [entry.id, entry]));
      await store.close();
      const untouched = [...homes].filter(([, pages]) => !pages.some((page) => touched(page)));
      const back = untouched.filter(([id]) => found.has(id)).length;
      untouchedTotal += untouched.length;
      salvagedTotal += back;
      if (untouched.length > 0) worstShare = Math.min(worstShare, back / untouched.length);
      for (const [id, entry] of found) if (entry.content !== campaignText(Number(id.slice(1)))) wrong += 1;
      const kept = readdirSync(place).filter((name) => /^memory\.db\.damaged-\w+$/.test(name));
      if (kept.length > 0) quarantined += 1;
      if (kept.length > 0 && !kept.some((name) => readFileSync(join(place, name)).equals(damaged)))
        notKept += 1;
      if (!readFileSync(join(place, 'other.db')).equals(otherBytes)) othersTouched += 1;
    } catch (thrown) {
      crashes.push(`copy ${copy}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    }
    rmSync(place, { recursive: true, force: true });
  }
  return {
    copies,
    crashes,
    quarantined,
    notKept,
    salvagedShare: untouchedTotal === 0 ? 1 : salvagedTotal / untouchedTotal,
    worstShare,
    wrong,
    othersTouched,
  };
}

function open(absPath: string): Promise<MemoryStore> {
  return openMemoryStore({
    absPath,
    backupDir: `${absPath}-backups`,
    keyMaker: PLAIN_KEYS,
    gate: OPEN_GATE,
    clock: systemClock,
    logger: silentLogger,
  });
}

async function fill(absPath: string): Promise<void> {
  const store = await open(absPath);
  for (let index = 0; index < ENTRIES; index++)
    await store.save(makeEntry(`e${index}`, { content: campaignText(index), createdAt: index }));
  await store.close();
}

/** The pages each entry stands on, found by blotting out one page after the other. */
function homesOf(bytes: Uint8Array): ReadonlyMap<string, readonly number[]> {
  const homes = new Map<string, number[]>();
  const text = new TextDecoder('latin1');
  const pages = openPages(bytes);
  for (let number = 1; number <= pages.pageCount; number++) {
    const page = text.decode(pages.page(number));
    for (const [, id = ''] of page.matchAll(/\{"id":"(e\d+)"/g))
      homes.set(id, [...(homes.get(id) ?? []), ...chainFrom(bytes, number)]);
  }
  return homes;
}

/** An entry that goes on in further pages stands right before them in this file: they were written together. */
function chainFrom(bytes: Uint8Array, number: number): readonly number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chain = [number];
  const start = (number - 1) * PAGE;
  // A leaf whose cell overflows holds the number of the next page in the last four bytes of the cell: follow all that lead on.
  for (let at = start; at + 4 <= start + PAGE; at++) {
    const next = view.getUint32(at);
    if (next <= 1 || next > bytes.length / PAGE || next === number) continue;
    const first = bytes[(next - 1) * PAGE + 4] ?? 0;
    const type = bytes[(next - 1) * PAGE] ?? 0;
    if (type === 0 && first >= 0x20 && first < 0x7f)
      chain.push(next, ...overflowFrom(view, next, bytes.length / PAGE));
  }
  return [...new Set(chain)];
}

function overflowFrom(view: DataView, number: number, pageCount: number): readonly number[] {
  const next = view.getUint32((number - 1) * PAGE);
  return next === 0 || next > pageCount ? [] : [next, ...overflowFrom(view, next, pageCount)];
}

interface Damaged {
  readonly damaged: Buffer;
  touched(page: number): boolean;
}

/** The same for the same number: bit flips, cut files, zeroed and foreign pages, one or many. */
function damage(bytes: Uint8Array, seed: number): Damaged {
  const damaged = Buffer.from(bytes);
  const pageCount = Math.ceil(bytes.length / PAGE);
  const random = randomFrom(seed + 1);
  const hit = new Set<number>();
  switch (seed % 4) {
    case 0:
      for (let count = 1 + Math.floor(random() * 20); count > 0; count--) {
        const at = Math.floor(random() * bytes.length);
        damaged[at] = (damaged[at] ?? 0) ^ (1 << Math.floor(random() * 8));
        hit.add(Math.floor(at / PAGE) + 1);
      }
      return { damaged, touched: (page) => hit.has(page) };
    case 1: {
      const length = Math.floor(random() * bytes.length);
      return { damaged: damaged.subarray(0, length), touched: (page) => page * PAGE > length };
    }
    default:
      for (let count = 1 + Math.floor(random() * 6); count > 0; count--) {
        const page = Math.floor(random() * pageCount) + 1;
        hit.add(page);
        for (let at = (page - 1) * PAGE; at < page * PAGE; at++)
          damaged[at] = seed % 4 === 2 ? 0 : Math.floor(random() * 256);
      }
      return { damaged, touched: (page) => hit.has(page) };
  }
}

/** Mulberry32: small, and the same everywhere. */
function randomFrom(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
