/** What a user does with a memory afterwards: everything must be as usual. */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { exportMemory, type Memory } from '../../../src/memory/index.ts';
import { openTextFolder } from '../../../src/platform/index.ts';

export interface UsedMemory {
  readonly folder: string;
  readonly root: string;
  readonly dataDir: string;
  readonly memory: Memory;
}

/** What the tools and commands do with a memory. */
export async function useEverything(
  { memory, root, folder }: UsedMemory,
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
export function askProgram(
  { root, dataDir, folder, program }: UsedMemory & { readonly program: string },
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

export async function safely<Result>(
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
