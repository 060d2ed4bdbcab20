/** The command line as a person or a script meets it, in a home of its own. */
import { expect, test } from 'vitest';
import { emptyHome, finished, run, serve, serveBinary, start } from '../support/waymark.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('prints its version', async () => {
  const { code, stdout } = await run(['--version']);

  expect(code).toBe(0);
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test.each([[['--help']], [[]]])(
  '%j prints help that fits one screen, grouped by what people do',
  async (args) => {
    const { code, stdout } = await run(args);

    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(40);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(stdout).toContain('Connect an agent:');
    expect(stdout).toMatch(/^ {2}serve /m);
  },
);

test('help of a command shows its flags and examples', async () => {
  const { code, stdout } = await run(['serve', '--help']);

  expect(code).toBe(0);
  expect(stdout).toContain('--port <port>');
  expect(stdout).toContain('$ waymark serve /home/me/web-shop');
});

test('help of a command shows the six options that matter, and where the others are', async () => {
  const optionsIn = (text: string): readonly string[] => text.match(/^ {2}(?:-\w, )?--[\w-]+/gm) ?? [];
  const short = await run(['help', 'search']);
  const long = await run(['search', '--help-all']);

  expect(optionsIn(short.stdout)).toHaveLength(6);
  expect(short.stdout).toContain(': waymark search --help-all');
  expect(optionsIn(long.stdout).length).toBeGreaterThan(25);
  expect(long.stdout).toContain('--encoder-url <url>');
});

