/** stdio as a client process meets it: protocol only, both eras, and no process left behind. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { Writable } from 'node:stream';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { bundleEntry, type BundledEntry } from '../support/bundle-entry.ts';
import { initialize, modern, rpc, type Call } from '../support/rpc.ts';
import { BIN, emptyHome, finished, run, start, watchOutput } from '../support/waymark.ts';

const HELLO = initialize().body;

let program: BundledEntry;

beforeAll(async () => {
  program = await bundleEntry('test/mcp/stdio-program.ts');
  return () => program.remove();
});

function say(child: ChildProcessWithoutNullStreams, message: unknown): void {
  child.stdin.write(`${JSON.stringify(message)}\n`);
}

/** Sends a request and waits for its answer. */
async function ask(child: ChildProcessWithoutNullStreams, message: unknown): Promise<unknown> {
  const [line] = await reply(child, message);
  return JSON.parse(line);
}

function reply(child: ChildProcessWithoutNullStreams, message: unknown): Promise<RegExpExecArray> {
  const seen = watchOutput(child)(/^\{.*\}$/m);
  say(child, message);
  return seen;
}

function startProgram(): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [program.absPath], { env: { ...emptyHome().env } });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

const call = (name: string, more: Partial<Call> = {}): Record<string, unknown> =>
  rpc({ id: name, method: 'tools/call', params: { name, arguments: {}, ...more.params } });

test('F19 an unknown method is named, in both eras', async () => {
  const old = start(['mcp']);
  await ask(old, HELLO);
  const now = start(['mcp']);

  expect(await ask(old, rpc({ id: 2, method: 'no/such' }))).toMatchObject({
    id: 2,
    error: { code: -32601, message: 'unknown method: no/such' },
  });
  expect(await ask(now, modern({ id: 3, method: 'no/such' }).body)).toMatchObject({
    id: 3,
    error: { code: -32601, message: 'unknown method: no/such' },
  });
});

/** How soon, and how soon a process ends: `npm run bench:start` measures both and fails where the promise is missed. */
describe('R068 both eras are answered after a cold start', () => {
  test.each([
    ['initialize', HELLO, { id: 'hello', result: { serverInfo: { name: 'waymark' } } }],
    ['server/discover', modern({ id: 'd', method: 'server/discover' }).body, { id: 'd', result: {} }],
  ])('%s', async (_method, message, expected) => {
    const child = start(['mcp']);

    expect(await ask(child, message)).toMatchObject(expected);
  });

  test('and a client that discovers first may still shake hands in the old way', async () => {
    const child = start(['mcp']);

    await ask(child, modern({ id: 'd', method: 'server/discover' }).body);
    const seen = watchOutput(child)(/^\{.*"id":"hello".*\}$/m);
    say(child, HELLO);

    expect(JSON.parse((await seen)[0])).toMatchObject({ result: { protocolVersion: '2025-11-25' } });
  });
});

test('R068 nothing is written to the home of the user before it is needed', async () => {
  const home = emptyHome();
  const child = start(['mcp'], { home });
  const ended = once(child, 'close');

  // One after the other: a server that its client leaves waits a second for what is under way, which is short on a busy machine.
  for (const message of [HELLO, rpc({ id: 1, method: 'tools/list' }), call('project_status')])
    expect(await ask(child, message)).toHaveProperty('result');
  child.stdin.end();
  await ended;

  expect(readdirSync(home.folder.path, { recursive: true })).toEqual(['home']);
});

test('R068 standard output carries protocol lines only, whatever a tool prints', async () => {
  const child = startProgram();
  const ended = finished(child);
  say(child, HELLO);
  say(child, call('print'));
  child.stdin.end();

  const { stdout, stderr } = await ended;
  const lines = stdout.trim().split('\n');

  expect(lines.map((line) => JSON.parse(line).id)).toEqual(['hello', 'print']);
  expect(stderr).toContain('printed by a tool');
  expect(stderr).toContain('written by a tool');
});

