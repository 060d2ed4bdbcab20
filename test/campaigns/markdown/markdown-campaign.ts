/**
 * Two clones of a repository, each with a memory that is kept in files: people edit, add and delete files, agents save, revise
 * and forget, git merges, several processes bring the same side in step at the same time, and runs are killed in the middle, in
 * any order. Afterwards both sides are compared.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  changeEntry,
  deleteEntries,
  saveFact,
  syncFiles,
  type LinkFolder,
  type Memory,
} from '../../../src/memory/index.ts';
import { openTextFolder } from '../../../src/platform/index.ts';
import { git, makeRepository } from '../../support/git.ts';
import { AUTHOR, openPlainMemory, ROOT } from '../../support/plain-memory.ts';
import { createRandom } from '../http/seeded-random.ts';
import { QUICK_ENCODER } from '../memory/quick-encoder.ts';
import { createSyncingProcess, type SyncingProcess } from './syncing-process.ts';

export interface MarkdownReport {
  readonly interleavings: number;
  readonly steps: number;
  readonly merges: number;
  readonly conflicts: number;
  readonly kills: number;
  /** Times that three processes brought one side in step at the same time, while a person and an agent went on. */
  readonly together: number;
  /** Entries that say the very same as another of their side. */
  readonly doubled: number;
  /** Texts that are in no entry, version or bin. */
  readonly lost: readonly string[];
  /** What was seen where both sides were to be equal, or an id to stay. */
  readonly unequal: readonly string[];
}

/** After so many a new pair of clones: a large memory takes long to compare. */
const ROUNDS_PER_WORLD = 40;
const STEPS = 5;
const OTHERS = 2;
const MOST_MS_TO_KILL = 40;
const TOTALS = ['steps', 'merges', 'conflicts', 'kills', 'together', 'doubled'] as const;
const FOLDER = join('.waymark', 'memory');

interface Side {
  readonly name: string;
  readonly root: string;
  readonly dataDir: string;
  readonly memory: Memory;
  readonly others: readonly SyncingProcess[];
}

export async function runMarkdownCampaign(options: {
  readonly folder: string;
  readonly interleavings: number;
  readonly seed: number;
  /** A process that brings a side in step; without it, there is only this one. */
  readonly program?: string;
}): Promise<MarkdownReport> {
  const total = { steps: 0, merges: 0, conflicts: 0, kills: 0, together: 0, doubled: 0 };
  const lost: string[] = [];
  const unequal: string[] = [];
  for (let done = 0; done < options.interleavings; done += ROUNDS_PER_WORLD) {
    const folder = join(options.folder, `world-${done}`);
    const world = await playWorld({
      ...options,
      folder,
      seed: options.seed + done,
      interleavings: Math.min(ROUNDS_PER_WORLD, options.interleavings - done),
    });
    for (const key of TOTALS) total[key] += world[key];
    lost.push(...world.lost);
    unequal.push(...world.unequal);
    rmSync(folder, { recursive: true, force: true });
  }
  return { interleavings: options.interleavings, ...total, lost, unequal };
}

async function playWorld({
  folder,
  interleavings,
  seed,
  program,
}: Parameters<typeof runMarkdownCampaign>[0]): Promise<MarkdownReport> {
  const random = createRandom(seed, 0).fraction;
  const sides = makeSides(folder, program);
  const written: string[] = [];
  const unequal: string[] = [];
  const ids = new Map<string, string>();
  let [steps, merges, conflicts, kills, together, doubled] = [0, 0, 0, 0, 0, 0];
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(random() * items.length)];
  const word = (): string => {
    const text = `Marker ${seed}-${written.length} stands here.`;
    written.push(text);
    return text;
  };
  const people = (side: Side): readonly (() => void)[] => [
    () => {
      const path = pick(filesOf(side));
      if (path !== undefined) writeFileSync(path, `${readFileSync(path, 'utf8').trimEnd()}\n${word()}\n`);
    },
    () => {
      const path = join(side.root, FOLDER, 'facts', `new-${side.name}-${written.length}.md`);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, `${word()}\n`);
    },
    () => {
      const path = random() < 0.4 ? pick(filesOf(side)) : undefined;
      // What was never taken in would be gone for good, as with any file.
      if (path !== undefined && /^id: /m.test(readFileSync(path, 'utf8')) && isTaken(side, path))
        rmSync(path);
    },
  ];
  const taken = new Set<string>();
  const isTaken = (side: Side, path: string): boolean =>
    taken.has(`${side.name} ${readFileSync(path, 'utf8')}`);
  const agents = (side: Side): readonly (() => Promise<unknown>)[] => [
    async () => saveFact(side.memory, ROOT, AUTHOR, { text: word(), scope: 'project' }),
    async () => {
      const entry = pick(await entriesOf(side));
      if (entry !== undefined)
        await changeEntry(side.memory, ROOT, AUTHOR, entry.id, {
          action: 'revise',
          edit: { content: `${entry.content}\n${word()}` },
        });
    },
    async () => {
      const entry = random() < 0.4 ? pick(await entriesOf(side)) : undefined;
      if (entry !== undefined) await deleteEntries(side.memory, ROOT, [entry.id], 'campaign');
    },
  ];

  for (let round = 0; round < interleavings; round += 1) {
    for (let step = 0; step < STEPS; step += 1) {
      const side = pick(sides);
      if (side === undefined) break;
      steps += 1;
      const dice = random();
      if (dice < 0.35) pick(people(side))?.();
      else if (dice < 0.65) await pick(agents(side))?.();
      else if (dice < 0.75) {
        kills += 1;
        await syncFiles(side.memory, ROOT, failing(side, Math.floor(random() * 4))).catch(() => {});
      } else if (dice < 0.78 && side.others[0] !== undefined) {
        kills += 1;
        const killed = side.others[0].syncAndKill(random() * MOST_MS_TO_KILL);
        await pick(agents(side))?.();
        await killed;
      } else if (dice < 0.84 && side.others.length > 0) {
        together += 1;
        const syncing = side.others.map((other) => other.sync());
        await pick(agents(side))?.();
        pick(people(side))?.();
        await syncFiles(side.memory, ROOT, folderOf(side));
        pick(people(side))?.();
        await Promise.all([...syncing, pick(agents(side))?.()]);
      } else if (dice < 0.9) await syncFiles(side.memory, ROOT, folderOf(side));
      else {
        merges += 1;
        if (merge(side)) conflicts += 1;
      }
    }
    for (const side of sides) {
      await syncFiles(side.memory, ROOT, folderOf(side));
      await syncFiles(side.memory, ROOT, folderOf(side));
      unequal.push(
        ...(await differences(side, ids)).map(
          (text) => `seed ${seed}, round ${round}, ${side.name}: ${text}`,
        ),
      );
      if (round === interleavings - 1) doubled += doubledIn(await entriesOf(side));
      for (const path of filesOf(side)) taken.add(`${side.name} ${readFileSync(path, 'utf8')}`);
    }
  }
  const told = (await Promise.all(sides.map(allTexts))).join('\n');
  for (const side of sides) await Promise.all([side.memory, ...side.others].map((one) => one.close()));
  const lost = written.filter((text) => !told.includes(text));
  return { interleavings, steps, merges, conflicts, kills, together, doubled, lost, unequal };
}

