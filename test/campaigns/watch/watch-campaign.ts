/** Many processes on one project: one of them indexes, all of them see a change, and one takes over when it dies. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startFollower, type FollowerProcess } from './follower-process.ts';

export interface CampaignOptions {
  readonly program: string;
  /** An empty folder. */
  readonly folder: string;
  readonly processes: number;
  readonly files: number;
  readonly rounds: number;
}

export interface CampaignReport {
  /** How many processes led, each time they were asked. */
  readonly leaders: readonly number[];
  /** From a save until a process found it, for every process and round. */
  readonly seenMs: readonly number[];
  /** From the kill of the leader until a change made right after was found by all others. */
  readonly takeOverMs: number;
  /** How many of the processes indexed something while they were told of the rounds' changes. */
  readonly indexers: number;
  /** What failed processes said, and what the others wrote to their log; empty when all went well. */
  readonly complaints: readonly string[];
}

export async function runWatchCampaign(options: CampaignOptions): Promise<CampaignReport> {
  const { program, folder, processes, rounds } = options;
  const root = plantProject(join(folder, 'project'), options.files);
  const home = join(folder, 'home');
  mkdirSync(home);
  const all = Array.from({ length: processes }, () => startFollower({ program, root, home }));
  try {
    await Promise.all(all.map((one) => one.fresh()));
    const before = await whenOneLeads(all);
    const seenMs: number[] = [];
    for (let round = 0; round < rounds; round++)
      seenMs.push(...(await changeAndWait(root, all, `round${letters(round)}`)));
    const after = await statuses(all);

    const leader = all[after.findIndex(({ role }) => role === 'leading')];
    const others = all.filter((one) => one !== leader);
    leader?.kill();
    await leader?.ended;
    const takeOver = await changeAndWait(root, others, 'takeover');
    const last = await statuses(others);
    for (const one of others) one.end();
    const endings = await Promise.all(others.map((one) => one.ended));
    return {
      leaders: [before, after, last].map((list) => list.filter(({ role }) => role === 'leading').length),
      seenMs,
      takeOverMs: Math.max(...takeOver),
      indexers: after.filter(({ passes }, at) => passes > (before[at]?.passes ?? 0)).length,
      complaints: endings.filter(({ code, stderr }) => code !== 0 || stderr !== '').map(toComplaint),
    };
  } finally {
    for (const one of all) one.kill();
  }
}

function toComplaint({ code, stderr }: { readonly code: number | null; readonly stderr: string }): string {
  return `exit ${code}: ${stderr}`;
}

export interface ExhaustedReport {
  readonly by: string | undefined;
  readonly warnings: number;
  readonly seenMs: readonly number[];
}

/** One process that is left without watches: it looks instead, and says so once. */
export async function runExhausted(
  options: Omit<CampaignOptions, 'processes'> & { readonly watches?: number },
): Promise<ExhaustedReport> {
  const root = plantProject(join(options.folder, 'project'), options.files);
  const home = join(options.folder, 'home');
  mkdirSync(home);
  const { program, watches } = options;
  const follower = startFollower({ program, root, home, ...(watches === undefined ? {} : { watches }) });
  try {
    await follower.fresh();
    const seenMs: number[] = [];
    for (let round = 0; round < options.rounds; round++) {
      seenMs.push(...(await changeAndWait(root, [follower], `round${letters(round)}`)));
    }
    const { by } = await follower.status();
    follower.end();
    const { stderr } = await follower.ended;
    return { by, warnings: stderr.split('cannot be watched').length - 1, seenMs };
  } finally {
    follower.kill();
  }
}

/** Saves a file with a new word; resolves with how long each process took to find it. */
async function changeAndWait(
  root: string,
  followers: readonly FollowerProcess[],
  word: string,
): Promise<readonly number[]> {
  const path = 'src/m0/f0.ts';
  const finds = followers.map((one) => one.find(path, word));
  // The question has to be there before the change, or it would be measured instead.
  await Promise.all(followers.map((one) => one.status()));
  await delay(50);
  const savedAt = performance.timeOrigin + performance.now();
  writeFileSync(join(root, path), `export function ${word}() {}\n`);
  return (await Promise.all(finds)).map((at) => at - savedAt);
}

/** Following begins a moment after the first answer, in whichever process is first. */
async function whenOneLeads(followers: readonly FollowerProcess[]): ReturnType<typeof statuses> {
  for (;;) {
    const found = await statuses(followers);
    if (found.some(({ role }) => role === 'leading')) return found;
    await delay(20);
  }
}

function statuses(followers: readonly FollowerProcess[]) {
  return Promise.all(followers.map((one) => one.status()));
}

export function plantProject(root: string, files: number): string {
  for (let file = 0; file < files; file++) {
    const absPath = join(root, 'src', `m${Math.floor(file / 20)}`, `f${file}.ts`);
    if (file % 20 === 0) mkdirSync(dirname(absPath), { recursive: true });
    writeFileSync(
      absPath,
      `/** File ${file}. */\nexport function name${letters(file)}() {\n  return ${file};\n}\n`,
    );
  }
  writeFileSync(join(root, '.gitignore'), 'node_modules/\n*.log\n');
  return root;
}

/** A name of letters only. */
export function letters(number: number): string {
  return `q${[...String(number)].map((digit) => 'bcdfghjklm'[Number(digit)]).join('')}x`;
}