test('R068 noise on standard input breaks nothing', async () => {
  const { code, stdout } = await run(['mcp'], { input: `\n{"half":\nnoise\n${JSON.stringify(HELLO)}\n` });

  expect(code).toBe(0);
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id),
  ).toContain('hello');
});

describe('R068 the process ends by itself', () => {
  test('at the end of its input', async () => {
    const child = start(['mcp']);
    await ask(child, HELLO);

    child.stdin.end();

    expect((await finished(child)).code).toBe(0);
  });

  test('at the end of its input, though a call never ends', async () => {
    const child = startProgram();
    const saw = watchOutput(child);
    say(child, HELLO);
    say(child, call('wait'));
    await saw(/entered/);

    child.stdin.end();

    expect((await finished(child)).code).toBe(0);
  });

  test('when its output is broken', async () => {
    const child = start(['mcp']);
    await ask(child, HELLO);

    child.stdout.destroy();
    say(child, rpc({ id: 1, method: 'ping' }));
    const ended = new Promise((resolve) => child.once('exit', resolve));

    expect(await ended).toBe(0);
  });

  test('when its parent dies, which cannot say goodbye', async () => {
    // The server reads from a pipe of its own: our end of the parent's closes with the parent, which would be a goodbye.
    const code = `const child = require('node:child_process').spawn(process.execPath, [process.argv[1], 'mcp'], { stdio: [3, 1, 2] });
      process.stderr.write('child ' + child.pid + '\\n');`;
    const parent = spawn(process.execPath, ['-e', code, BIN], {
      env: { ...emptyHome().env },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    });
    onTestFinished(() => void parent.kill('SIGKILL'));
    const saw = watchOutput(parent);
    const pid = Number((await saw(/child (\d+)/))[1]);
    onTestFinished(() => endIfAlive(pid));
    const input = parent.stdio[3];
    if (!(input instanceof Writable)) throw new Error('no pipe to the server');
    input.write(`${JSON.stringify(HELLO)}\n`);
    await saw(/"id":"hello"/);

    const ended = once(parent, 'close');

    parent.kill('SIGKILL');
    await once(parent, 'exit');

    expect(input.writable).toBe(true);
    // The parent's output closes when the last process that holds it is gone.
    await ended;
  });
});

test('R068 SIGTERM lets a call under way finish', async () => {
  const child = startProgram();
  const saw = watchOutput(child);
  say(child, HELLO);
  say(child, call('wait'));
  await saw(/entered/);
  const ended = finished(child);

  child.kill('SIGTERM');

  const [line] = await saw(/^\{.*"id":"wait".*\}$/m);
  expect(JSON.parse(line)).toMatchObject({ result: { content: [{ text: 'done waiting' }] } });
  expect((await ended).code).toBe(0);
});

test.each([
  ['legacy', HELLO, call('wait', { params: { _meta: { progressToken: 5 } } })],
  [
    'modern',
    modern({ id: 'd', method: 'server/discover' }).body,
    modern({
      id: 'wait',
      method: 'tools/call',
      params: { name: 'wait', arguments: {}, _meta: { progressToken: 5 } },
    }).body,
  ],
])(
  'R078 R079 %s: progress is told and notifications/cancelled stops the work',
  async (_era, hello, waiting) => {
    const child = startProgram();
    const saw = watchOutput(child);
    say(child, hello);
    say(child, waiting);
    await saw(/entered/);

    const [progress] = await saw(/^\{.*notifications\/progress.*\}$/m);
    say(child, rpc({ method: 'notifications/cancelled', params: { requestId: 'wait' } }));
    await saw(/cancelled/);

    expect(JSON.parse(progress)).toMatchObject({ params: { progressToken: 5, progress: 1, total: 2 } });
  },
);

function endIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone already, which is what the test wants.
  }
}