function doubledIn(entries: readonly { readonly content: string }[]): number {
  return entries.length - new Set(entries.map(({ content }) => content)).size;
}

function makeSides(folder: string, program: string | undefined): readonly Side[] {
  const shared = join(folder, 'shared.git');
  const seed = join(folder, 'seed');
  makeRepository(seed);
  execFileSync('git', ['clone', '-q', '--bare', seed, shared], { stdio: 'ignore' });
  return ['a', 'b'].map((name) => {
    const root = join(folder, name);
    execFileSync('git', ['clone', '-q', shared, root], { stdio: 'ignore' });
    const dataDir = join(folder, `memory-${name}`);
    const others =
      program === undefined
        ? []
        : Array.from({ length: OTHERS }, () => createSyncingProcess(program, dataDir, root));
    return { name, root, dataDir, memory: openPlainMemory(dataDir, QUICK_ENCODER), others };
  });
}

function folderOf({ root }: Side): LinkFolder {
  return openTextFolder(join(root, FOLDER), root);
}

/** Ends in the middle, as a kill would. */
function failing(side: Side, after: number): LinkFolder {
  const folder = folderOf(side);
  let left = after;
  const step = (): void => {
    left -= 1;
    if (left < 0) throw new Error('killed');
  };
  return {
    ...folder,
    write(path, text) {
      step();
      folder.write(path, text);
    },
    remove(path) {
      step();
      folder.remove(path);
    },
  };
}

/** Commits, takes what the other has pushed, and pushes. True where git could not merge: the marks are left for the memory. */
function merge({ root }: Side): boolean {
  const commit = (): void => {
    git(root, 'add', '-A');
    git(root, 'commit', '-q', '--allow-empty', '-m', 'work');
  };
  commit();
  git(root, 'fetch', '-q', 'origin');
  let isConflict = false;
  try {
    git(root, 'merge', '-q', '--no-edit', 'origin/trunk');
  } catch {
    isConflict = true;
    commit();
  }
  git(root, 'push', '-q', 'origin', 'HEAD:trunk');
  return isConflict;
}

function filesOf({ root }: Side): readonly string[] {
  const folder = join(root, FOLDER);
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
}

async function entriesOf({ memory }: Side) {
  return (await memory.list(ROOT, { limit: 10_000 })).map(({ entry }) => entry);
}

/** What is not equal: bodies, and ids that are missing, doubled or other than before. */
async function differences(side: Side, ids: Map<string, string>): Promise<readonly string[]> {
  const texts = filesOf(side).map((path) => ({ path, text: readFileSync(path, 'utf8') }));
  const bodies = texts.map(({ text }) => text.replace(/^---\n[\s\S]*?\n---\n/, '').trim()).toSorted();
  const contents = (await entriesOf(side)).map(({ content }) => content.trim()).toSorted();
  const found: string[] = [];
  if (JSON.stringify(bodies) !== JSON.stringify(contents))
    found.push(
      `${bodies.length} files, ${contents.length} entries; only in files ${JSON.stringify(bodies.filter((one) => !contents.includes(one)))}, only in entries ${JSON.stringify(contents.filter((one) => !bodies.includes(one)))}`,
    );
  const seen = new Set<string>();
  for (const { path, text } of texts) {
    const id = /^id: "?([\w-]+)/m.exec(text)?.[1] ?? '';
    if (id === '' || seen.has(id))
      found.push(`${path} has ${id === '' ? 'no id' : `the id ${id} of another`}`);
    seen.add(id);
    const before = ids.get(path);
    if (before !== undefined && before !== id) found.push(`${path} was ${before} and is ${id}`);
    ids.set(path, id);
  }
  return found;
}

async function allTexts(side: Side): Promise<string> {
  const store = await side.memory.storeOf(ROOT);
  const entries = [
    ...(await store.list({ limit: 100_000 })),
    ...(await store.list({ limit: 100_000, inBin: true })),
  ];
  const texts = await Promise.all(
    entries.map(async ({ entry }) => [
      entry.name,
      entry.content,
      ...(await store.versions(entry.id)).map(({ content }) => content),
    ]),
  );
  return texts.flat().join('\n');
}
