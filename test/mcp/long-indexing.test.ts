/** Indexing that takes a while: progress, cancelling, operation ids, and stopping in the middle. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WAIT_LIMITS } from '../../src/indexing/index.ts';
import {
  addressFor,
  CLIENT_KINDS,
  isStdio,
  openClient,
  type ClientKind,
  type OpenClient,
} from '../support/clients.ts';
import { shareServers } from '../support/shared-servers.ts';
import { warehouse } from '../support/shop.ts';
import { collectEnds, type TempFolder } from '../support/temp-folder.ts';
import { BIN, emptyHome, finished, run, serve, start, watchOutput, type Home } from '../support/waymark.ts';

const MANY = WAIT_LIMITS.smallFiles + 200;
const LONG = { timeout: 120_000 };

const server = shareServers();

/** They are never written to; a test has a cache of its own, or clears what is there. */
let small: TempFolder;
let large: TempFolder;

beforeAll(() => {
  const { onEnd, end } = collectEnds();
  small = warehouse(400, onEnd);
  large = warehouse(MANY, onEnd);
  return end;
});

async function connect(kind: ClientKind, home: Home): Promise<OpenClient> {
  if (isStdio(kind)) return openClient({ kind, env: home.env });
  const { url } = await serve([], { home });
  return openClient({ kind, url: addressFor(kind, url) });
}

/** Asks again until the answer is what is waited for; each round trip is the pause. */
async function until<T>(ask: () => Promise<T>, isDone: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (isDone(answer)) return answer;
  }
}

function operationOf({ structured }: { readonly structured: Readonly<Record<string, unknown>> }) {
  // The output schema says that this is an object.
  return structured['operation'] as Readonly<Record<string, unknown>>;
}

describe.each(CLIENT_KINDS)('%s', (kind) => {
  const { onEnd, end } = collectEnds();
  afterAll(end);
  let client: OpenClient;
  beforeAll(async () => {
    const target = isStdio(kind) ? {} : { url: addressFor(kind, (await server()).url) };
    client = await openClient({ kind, ...target, onEnd });
  });

  test('R123 a run in the background has an id that project_status follows to its end', LONG, async () => {
    const project = small;
    const args = { project: project.path };
    await client.call('clear_index', args);

    const started = await client.call('index_codebase', { ...args, background: true });
    const id = started.structured['operation_id'];
    const ended = await until(
      () => client.call('project_status', { ...args, operation_id: id }),
      (answer) => operationOf(answer)['state'] !== 'running',
    );
    const unknown = await client.call('project_status', { ...args, operation_id: 'op-nothing' });

    expect(started.structured).toMatchObject({ success: true, state: 'running' });
    expect(started.text).toContain(`Call project_status with {"operation_id":"${String(id)}"}`);
    expect(operationOf(ended)).toMatchObject({
      id,
      kind: 'index',
      root: project.path,
      state: 'done',
      indexed: 400,
    });
    expect(ended.isError).toBe(false);
    expect(unknown.isError).toBe(true);
    expect(unknown.structured).toMatchObject({
      success: false,
      error_type: 'unknown_operation',
      instruction: expect.stringContaining('Call index_codebase'),
    });
  });

  test('R079 a client with a token hears how far it is, and never that it goes back', LONG, async () => {
    const args = { project: small.path };
    await client.call('clear_index', args);
    const heard: { readonly progress: number; readonly total?: number | undefined }[] = [];

    await client.callLong('index_codebase', args, { onprogress: (step) => void heard.push(step) });

    // Clients of version 1, and all over stdio, drop steps that they read together with the answer: a busy machine brings that about.
    const mayDrop = kind.includes('version 1') || kind.startsWith('stdio');
    const least = mayDrop ? { steps: 1, last: 100 } : { steps: 3, last: 400 };
    expect(heard.length).toBeGreaterThanOrEqual(least.steps);
    expect(heard.at(-1)?.progress).toBeGreaterThanOrEqual(least.last);
    expect(new Set(heard.map(({ total }) => total))).toEqual(new Set([400]));
    const steps = heard.map(({ progress }) => progress);
    expect(steps).toEqual([...new Set(steps)].toSorted((a, b) => a - b));
  });
});

