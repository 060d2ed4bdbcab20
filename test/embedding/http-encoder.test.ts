/** The encoder over HTTP, against a real server on this machine. */
import { expect, test } from 'vitest';
import { createHttpEncoder, parseEndpoint, type HttpEncoder } from '../../src/embedding/index.ts';
import type { HttpLimits } from '../../src/embedding/index.ts';
import { retryDelayMs } from '../../src/embedding/retry-delay.ts';
import { systemClock } from '../../src/platform/index.ts';
import {
  bagOfLetters,
  embeddingServer,
  type EmbeddingServer,
  type Fault,
} from '../support/embedding-server.ts';

const KEY = 'sk-test-0123456789abcdef';
const NOW = { 'retry-after': '0' };

interface Opened {
  readonly encoder: HttpEncoder;
  readonly server: EmbeddingServer;
  readonly close: () => void;
}

async function open(
  api: 'openai' | 'ollama' = 'openai',
  more: { dimensions?: number; limits?: Partial<HttpLimits>; key?: string } = {},
): Promise<Opened> {
  const server = await embeddingServer();
  const closing = new AbortController();
  const encoder = createHttpEncoder({
    endpoint: parseEndpoint({
      encoderUrl: api === 'openai' ? `${server.url}/v1/` : server.url,
      encoderModel: 'small',
      encoderApi: api,
      encoderDimensions: more.dimensions ?? 0,
    }),
    key: more.key,
    signal: closing.signal,
    clock: systemClock,
    limits: { batchTexts: 4, batchMs: 5_000, askMs: 5_000, ...more.limits },
  });
  return { encoder, server, close: () => closing.abort() };
}

