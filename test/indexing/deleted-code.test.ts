/** What is deleted from a project does not stay readable in the files of its index. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';
import { emptyHome, run } from '../support/waymark.ts';

const CANARY = 'zyxwquokka';

/** Files below a folder in which a text occurs, in any case. */
function holding(folder: string, text: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).toString('latin1').toLowerCase().includes(text));
}

/** Enough that a file's rows fill pages of their own. */
const code = (name: string): string =>
  Array.from(
    { length: 400 },
    (_, at) => `export function ${name}Of${at}(x: number) { return x + ${at}; }`,
  ).join('\n');

test(
  'names of a file that was deleted or changed are in no byte of the index',
  { timeout: 60_000 },
  async () => {
    const home = emptyHome();
    const project = tempFolder({
      'package.json': '{}',
      'kept.ts': code('kept'),
      [`${CANARY}/gone.ts`]: code('gone'),
      'deleted.ts': code(CANARY),
      'changed.ts': `${code(CANARY)}\n${code('stays')}`,
    });
    const index = () => run(['index'], { home, cwd: project.path });
    expect((await index()).code).toBe(0);
    await run(['search', 'kept of'], { home, cwd: project.path });
    const before = holding(home.folder.path, CANARY);
    expect(before).not.toEqual([]);

    rmSync(project.join(CANARY), { recursive: true });
    rmSync(project.join('deleted.ts'));
    writeFileSync(project.join('changed.ts'), code('stays'));
    expect((await index()).code).toBe(0);

    expect(holding(home.folder.path, CANARY)).toEqual([]);
  },
);