test.each(['stdio, version 2, modern', 'HTTP, version 1'] as const)(
  '%s: a large project is indexed in the background, and the call goes on with what is there',
  async (kind) => {
    const project = large;
    const client = await connect(kind, emptyHome());
    const args = { project: project.path };

    const first = await client.call('index_stats', args);
    const id = Reflect.get(Object(first.structured['index']), 'operation_id');
    const ended = await until(
      () => client.call('project_status', { ...args, operation_id: id }),
      (answer) => operationOf(answer)['state'] !== 'running',
    );
    const last = await client.call('index_stats', args);

    expect(first.structured).toMatchObject({
      index: { state: 'updating', percent: expect.any(Number), operation_id: expect.stringMatching(/^op-/) },
    });
    expect(Number(first.structured['files'])).toBeLessThan(MANY);
    expect(first.text).toMatch(/index: updating \(\d+ %/);
    expect(operationOf(ended)).toMatchObject({ state: 'done', indexed: MANY });
    expect(last.structured).toMatchObject({ index: { state: 'fresh' }, files: MANY });
  },
  LONG.timeout,
);

test.each(['stdio, version 1', 'HTTP, version 1', 'HTTP, version 2, modern'] as const)(
  'R078 %s: cancelling index_codebase stops the run; the next one goes on from there',
  async (kind) => {
    const project = large;
    const home = emptyHome();
    const client = await connect(kind, home);
    const cancel = new AbortController();

    const cancelled = client.callLong(
      'index_codebase',
      { project: project.path },
      {
        signal: cancel.signal,
        onprogress: ({ progress }) => {
          if (progress > 0) cancel.abort();
        },
      },
    );
    await expect(cancelled).rejects.toThrow();
    const rest = await until(
      () => run(['index', project.path, '--json'], { home }),
      // As long as the lock is held, the run has not ended.
      ({ code }) => code === 0,
    );

    const { indexed } = JSON.parse(rest.stdout);
    expect(indexed).toBeGreaterThan(0);
    expect(indexed).toBeLessThan(MANY);
  },
  LONG.timeout,
);

test(
  'a client that goes away ends the background run with the process; the next one goes on from there',
  LONG,
  async () => {
    const project = large;
    const home = emptyHome();
    const client = await openClient({ kind: 'stdio, version 1', env: home.env, program: BIN });
    const args = { project: project.path };

    const { structured } = await client.call('index_codebase', { ...args, background: true });
    await until(
      () => client.call('project_status', { ...args, operation_id: structured['operation_id'] }),
      (answer) => Number(operationOf(answer)['done'] ?? 0) > 0,
    );
    await client.close();
    const rest = await run(['index', project.path, '--json'], { home });

    expect(rest.code).toBe(0);
    expect(JSON.parse(rest.stdout).indexed).toBeLessThan(MANY);
  },
);

test(
  'Ctrl-C ends `waymark index` with 130 and says how to go on; events tell how far it was',
  LONG,
  async () => {
    const project = large;
    const home = emptyHome();
    const child = start(['index', project.path, '--json'], { home });
    const ended = finished(child);

    await watchOutput(child)(/"event":"progress","done":[1-9]/);
    child.kill('SIGINT');
    const { code, stdout, stderr } = await ended;
    const stats = await run(['stats', project.path, '--json'], { home });
    const rest = await run(['index', project.path, '--json'], { home });

    const lines = stderr
      .trim()
      .split('\n')
      .map((line): Record<string, unknown> => JSON.parse(line));
    expect(code).toBe(130);
    expect(stdout).toBe('');
    expect(lines[0]).toMatchObject({ event: 'progress', done: 0, total: MANY, percent: 0 });
    expect(lines.at(-1)).toMatchObject({
      ok: false,
      error: { code: 'interrupted', hint: expect.stringContaining('again') },
    });
    expect(JSON.parse(stats.stdout).files).toBeGreaterThan(0);
    expect(JSON.parse(rest.stdout).indexed).toBeGreaterThan(0);
    expect(JSON.parse(rest.stdout).indexed).toBeLessThan(MANY);
  },
);

test('R043 one client that cancels does not stop the run that another one waits for', LONG, async () => {
  const { url } = await serve();
  const [waits, leaves] = await Promise.all([
    openClient({ kind: 'HTTP, version 1', url }),
    openClient({ kind: 'HTTP, version 2, modern', url }),
  ]);
  const args = { project: large.path };
  const cancel = new AbortController();

  const waiting = waits.callLong('index_codebase', args, {});
  const left = leaves.callLong('index_codebase', args, {
    signal: cancel.signal,
    onprogress: ({ progress }) => {
      if (progress > 0) cancel.abort();
    },
  });
  await expect(left).rejects.toThrow();
  const answer = await waiting;

  expect(answer.structured).toMatchObject({ success: true, files: MANY });
});
