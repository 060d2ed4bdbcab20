/**
 * `npm run walk`: how much code five everyday paths run, by V8's precise coverage, with the files in the order of their first call.
 * Counts are of all threads of the server; parser children are processes of their own.
 * `--files` prints every file, `--functions` what ran in it; `--write` puts the result into docs/ARCHITECTURE.md.
 */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { DatabaseSync } from '@photostructure/sqlite';
import { ensureBuilt, ensureInstalled, root } from './setup.mjs';

const COMMIT_MS = 10_000;
const PAGE = join(root, 'docs', 'ARCHITECTURE.md');
const { values } = parseArgs({
  options: {
    write: { type: 'boolean' },
    files: { type: 'boolean' },
    functions: { type: 'boolean' },
  },
});
ensureInstalled();
// Parser children and reading threads come from there.
ensureBuilt();
const { startWalked } = await import('./walk/walked-server.mjs');

const folder = mkdtempSync(join(tmpdir(), 'waymark-walk-'));
const walks = [];
try {
  await walkHttp();
  await walkStdio();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const table = [
  '| path | files | functions | ms |',
  '|---|---|---|---|',
  ...walks.map(
    ({ label, files, functions, ms }) => `| ${label} | ${files.length} | ${functions} | ${ms.toFixed(0)} |`,
  ),
].join('\n');
process.stdout.write(`${table}\n`);
for (const { label, files, names } of values.files || values.functions || values.write ? walks : []) {
  const named = (file) => (values.functions ? `${file}: ${[...names.get(file)].join(', ')}` : file);
  const list = values.files || values.functions ? files.map(named).join('\n') : renderCompact(files);
  process.stdout.write(`\n${label}\n${list}\n`);
}
if (values.write) writePage();

async function walkHttp() {
  const server = await startWalked({
    ...makePlace('http'),
    command: ['serve', '--port', '0', '--project-from-cwd'],
    transport: 'http',
  });
  await warmUp(server);
  await add(
    '`search_code` over Streamable HTTP, warm',
    leastOf(server, (query) => server.call('search_code', { query })),
  );
  await server.close();
}

async function walkStdio() {
  const place = makePlace('stdio');
  const server = await startWalked({ ...place, command: ['mcp'], transport: 'stdio' });
  const first = async () => {
    await server.call('index_codebase', {});
    await server.call('search_code', { query: 'how is a query parsed' });
  };
  const cold = await server.walk(first, { untilQuiet: true });
  await warmUp(server);
  await add(
    'the same over stdio, warm',
    leastOf(server, (query) => server.call('search_code', { query })),
  );
  walks.push({ label: 'first index, search and exact pass', ...cold });
  const note = { name: 'a walk', content: 'Half of it is done. Next: the other half.' };
  await server.call('checkpoint_save', note);
  await server.settle();
  await add(
    '`checkpoint_save`, warm',
    leastOf(server, () => server.call('checkpoint_save', note)),
  );
  const save = () =>
    appendFileSync(join(place.project, 'src', 'query', 'parse-query.ts'), '\nexport const walked = 1;\n');
  await add(
    'a saved file, until it is committed',
    server.walk(() => untilCommitted(place.home, save)),
  );
  await server.settle();
  await add(
    'a saved file, until the server rests (exact pass, view, history)',
    server.walk(async () => save(), { untilQuiet: true }),
  );
  await server.close();
}

async function warmUp(server) {
  await server.call('index_codebase', {});
  for (const query of ['how is a query parsed', 'rank hits', 'glob'])
    await server.call('search_code', { query });
  await server.settle();
  // The exact pass has changed the index meanwhile.
  await server.call('search_code', { query: 'rank hits' });
  await server.settle();
}

/** Looks into the index from here: asking the server would run code of its own. */
async function untilCommitted(home, work) {
  const folder = join(home, '.cache', 'waymark', 'indexes');
  const [file] = readdirSync(folder).filter((name) => name.endsWith('.db'));
  const index = new DatabaseSync(join(folder, file), { readOnly: true });
  try {
    const generation = () => index.prepare('SELECT generation FROM state').get().generation;
    const before = generation();
    work();
    for (const end = Date.now() + COMMIT_MS; generation() === before; await delay(1))
      if (Date.now() > end) throw new Error('The saved file was not committed.');
  } finally {
    index.close();
  }
}

/** A timer of the server may run beside a call: of three calls, the one beside which the least ran. What was answered is kept. */
async function leastOf(server, work) {
  let least;
  for (const query of ['parse the glob', 'measure the words', 'render the page']) {
    const walked = await server.walk(() => work(query));
    if (least === undefined || walked.functions < least.functions) least = walked;
  }
  return least;
}

async function add(label, walked) {
  walks.push({ label, ...(await walked) });
}

/** A project of some forty files, committed in a repository of its own. */
function makePlace(name) {
  const [home, project] = ['home', 'project'].map((one) => join(folder, name, one));
  mkdirSync(home, { recursive: true });
  cpSync(join(root, 'src', 'search'), join(project, 'src'), { recursive: true });
  const git = (...args) =>
    execFileSync('git', ['-c', 'user.name=walk', '-c', 'user.email=walk@localhost', ...args], {
      cwd: project,
    });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('commit', '--quiet', '--message=all');
  return { home, project };
}

/** `http: listener, routes → mcp: edge`: a room is named when the path enters it. */
function renderCompact(files) {
  const parts = [];
  for (const file of files) {
    const [room, ...rest] = file.split('/');
    const name = (rest.length === 0 ? room : rest.join('/')).replace(/\.ts$/, '');
    const last = parts.at(-1);
    if (last?.room === room) last.names.push(name);
    else parts.push({ room, names: [name] });
  }
  return parts
    .map(({ room, names }) => (room === `${names[0]}.ts` ? names[0] : `**${room}** ${names.join(', ')}`))
    .join(' → ');
}

function writePage() {
  const lists = walks.map(({ label, files }) => `**${label}**: ${renderCompact(files)}`);
  const block = ['<!-- walk -->', table, '', ...lists.flatMap((list) => [list, '']), '<!-- /walk -->'].join(
    '\n',
  );
  const page = readFileSync(PAGE, 'utf8');
  if (!page.includes('<!-- walk -->'))
    throw new Error('docs/ARCHITECTURE.md has no place for it: <!-- walk --><!-- /walk -->');
  writeFileSync(
    PAGE,
    page.replace(/<!-- walk -->[\s\S]*<!-- \/walk -->/, () => block),
  );
}