test.each(['-v', '-V', '--version'])('%s prints the version', async (flag) => {
  expect((await run([flag])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test.each([
  [['search', 'cart', '--limt', '3'], '--limit'],
  [['files', '--wy'], '--why'],
  [['serve', '--prot=80'], '--port'],
])('suggests the option that was meant: %j', async (args, meant) => {
  const { code, stderr } = await run(args);

  expect(code).toBe(2);
  expect(stderr).toContain(`Did you mean \`${meant}\`?`);
});

test.each([
  ['sevre', 'serve'],
  ['stauts', 'status'],
  ['confg show', 'config show'],
])('suggests what was meant by %s', async (typed, meant) => {
  const { code, stdout, stderr } = await run(typed.split(' '));

  expect(code).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toBe(
    `error: There is no command \`${typed}\`.\nhint: Did you mean \`waymark ${meant}\`? To search: waymark search "${typed}"\n`,
  );
});

test.each([
  [['help', 'nope'], 'There is no command `nope`.', '`waymark help` lists every one there is.'],
  [['nope', '--help'], 'There is no command `nope`.', '`waymark help` lists every one there is.'],
  [['serch', '--help'], 'There is no command `serch`.', 'Did you mean `waymark search --help`?'],
  [['help', 'memory', 'lst'], 'There is no command `memory lst`.', 'Did you mean `waymark memory list`?'],
  [
    ['help', 'memory', 'nope'],
    'There is no command `memory nope`.',
    '`waymark help memory` lists every one there is.',
  ],
  [['admin', 'bakup'], 'There is no command `admin bakup`.', 'Did you mean `waymark admin backup`?'],
])('%j: help of what is no command is a mistake, and not help of everything', async (args, what, hint) => {
  const { code, stdout, stderr } = await run(args);

  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(`error: ${what}\nhint: ${hint}`);
});

test('help names every command that people type, those of teams too', async () => {
  const { stdout } = await run(['help']);

  expect(stdout).toMatch(/^ {2}push +Send a project's index/m);
  expect(stdout).toMatch(/^ {2}admin … +Look after a team's server/m);
  expect(stdout).not.toContain('hooks');
  expect((await run(['help', 'hooks'])).stdout).toMatch(/^ {2}test +Show what a session is told/m);
});

test('`memory save` and `memory search` are understood, and a fact needs no quotes', async () => {
  const home = emptyHome();
  const project = tempFolder({ '.git/HEAD': 'ref: refs/heads/main\n' });
  const at = { home, cwd: project.path };

  const saved = await run(['memory', 'save', 'packages', 'come', 'with', 'pnpm'], at);
  const found = await run(['memory', 'search', 'which', 'packages'], at);

  expect(saved).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Saved as fact-/) });
  expect(found.stdout).toContain('packages come with pnpm');
});

test('half a command says how it goes on', async () => {
  const { code, stderr } = await run(['config']);

  expect(code).toBe(2);
  expect(stderr).toContain('Try `waymark config show`.');
});

test('a mistake exits with 2, says what and what to do, and keeps standard output clean', async () => {
  const { code, stdout, stderr } = await run(['serve', '--port', 'seven']);

  expect(code).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^error: .*--port/);
  expect(stderr).toContain('hint: ');
});

test('an unknown flag is a mistake of the caller', async () => {
  const { code, stderr } = await run(['status', '--frobnicate']);

  expect(code).toBe(2);
  expect(stderr).toContain('--frobnicate');
});

test('errors are JSON with --json', async () => {
  const { code, stdout, stderr } = await run(['serve', '--port', '99999', '--json']);

  expect(code).toBe(2);
  expect(stdout).toBe('');
  expect(JSON.parse(stderr)).toMatchObject({
    ok: false,
    error: { code: 'bad_config', message: expect.stringContaining('--port') },
  });
});

test('the stack is shown with --debug only', async () => {
  const quiet = await run(['completion', 'tcsh']);
  const debug = await run(['completion', 'tcsh', '--debug']);

  expect(quiet.stderr).not.toMatch(/\n\s+at /);
  expect(debug.stderr).toMatch(/\n\s+at /);
});

test('colours nothing in a pipe, and nothing with NO_COLOR even if colour is forced', async () => {
  const piped = await run(['sevre']);
  const forced = await run(['sevre'], { env: { FORCE_COLOR: '1' } });
  const refused = await run(['sevre'], { env: { FORCE_COLOR: '1', NO_COLOR: '1' } });

  expect(piped.stderr).not.toContain('\u001b');
  expect(forced.stderr).toContain('\u001b[31merror:\u001b[0m');
  expect(refused.stderr).not.toContain('\u001b');
});

test('config show prints every value with its origin, as text and as JSON', async () => {
  const home = emptyHome();
  home.folder.write({ 'config/waymark/config.json': '{\n  "logLevel": "info"\n}\n' });

  const text = await run(['config', 'show', '--host', 'localhost'], { home, env: { WAYMARK_PORT: '8123' } });
  const json = await run(['config', 'show', '--json'], { home, env: { WAYMARK_PORT: '8123' } });

  expect(text.code).toBe(0);
  expect(text.stdout).toMatch(/^port +8123 +.*WAYMARK_PORT/m);
  expect(text.stdout).toMatch(/^host +localhost +.*--host/m);
  expect(JSON.parse(json.stdout).settings.logLevel).toMatchObject({
    value: 'info',
    origin: { kind: 'user_file', line: 2 },
  });
});

test('status explains which project this is', async () => {
  const project = tempFolder({ 'go.mod': 'module x\n', 'deep/er/x.go': 'package x\n' });

  const found = await run(['status'], { cwd: project.join('deep/er') });
  const verbose = await run(['status', '--verbose'], { cwd: project.join('deep/er') });
  const json = await run(['status', '--json'], { cwd: project.join('deep/er') });

  expect(found.code).toBe(0);
  expect(found.stdout).toContain(` in ${project.path}, found by go.mod\n`);
  expect(found.stdout).toMatch(/index +none yet\n/);
  expect(verbose.stdout).toMatch(/^ {2}cwd +won: /m);
  expect(JSON.parse(json.stdout)).toMatchObject({
    kind: 'found',
    source: 'cwd',
    project: { root: project.path },
  });
});

test('status of a directory that is no project says so and exits with 1', async () => {
  const { code, stdout } = await run(['status']);

  expect(code).toBe(1);
  expect(stdout).toMatch(/project +none: this directory belongs to no project/);
});

test.each(['bash', 'zsh', 'fish'])(
  'prints a completion script for %s that knows commands and flags',
  async (shell) => {
    const { code, stdout } = await run(['completion', shell]);

    expect(code).toBe(0);
    expect(stdout).toContain('--project-from-cwd');
    expect(stdout).toContain('serve');
  },
);

test('the bash completion completes', async () => {
  const { stdout } = await run(['completion', 'bash']);
  const folder = tempFolder({ 'completion.bash': stdout });
  const { execFileSync } = await import('node:child_process');
  const complete = (words: string): string =>
    execFileSync('bash', [
      '-c',
      `source ${folder.join('completion.bash')}; COMP_WORDS=(waymark ${words}); COMP_CWORD=$((\${#COMP_WORDS[@]}-1)); _waymark; echo "\${COMPREPLY[*]}"`,
    ])
      .toString()
      .trim();

  expect(complete('ser')).toBe('serve');
  expect(complete('config sh')).toBe('show');
  expect(complete('serve --po')).toBe('--port');
  expect(complete('completion z')).toBe('zsh');
  expect(complete('serve --port 80 --hos')).toBe('--host');
  expect(complete('status --log-level e')).toBe('error');
  // The same flag, of two commands.
  expect(complete('search cart --kind c')).toBe('class config code');
  expect(complete('recall --kind c')).toBe('checkpoint collection');
});

test('serve prints the URL and the line to paste, and ends at once on Ctrl-C with 130', async () => {
  const { child, url } = await serveBinary();
  const ended = finished(child);

  child.kill('SIGINT');

  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
  expect((await ended).code).toBe(130);
});

test('serve ends with 0 when a service manager stops it', async () => {
  const { child } = await serveBinary();
  const ended = finished(child);

  child.kill('SIGTERM');

  expect((await ended).code).toBe(0);
});

test('R066 names the next port when the port is taken, and exits with 1', async () => {
  const { url } = await serve();
  const port = Number(new URL(url).port);

  const second = start(['serve', '--port', String(port)]);
  second.stdin.end();
  const { code, stderr } = await finished(second);

  expect(code).toBe(1);
  expect(stderr).toContain(`Port ${port} is already in use. Try: --port ${port + 1}`);
});
