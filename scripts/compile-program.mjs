/**
 * Lets this Node compile the program and keeps the result beside it (docs/decisions/0027). What is kept is what V8 has compiled
 * when a process ends, so the program is put to its usual work first: an agent's session, then the commands. It only saves time:
 * where it cannot be done, a build is complete without it.
 */
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { root, talk } from './setup.mjs';

const recorder = fileURLToPath(new URL('record-compiled.mjs', import.meta.url));
const parserRecorder = fileURLToPath(new URL('record-parser.mjs', import.meta.url));
const MOST_MS = 60_000;
const CALLS = [
  ['tools/list', {}],
  ['tools/call', { name: 'project_status', arguments: {} }],
  ['tools/call', { name: 'index_codebase', arguments: {} }],
  ['tools/call', { name: 'search_code', arguments: { query: 'how a query is ranked' } }],
  ['tools/call', { name: 'search_code', arguments: { query: 'createApp' } }],
];

/** @param {string} absProgram */
export function compileProgram(absProgram) {
  return compile(absProgram, putToWork);
}

/** The same for what a parser child does. */
export function compileParser(absProgram) {
  return compile(absProgram, letParse);
}

/** @param {(absProgram: string, home: string) => Promise<void>} work */
async function compile(absProgram, work) {
  let home;
  try {
    home = mkdtempSync(join(tmpdir(), 'waymark-compile-'));
    await work(absProgram, home);
  } catch (error) {
    const folder = dirname(absProgram);
    const half = readdirSync(folder).filter((name) => name.startsWith(`${basename(absProgram)}.`));
    for (const name of half) rmSync(join(folder, name));
    talk(`note: the program was not compiled beforehand and starts a little later: ${error.message}`);
  } finally {
    if (home !== undefined) rmSync(home, { recursive: true, force: true });
  }
}

async function putToWork(absProgram, home) {
  const project = join(home, 'project');
  cpSync(join(root, 'src', 'search'), join(project, 'src'), { recursive: true });
  mkdirSync(join(project, '.git'));
  writeFileSync(join(project, 'package.json'), '{"name":"example"}\n');
  // The loader of the bin and nothing else, so that both sides compile the same text.
  const absLoader = await bundle(home, ['platform/compiled-program', 'platform/small-heap']);
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:WAYMARK_|XDG_|NODE_OPTIONS$|PWD$)/.test(name)),
  );
  const start = (...args) =>
    spawn(process.execPath, [recorder, absLoader, absProgram, ...args], {
      cwd: project,
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: MOST_MS,
      env: { ...env, HOME: home, XDG_CACHE_HOME: home, XDG_DATA_HOME: home, WAYMARK_LOG_LEVEL: 'error' },
    });
  // In a project that nobody has indexed, and then as nearly all begin: with what the one before has kept.
  for (let times = 0; times < 2; times++) await ended(start('search', 'how a query is ranked'));
  await askAll(start('mcp'));
  await ended(start('index'));
}

/** A child as it is started for an index, with files of ours to read. */
async function letParse(absProgram, home) {
  const absLoader = await bundle(home, [
    'platform/compiled-program',
    'parsing/parser-flags',
    'parsing/parser-limits',
  ]);
  const { parserFlags, PARSER_LIMITS } = await import(pathToFileURL(absLoader).href);
  const child = spawn(
    process.execPath,
    [...parserFlags(PARSER_LIMITS), parserRecorder, absLoader, absProgram, join(root, 'dist', 'grammars')],
    { cwd: home, stdio: ['pipe', 'ignore', 'pipe', 'ipc'], timeout: MOST_MS, env: {} },
  );
  const texts = [
    ...readdirSync(join(root, 'src', 'search')).map((name) => ['typescript', join('src', 'search', name)]),
    ['javascript', join('scripts', 'build.mjs')],
    ['json', 'package.json'],
  ].map(([language, file]) => ({ language, text: readFileSync(join(root, file), 'utf8') }));
  const said = collectErrors(child);
  await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => reject(new Error(`it ended with ${code ?? signal}${said()}`)));
    // It says that it is ready, then answers each.
    child.on('message', ({ kept }) => {
      const next = texts.pop();
      if (kept === true) resolve(undefined);
      else
        child.send(next === undefined ? { keep: true } : { id: texts.length, only: 'definitions', ...next });
    });
  });
  // It ends like every parser child.
  child.kill('SIGKILL');
}

/** Parts of src, as a module that this Node can load; gives where it is. */
async function bundle(home, parts) {
  const absFile = join(home, 'loader.mjs');
  const { build } = await import('esbuild');
  await build({
    absWorkingDir: root,
    stdin: { contents: parts.map((part) => `export * from './src/${part}.ts';`).join(' '), resolveDir: root },
    outfile: absFile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
  });
  return absFile;
}

/** A session as an agent has it: one call after the answer to the last. */
async function askAll(child) {
  const end = ended(child);
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
  await end;
}

/** What the work prints is no part of a build; it is told only if the work fails. */
function collectErrors(child) {
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (piece) => (text += piece));
  return () => (text.trim() === '' ? '' : `\n${text.trim()}`);
}

function ended(child) {
  child.stdout.resume();
  const said = collectErrors(child);
  // One that is gone says so by its end.
  child.stdin.on('error', () => {});
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) resolve(undefined);
      else reject(new Error(`it ended with ${code ?? signal}${said()}`));
    });
  });
}
