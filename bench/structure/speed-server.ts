/** How soon a saved file counts: a server over stdio that is asked at once, until its answer has what was saved. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const SAVES = 20;
const MOST_CALLS = 1_000;
/** Apart from what is measured otherwise. */
const FOLDER = 'saved-files';

/** Before the project is indexed. */
export function plantSaves(root: string): void {
  mkdirSync(join(root, FOLDER), { recursive: true });
  writeFileSync(join(root, FOLDER, 'target.ts'), 'export function savedTarget() {}\n');
  for (let save = 0; save < SAVES; save++) writeFileSync(join(root, userFile(save)), 'export {};\n');
}

/** Milliseconds from each save to the end of the first answer that has it. */
export async function timeSaves(root: string, env: Readonly<Record<string, string>>): Promise<number[]> {
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [resolve('dist/main.js'), 'mcp'],
      env: { ...env, WAYMARK_PROJECT: root },
      stderr: 'ignore',
    }),
  );
  const ask = async (): Promise<string> =>
    JSON.stringify(await client.callTool({ name: 'find_references', arguments: { symbol: 'savedTarget' } }));
  try {
    // The first call loads, and following begins with it.
    for (let call = 0; call < 3; call++) await ask();
    await new Promise((settled) => setTimeout(settled, 2_000));
    const took: number[] = [];
    for (let save = 0; save < SAVES; save++) {
      const started = performance.now();
      writeFileSync(
        join(root, userFile(save)),
        `import { savedTarget } from './target.ts';\nexport const saved${save} = () => savedTarget();\n`,
      );
      let calls = 0;
      while (!(await ask()).includes(`user-${save}.ts`))
        if (++calls > MOST_CALLS) throw new Error('A saved file is not found.');
      took.push(performance.now() - started);
      await new Promise((rested) => setTimeout(rested, 200));
    }
    return took;
  } finally {
    await client.close();
  }
}

function userFile(save: number): string {
  return join(FOLDER, `user-${save}.ts`);
}
