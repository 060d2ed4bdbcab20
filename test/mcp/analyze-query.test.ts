/** How a search explains itself, to agents and to people. */
import { expect, test } from 'vitest';
import { rankAmong } from '../../src/search/show/analyze.ts';
import { connect, hitsOf } from '../support/search-client.ts';
import { searchShop } from '../support/search-shop.ts';
import { emptyHome, run } from '../support/waymark.ts';

test('analyze_query is there for those who ask for it', async () => {
  const project = searchShop();
  const usual = await connect('stdio, version 1', { cwd: project.path });
  const chosen = await connect('HTTP, version 2, modern', {
    cwd: project.path,
    args: ['--toolsets', 'search,diagnose'],
  });

  const listed = (await usual.raw.listTools()).tools.map(({ name }) => name);
  const found = await chosen.call('search_code', {
    query: 'how are idle sessions expired -path:test',
    limit: 3,
  });
  const analysis = await chosen.call('analyze_query', {
    query: 'how are idle sessions expired -path:test',
    limit: 3,
  });
  const exact = await chosen.call('analyze_query', { query: '"unknown article"' });
  const bad = await chosen.call('analyze_query', { query: ' ' });

  expect(listed).not.toContain('analyze_query');
  expect(analysis.structured).toMatchObject({
    stages: expect.arrayContaining([
      { name: 'load the index', files: 11, ms: expect.any(Number) },
      { name: 'pass the filters', files: 9, ms: expect.any(Number) },
    ]),
    index: { state: 'fresh' },
  });
  // The output schema says so, and the client has checked it.
  const hits = analysis.structured['hits'] as readonly {
    path: string;
    score: number;
    ranks: Record<string, number | null>;
    features: readonly { feature: string; points: number }[];
  }[];
  expect(hits.map(({ path }) => path)).toEqual(hitsOf(found).map(({ path }) => path));
  expect(hits[0]).toMatchObject({ ranks: { chunks: 1, file: 1 } });
  for (const { score, features } of hits)
    expect(features.reduce((sum, { points }) => sum + points, 0)).toBeCloseTo(score, 0);
  expect(analysis.text).toMatch(/^stage +files +ms$/m);
  expect(analysis.text).toMatch(/^# +score +chunk words +file words +names +path +nearest +hit$/m);
  expect(exact.structured).toMatchObject({
    stages: expect.arrayContaining([
      { name: 'pass the filters', files: 11, ms: expect.any(Number) },
      { name: 'hold the exact text', files: 1, ms: expect.any(Number) },
    ]),
    hits: [
      {
        path: 'src/cart/price.ts',
        features: expect.arrayContaining([
          expect.objectContaining({ feature: 'exact', value: 1, points: 20 }),
        ]),
      },
    ],
  });
  expect(bad.structured).toMatchObject({ success: false, error_type: 'bad_argument' });
});

test('waymark analyze draws the same as a table', async () => {
  const project = searchShop();
  const home = emptyHome();

  const table = await run(['analyze', 'Cart.addItem', '--limit', '2'], { home, cwd: project.path });
  const value = await run(['analyze', 'Cart.addItem', '--json'], { home, cwd: project.path });
  const empty = await run(['analyze'], { home, cwd: project.path });

  const lines = table.stdout.split('\n');
  const from = lines.findIndex((line) => line.startsWith('#'));
  expect(table.code).toBe(0);
  expect(lines[0]).toBe('symbol: cart, add, item');
  expect(lines[from + 1]).toMatch(/^1 +\d+\.\d\d +\d +\d +1 +\d +\d+ +src\/cart\/cart\.ts:\d+$/);
  expect(lines[from + 1]?.indexOf('src/')).toBe(lines[from]?.indexOf('hit'));
  expect(table.stdout).toMatch(
    /\+\d\.\d\d +\d\.\d\d × \d\.\d\d +definesName +it defines the name that was asked for/,
  );
  expect(JSON.parse(value.stdout)).toMatchObject({
    isSymbol: true,
    stages: expect.any(Array),
    hits: expect.any(Array),
  });
  expect(empty).toMatchObject({ code: 2, stdout: '' });
});

test('a rank counts what is better and allowed', () => {
  expect(rankAmong([3, 5, 4, 0], 4, Uint8Array.of(1, 1, 1, 1))).toBe(2);
  expect(rankAmong([3, 5, 4, 0], 4, Uint8Array.of(1, 0, 1, 1))).toBe(1);
  expect(rankAmong([3, 5, 4, 0], 0, Uint8Array.of(1, 1, 1, 1))).toBeUndefined();
});
