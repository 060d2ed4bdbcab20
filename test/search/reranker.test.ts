/** A reranker that the user named: what it is sent, what its order changes, and what happens when it is not there. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createApp, type App } from '../../src/app.ts';
import { resolveConfig } from '../../src/config/index.ts';
import { searchShop } from '../support/search-shop.ts';
import { emptyHome, run } from '../support/waymark.ts';

interface RerankRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly query: string;
  readonly texts: readonly string[];
}

interface Service {
  readonly url: string;
  readonly requests: RerankRequest[];
  /** What it answers with, by its texts. */
  answer: (texts: readonly string[]) => unknown;
}

/** The text that comes last is the best: the order of our own, turned round. */
const turnedRound = (texts: readonly string[]): unknown => ({
  results: texts.map((_, index) => ({ index, relevance_score: index })),
});

async function rerankService(): Promise<Service> {
  const made: { requests: RerankRequest[]; answer: Service['answer'] } = {
    requests: [],
    answer: turnedRound,
  };
  const server = createServer((incoming, response) => {
    const parts: Buffer[] = [];
    incoming.on('data', (part: Buffer) => parts.push(part));
    incoming.on('end', () => {
      const body: Record<string, unknown> = JSON.parse(Buffer.concat(parts).toString('utf8'));
      const texts = body['documents'] ?? body['texts'];
      const request = {
        path: incoming.url ?? '',
        headers: incoming.headers,
        query: String(body['query']),
        texts: Array.isArray(texts) ? texts.map(String) : [],
      };
      made.requests.push(request);
      const answer = made.answer(request.texts);
      response.writeHead(answer === undefined ? 503 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer ?? {}));
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  // Listening on a port, so that it has an address of this kind.
  const { port } = server.address() as AddressInfo;
  return Object.assign(made, { url: `http://127.0.0.1:${port}/v1` });
}

async function shopWith(env: Readonly<Record<string, string>>): Promise<{ app: App; root: string }> {
  const project = searchShop();
  const home = emptyHome();
  const { config } = resolveConfig({ env: { ...home.env, WAYMARK_LOG_LEVEL: 'error', ...env } });
  const app = createApp({ config });
  onTestFinished(() => app.close());
  await app.indexing.run(project.path, { signal: new AbortController().signal });
  return { app, root: project.path };
}

const ask = async (app: App, root: string, query: string, limit = 30) =>
  app.search.run({ roots: [root], query, limit });

test('the first hits come in the order of the service, page by page, and none is lost', async () => {
  const service = await rerankService();
  const plain = await shopWith({});
  const own = await ask(plain.app, plain.root, 'retry a failed payment');
  const { app, root } = await shopWith({ WAYMARK_RERANKER_URL: service.url, WAYMARK_RERANKER_KEY: 'key-1' });

  const whole = await ask(app, root, 'retry a failed payment');
  const first = await ask(app, root, 'retry a failed payment', 2);
  const second = await app.search.run({
    roots: [root],
    query: 'retry a failed payment',
    limit: 2,
    cursor: first.next,
  });

  const paths = whole.hits.map(({ path }) => path);
  expect(own.hits.length).toBeGreaterThan(3);
  expect(paths).toEqual(own.hits.map(({ path }) => path).toReversed());
  expect(whole.hits.map(({ rank }) => rank)).toEqual(paths.map((_, at) => at + 1));
  expect([...first.hits, ...second.hits].map(({ path }) => path)).toEqual(paths.slice(0, 4));
  // The same question is asked once.
  expect(service.requests).toHaveLength(1);
  expect(service.requests[0]).toMatchObject({ path: '/v1/rerank', query: 'retry a failed payment' });
  expect(service.requests[0]?.headers.authorization).toBe('Bearer key-1');
});

test('it is sent what is shown, without paths and secrets', async () => {
  const service = await rerankService();
  const { app, root } = await shopWith({ WAYMARK_RERANKER_URL: service.url });

  await ask(app, root, `retry a failed payment ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`);

  const sent = JSON.stringify(service.requests);
  expect(sent).toContain('retry');
  expect(sent).not.toContain('ghp_a1B2');
  expect(sent).not.toContain(root);
  expect(service.requests.flatMap(({ texts }) => texts).filter((text) => text.includes('retry.py'))).toEqual(
    [],
  );
});

test('text-embeddings-inference is spoken to in its own way', async () => {
  const service = await rerankService();
  service.answer = (texts) => texts.map((_, index) => ({ index, score: index })).toReversed();
  const { app, root } = await shopWith({
    WAYMARK_RERANKER_URL: service.url,
    WAYMARK_RERANKER_API: 'tei',
  });
  const plain = await shopWith({});

  const [answer, own] = [
    await ask(app, root, 'retry a failed payment'),
    await ask(plain.app, plain.root, 'retry a failed payment'),
  ];

  expect(answer.notes).toEqual([]);
  expect(answer.hits.map(({ path }) => path)).toEqual(own.hits.map(({ path }) => path).toReversed());
});

test.each([
  ['an error', () => undefined, 'answered with status 503'],
  ['too few scores', () => ({ results: [{ index: 0, relevance_score: 1 }] }), 'one score for each text'],
  [
    'scores that are none',
    (texts: readonly string[]) => texts.map(() => ({ index: 0, score: 'x' })),
    'one score',
  ],
] as const)('with %s our own order stays, and the answer says why', async (_what, answer, why) => {
  const service = await rerankService();
  service.answer = answer;
  const plain = await shopWith({});
  const { app, root } = await shopWith({
    WAYMARK_RERANKER_URL: service.url,
    WAYMARK_RERANKER_MODEL: 'judge-1',
  });

  const answered = await ask(app, root, 'retry a failed payment');
  const again = await ask(app, root, 'where is money counted');
  const own = await ask(plain.app, plain.root, 'retry a failed payment');

  expect(answered.hits.map(({ path }) => path)).toEqual(own.hits.map(({ path }) => path));
  expect(answered.notes.join('\n')).toContain(`order by Waymark alone: judge-1`);
  expect(answered.notes.join('\n')).toContain(why);
  // A service that failed is left alone for a while.
  expect(again.notes).toHaveLength(1);
  expect(service.requests).toHaveLength(1);
});

test('exact text keeps its order, and asks no service', async () => {
  const service = await rerankService();
  const { app, root } = await shopWith({ WAYMARK_RERANKER_URL: service.url });

  const answer = await ask(app, root, '"gave up after"');

  expect(answer.hits.length).toBeGreaterThan(0);
  expect(service.requests).toEqual([]);
});

test('an address that code must not be sent to is refused, and a repository cannot name one', async () => {
  const home = emptyHome();
  const project = searchShop();
  project.write({ '.waymark.json': JSON.stringify({ rerankerUrl: 'https://example.com' }) });

  const plain = await run(['search', 'x', '--reranker-url', 'http://example.com'], { home });
  const planted = await run(['search', 'x'], { home, cwd: project.path });

  expect(plain.code).not.toBe(0);
  expect(plain.stderr).toContain(
    'rerankerUrl is neither an https address nor an http address of this machine',
  );
  expect(planted.stderr).toContain('rerankerUrl');
});

test('doctor says whether the service answers', async () => {
  const service = await rerankService();
  const home = emptyHome();
  const env = { WAYMARK_RERANKER_URL: service.url, WAYMARK_RERANKER_MODEL: 'judge-1' };

  const well = await run(['doctor', '--json'], { home, env });
  service.answer = () => undefined;
  const ill = await run(['doctor', '--json'], { home, env });

  expect(well.stdout).toContain('reranker: judge-1 answers');
  expect(ill.stdout).toContain('reranker: judge-1 answered with status 503');
});