const never = (): AbortSignal => new AbortController().signal;
const texts = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${'ab'.repeat(at + 1)}c`);

function unit(values: readonly number[]): number[] {
  const length = Math.hypot(...values);
  return values.map((value) => value / length);
}

test.each([
  ['openai', '/v1/embeddings', { encoding_format: 'float' }],
  ['ollama', '/api/embed', { truncate: true }],
] as const)('%s: asks as the service expects, in batches, and keeps the order', async (api, path, extra) => {
  const { encoder, server } = await open(api, { dimensions: 26, key: KEY });

  const vectors = await encoder.embed(texts(10), never());

  expect(server.requests.map((request) => request.texts.length)).toEqual([4, 4, 2]);
  expect(server.texts()).toEqual(texts(10));
  for (const request of server.requests) {
    expect(request.path).toBe(path);
    expect(request.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(request.body).toMatchObject({ model: 'small', dimensions: 26, ...extra });
  }
  vectors.forEach((vector, at) => {
    const expected = unit(bagOfLetters(texts(10)[at] ?? ''));
    vector.forEach((value, d) => expect(value).toBeCloseTo(expected[d] ?? 0, 5));
  });
});

test('without a key none is sent, and no dimensions are asked for unless they are set', async () => {
  const { encoder, server } = await open('openai');

  await encoder.embed(['a'], never());

  expect(server.requests[0]?.headers.authorization).toBeUndefined();
  expect(server.requests[0]?.body).not.toHaveProperty('dimensions');
});

test('429, 5xx and a lost connection are tried again; Retry-After is heeded', async () => {
  const { encoder, server } = await open();
  server.fail(
    'hang up',
    { status: 429, headers: NOW },
    { status: 503, headers: NOW },
    { status: 500, headers: NOW },
  );

  const vectors = await encoder.embed(['abc'], never());

  expect(vectors).toHaveLength(1);
  expect(server.requests).toHaveLength(5);
});

test('gives up after some attempts, and says that the service is not available', async () => {
  const { encoder, server } = await open('openai', { limits: { attempts: 3 } });
  server.judge = () => ({ status: 503, headers: NOW });

  const failed = encoder.embed(['abc'], never());

  await expect(failed).rejects.toMatchObject({
    code: 'encoder_unavailable',
    message: `The encoder at ${server.url}/v1 answered with status 503.`,
    hint: expect.stringContaining('waymark doctor'),
  });
  expect(server.requests).toHaveLength(3);
});

test('waits a minute at most, however long the service asks for', async () => {
  const { encoder, server } = await open();
  server.judge = () => ({ status: 429, headers: { 'retry-after': '3600' } });

  await expect(encoder.embed(['abc'], never())).rejects.toMatchObject({ code: 'encoder_unavailable' });

  expect(server.requests).toHaveLength(1);
});

test('waits as it is told, or longer each time', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  const wait = (attempt: number, retryAfter?: string) => retryDelayMs({ attempt, retryAfter, now });

  expect([0, 1, 2, 10].map((attempt) => wait(attempt))).toEqual([500, 1_000, 2_000, 30_000]);
  expect(wait(0, '7')).toBe(7_000);
  expect(wait(3, 'Thu, 01 Jan 2026 00:00:20 GMT')).toBe(20_000);
  expect(wait(0, 'Wed, 31 Dec 2025 23:00:00 GMT')).toBe(0);
  expect(wait(0, 'soon')).toBe(500);
  expect(wait(0, '61')).toBeUndefined();
});

test.each([
  [401, 'WAYMARK_ENCODER_KEY'],
  [404, 'does the service have the model small?'],
  [400, 'Check encoderUrl'],
])('status %i is refused at once, with what to do about it', async (status, hint) => {
  const { encoder, server } = await open('openai', { key: KEY });
  server.judge = () => ({ status, body: `{"error":"bad key ${KEY}"}` });

  const failed = await encoder.embed(['abc'], never()).catch((thrown: unknown) => thrown);

  expect(failed).toMatchObject({ code: 'encoder_refused', hint: expect.stringContaining(hint) });
  // Neither what was sent nor what came back.
  expect(JSON.stringify([failed, String(failed)])).not.toContain(KEY);
  expect(server.requests).toHaveLength(1);
});

test.each([
  ['too large', { status: 413 }, 60_000, [6, 3, 2, 4, 2, 2]],
  ['too slow, once for all', 'silence', 1_000, [6, 3, 2, 2, 2]],
] satisfies [string, Fault, number, number[]][])(
  'a batch that is %s is cut in half',
  async (_name, fault, batchMs, sizes) => {
    const { encoder, server } = await open('openai', { limits: { batchTexts: 8, batchMs } });
    server.judge = ({ texts: sent }) => (sent.length > 2 ? fault : undefined);

    const vectors = await encoder.embed(texts(6), never());

    expect(vectors).toHaveLength(6);
    expect(server.requests.map((request) => request.texts.length)).toEqual(sizes);
  },
);

test('a text that is longer than the model takes is cut; the others stay whole', async () => {
  const { encoder, server } = await open();
  const long = 'x'.repeat(3_000);
  server.judge = ({ texts: sent }) =>
    sent.some(({ length }) => length > 1_000) ? { status: 400 } : undefined;
  await encoder.embed(['a'], never());

  const vectors = await encoder.embed(['one', 'two', long, 'three'], never());

  expect(vectors).toHaveLength(4);
  expect(server.requests.map((request) => request.texts.map(({ length }) => length))).toEqual([
    [1],
    [3, 3, 3_000, 5],
    [3, 3],
    [3_000, 5],
    [3_000],
    [1_500],
    [750],
    [5],
  ]);
});

test('a text that is refused however short it is ends the pass', async () => {
  const { encoder, server } = await open();
  await encoder.embed(['a'], never());
  server.judge = () => ({ status: 400 });

  await expect(encoder.embed(['short', 'x'.repeat(1_000)], never())).rejects.toMatchObject({
    code: 'encoder_refused',
  });
});

test('vectors of another length than set are an error that says what to do', async () => {
  const { encoder } = await open('ollama', { dimensions: 64 });

  await expect(encoder.embed(['abc'], never())).rejects.toMatchObject({
    code: 'encoder_refused',
    message: expect.stringContaining('gives vectors of 26 numbers by small where 64 are expected'),
    hint: expect.stringContaining('encoderDimensions'),
  });
});

test('vectors that change their length on the way are an error', async () => {
  const { encoder, server } = await open();
  await encoder.embed(['abc'], never());
  server.vectorOf = () => [1, 2, 3];

  await expect(encoder.embed(['abd'], never())).rejects.toMatchObject({ code: 'encoder_refused' });
});

test.each([
  ['no JSON', 'plainly wrong'],
  ['too few', '{"data":[]}'],
  ['no numbers', '{"data":[{"index":0,"embedding":["a","b"]}]}'],
  ['a number too large to be one', '{"data":[{"index":0,"embedding":[1e999]}]}'],
  ['empty vectors', '{"data":[{"index":0,"embedding":[]}]}'],
  ['another place', '{"data":[{"index":7,"embedding":[1,2]}]}'],
])('an answer with %s is refused', async (_name, body) => {
  const { encoder, server } = await open();
  server.fail({ status: 200, body });

  await expect(encoder.embed(['abc'], never())).rejects.toMatchObject({ code: 'encoder_refused' });
});

test('a redirect is not followed: code goes where the user said, or nowhere', async () => {
  const { encoder, server } = await open();
  const other = await embeddingServer();
  const away = { status: 307, headers: { location: `${other.url}/v1/embeddings` } };
  server.judge = () => away;

  await expect(encoder.embed(['secret code'], never())).rejects.toMatchObject({
    code: 'encoder_refused',
    message: expect.stringContaining('answers with status 307'),
  });
  const asked = await encoder.ask('where are carts');

  expect(asked).toEqual({ kind: 'none', why: 'answered with status 307' });
  expect(server.requests).toHaveLength(2);
  expect(other.requests).toEqual([]);
});

test('what is under way ends when it is stopped', async () => {
  const { encoder, server } = await open();
  server.judge = () => 'silence';
  const stopping = new AbortController();

  const waiting = encoder.embed(['abc'], stopping.signal);
  await expect.poll(() => server.requests.length).toBe(1);
  stopping.abort(new Error('enough'));

  await expect(waiting).rejects.toThrow('enough');
});

test('a question is asked once, without its secrets, and remembered', async () => {
  const { encoder, server } = await open();
  const secret = `ghp_${'aB3dE5fG7h'.repeat(4).slice(0, 36)}`;

  const [first, second] = await Promise.all([encoder.ask('where are carts'), encoder.ask('where are carts')]);
  await encoder.ask(`where is ${secret} used`);

  expect(first).toMatchObject({ kind: 'vector' });
  expect(second).toBe(first);
  expect(server.requests).toHaveLength(2);
  expect(server.texts().join()).not.toContain(secret);
});

test('a question without an answer in time gets none, and the next ones do not wait for one', async () => {
  const { encoder, server } = await open('openai', { limits: { askMs: 100, restMs: 60_000 } });
  server.judge = () => 'silence';

  const first = await encoder.ask('one');
  const second = await encoder.ask('two');

  expect(first).toEqual({ kind: 'none', why: 'did not answer in time' });
  expect(second).toEqual(first);
  expect(server.requests).toHaveLength(1);
});

test('a question that waits ends when the program does', async () => {
  const { encoder, server, close } = await open();
  server.judge = () => 'silence';

  const waiting = encoder.ask('one');
  await expect.poll(() => server.requests.length).toBe(1);
  close();

  expect(await waiting).toEqual({ kind: 'none', why: 'was stopped' });
});

test('vectors of an earlier model of the same service can still be asked for; others cannot', async () => {
  const { encoder, server } = await open('openai');
  const id = (url: string, model: string) => `http 1 openai ${url} ${model}`;

  const earlier = encoder.earlier(id(`${server.url}/v1`, 'old'));
  await earlier?.ask('one');

  expect(encoder.id).toBe(id(`${server.url}/v1`, 'small'));
  expect(earlier?.id).toBe(id(`${server.url}/v1`, 'old'));
  expect(server.requests[0]?.model).toBe('old');
  expect(encoder.earlier(id('https://elsewhere.example/v1', 'old'))).toBeUndefined();
  expect(encoder.earlier('waymark-static-16k-128/1')).toBeUndefined();
  expect(encoder.earlier(encoder.id)).toBeUndefined();
});

test.each([
  ['http://api.example.com/v1', 'neither an https address nor an http address of this machine'],
  ['http://127.0.0.1.example.com', 'neither an https address'],
  ['ftp://127.0.0.1/', 'neither an https address'],
  ['somewhere', 'neither an https address'],
  ['https://me:secret@api.example.com', 'holds more than an address'],
  ['https://api.example.com/?key=secret', 'holds more than an address'],
])('%s is no address to send code to', (encoderUrl, message) => {
  const parse = () =>
    parseEndpoint({ encoderUrl, encoderModel: 'm', encoderApi: 'openai', encoderDimensions: 0 });

  expect(parse).toThrow(
    expect.objectContaining({ code: 'bad_config', message: expect.stringContaining(message) }),
  );
  expect(parse).not.toThrow('secret');
});

test.each([
  'https://api.example.com/v1',
  'http://localhost:11434',
  'http://[::1]:8080',
  'http://127.0.0.1:1/',
])('%s is one', (encoderUrl) => {
  const { url } = parseEndpoint({
    encoderUrl,
    encoderModel: 'm',
    encoderApi: 'ollama',
    encoderDimensions: 0,
  });

  expect(url).toBe(encoderUrl.replace(/\/$/, ''));
});

test('address and model are both needed', () => {
  const parse = () =>
    parseEndpoint({
      encoderUrl: undefined,
      encoderModel: undefined,
      encoderApi: 'openai',
      encoderDimensions: 0,
    });

  expect(parse).toThrow('The HTTP encoder needs encoderUrl and encoderModel.');
});
