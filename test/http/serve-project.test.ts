/** The project that `waymark serve` and `npm start` are told to serve, and the line they print to paste. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CLIENT_KINDS, isStdio, openClient, type ClientKind } from '../support/clients.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { emptyHome, run, serve, watchOutput } from '../support/waymark.ts';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const HTTP_KINDS = CLIENT_KINDS.filter((kind) => !isStdio(kind));

/** A project with an awkward name, and a folder beside it that is none. */
function machine() {
  return tempFolder({
    'me & you/web shop (2)/.git/HEAD': 'ref: refs/heads/main\n',
    'me & you/web shop (2)/src/retry.ts': 'export function retryUpload(): void {}\n',
    'plain/x': '',
  });
}

const PROJECT = 'me & you/web shop (2)';

/** Asks for the project as a client without roots does. */
async function ask(kind: ClientKind, url: string) {
  const sse = kind.startsWith('HTTP+SSE');
  const client = await openClient({ kind, url: sse ? url.replace('/mcp', '/sse') : url });
  const status = await client.call('project_status');
  const found = await client.call('search_code', { query: 'retryUpload' });
  return { project: status.structured['project'], status: status.text, search: found.text };
}

/** The address in the printed line, as a shell hands it to the client. */
function pasted(line: string): string {
  const [, quoted, plain] = /waymark (?:"([^"]+)"|(\S+))/.exec(line) ?? [];
  return quoted ?? plain ?? '';
}

describe.each(HTTP_KINDS)('%s', (kind) => {
  test('R013 R016 `serve PATH` is what a client without roots works on', async () => {
    const folder = machine();
    const { url } = await serve([folder.join(PROJECT)]);

    const { project, status, search } = await ask(kind, url);

    expect(project).toEqual({ name: 'web shop (2)', root: folder.join(PROJECT), source: 'cwd' });
    expect(status).toContain('given at start');
    expect(search).toContain('src/retry.ts');
  });

  test('R050 R066 the line that `serve` prints inside a project works as pasted, without roots', async () => {
    const folder = machine();
    const { saw } = await serve([], { cwd: folder.join(PROJECT, 'src') });
    const [line] = await saw(/claude mcp add .*\n/);

    const { project, search } = await ask(kind, pasted(line));

    expect(line).toContain('"');
    expect(project).toEqual({ name: 'web shop (2)', root: folder.join(PROJECT), source: 'query_param' });
    expect(search).toContain('src/retry.ts');
  });

  test('R016 R001 without a path the working directory stays out of it, and what a client names wins over a path', async () => {
    const folder = machine();
    const bare = await serve([], { cwd: folder.join(PROJECT) });
    const given = await serve([folder.join('plain')]);

    const lost = await ask(kind, bare.url);
    const named = await ask(kind, `${given.url}?project_path=${encodeURIComponent(folder.join(PROJECT))}`);

    expect(lost.project).toBeNull();
    expect(named.project).toMatchObject({ root: folder.join(PROJECT), source: 'query_param' });
  });
});

test('R066 a path given at start needs nothing in the line to paste, relative ones count from the working directory', async () => {
  const folder = machine();
  const { url, saw } = await serve(['plain'], { cwd: folder.path });

  const [line] = await saw(/claude mcp add .*\n/);
  await saw(new RegExp(`work on ${folder.join('plain')} \\(given at start\\)`));

  expect(pasted(line)).toBe(url);
});

test('R058 a variable of the user wins over the path, and the start says which project is served', async () => {
  const folder = machine();
  const env = { WAYMARK_PROJECT: folder.join(PROJECT) };
  const { saw } = await serve([folder.join('plain')], { env });

  const [, served] = await saw(/work on (.*)\./);

  expect(served).toBe(`${folder.join(PROJECT)} (WAYMARK_PROJECT)`);
});

test('R066 started in no project, it says what the address needs; and names no folder that clients may not', async () => {
  const folder = machine();
  const nowhere = await serve([], { cwd: folder.join('plain') });
  const outside = await serve(['--allow-project-root', folder.join('plain')], { cwd: folder.join(PROJECT) });

  for (const { url, saw } of [nowhere, outside]) {
    const [line] = await saw(/claude mcp add .*\n/);
    expect(pasted(line)).toBe(url);
    await saw(/\?project_path=\/path\/to\/project/);
  }
});

test.each([
  ['that does not exist', 'gone', 'Project path does not exist: '],
  ['that is a file', 'plain/x', 'Project path is not a directory: '],
  ['that is never a project', 'home', 'is never a project: it is the home directory itself'],
])('R018 a path %s is an error at start', async (_what, name, message) => {
  const home = emptyHome();
  home.folder.write({ 'plain/x': '' });

  const ended = await run(['serve', '--port', '0', home.folder.join(name)], { home });

  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr).toContain(message);
  expect(ended.stderr).toContain('Name the directory of your project, such as /path/to/project.');
});

test('R016 `npm start -- PATH` serves that project, and without a path the folder it was typed in', async () => {
  const folder = machine();
  const home = emptyHome();
  const start = async (cwd: string, ...args: readonly string[]) => {
    const child = spawn('npm', ['--prefix', REPOSITORY, 'start', '--', '--port', '0', ...args], {
      cwd,
      env: home.env,
      // npm, its shell and the server end together.
      detached: true,
    });
    const ended = new Promise((resolve) => child.once('close', resolve));
    onTestFinished(async () => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
      await ended;
    });
    const [, url = ''] = await watchOutput(child)(/serving (http:\S+)/);
    return ask('HTTP, version 1', url);
  };

  const given = await start(folder.join('plain'), folder.join(PROJECT));
  const relative = await start(folder.path, PROJECT);
  const here = await start(folder.join('plain'));

  expect([given, relative, here].map(({ project }) => project)).toEqual([
    { name: 'web shop (2)', root: folder.join(PROJECT), source: 'cwd' },
    { name: 'web shop (2)', root: folder.join(PROJECT), source: 'cwd' },
    { name: 'plain', root: folder.join('plain'), source: 'cwd' },
  ]);
});
