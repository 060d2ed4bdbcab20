/**
 * Lets this Node compile dist/program.cjs and keeps the result beside it (docs/decisions/0027). What is kept is what V8 has
 * compiled when a process ends, so the program is put to its usual work first: an agent's session, then the commands.
 */
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const recorder = fileURLToPath(new URL('record-compiled.mjs', import.meta.url));
const CALLS = [
  ['tools/list', {}],
  ['tools/call', { name: 'project_status', arguments: {} }],
  ['tools/call', { name: 'index_codebase', arguments: {} }],
  ['tools/call', { name: 'search_code', arguments: { query: 'how a query is ranked' } }],
  ['tools/call', { name: 'search_code', arguments: { query: 'createApp' } }],
];

/** @param {string} absLoader  The bundled src/platform/compiled-program.ts, so that both sides compile the same text. */
export async function compileProgram(absLoader) {
  const home = mkdtempSync(join(tmpdir(), 'waymark-compile-'));
  try {
    const project = join(home, 'project');
    cpSync(join(root, 'src', 'search'), join(project, 'src'), { recursive: true });
    mkdirSync(join(project, '.git'));
    writeFileSync(join(project, 'package.json'), '{"name":"example"}\n');
    const start = (/** @type {string[]} */ ...args) =>
      spawn(process.execPath, [recorder, absLoader, join(root, 'dist', 'program.cjs'), ...args], {
        cwd: project,
        stdio: ['pipe', 'pipe', 'inherit'],
        env: {
          PATH: process.env.PATH,
          HOME: home,
          XDG_CACHE_HOME: home,
          XDG_DATA_HOME: home,
          WAYMARK_LOG_LEVEL: 'error',
        },
      });
    await talk(start('mcp'));
    await end(start('search', 'how a query is ranked'));
    await end(start('index'));
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** A session as an agent has it: one call after the answer to the last. */
async function talk(child) {
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'build', version: '1' };
  send({
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const { id } = JSON.parse(line);
    if (id === undefined) continue;
    if (id === 0) send({ method: 'notifications/initialized' });
    const next = CALLS[id];
    if (next === undefined) break;
    send({ id: id + 1, method: next[0], params: next[1] });
  }
  child.stdin.end();
  await end(child);
}

async function end(child) {
  child.stdout.resume();
  const code = child.exitCode ?? (await new Promise((resolve) => child.once('exit', resolve)));
  if (code !== 0) throw new Error(`The program ended with ${code} while it was compiled.`);
}
