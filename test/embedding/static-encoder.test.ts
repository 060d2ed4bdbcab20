import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createStaticEncoder, loadStaticEncoder } from '../../src/embedding/index.ts';

interface Vectors {
  readonly queries: readonly { text: string; vector: number[] }[];
  readonly chunks: readonly { path: string; text: string; vector: number[] }[];
  readonly pairs: readonly { a: string; b: string; cosine: number }[];
}

const VECTORS: Vectors = JSON.parse(
  readFileSync(new URL('../fixtures/model/vectors.json', import.meta.url), 'utf8'),
);
const encoder = loadStaticEncoder();

it('gives the published numbers for every text', () => {
  expect(VECTORS.queries.length).toBeGreaterThan(5);
  for (const { text, vector } of VECTORS.queries) expectNear(encoder.encode(text), vector);
});

it('counts the folder and the name of a file twice', () => {
  for (const { path, text, vector } of VECTORS.chunks) {
    const parts = path.split('/');
    const place = `${parts.at(-2) ?? ''} ${parts.at(-1)?.replace(/\.[^.]*$/, '') ?? ''}`;
    expectNear(encoder.encode(`${place} ${place} ${text}`), vector);
  }
});

it('gives the published cosines of pairs', () => {
  for (const { a, b, cosine } of VECTORS.pairs) {
    const [left, right] = [encoder.encode(a), encoder.encode(b)];
    expect(left.reduce((sum, value, d) => sum + value * (right[d] ?? 0), 0)).toBeCloseTo(cosine, 3);
  }
});

it('gives zeros for a text without a word, and leaves nothing behind for the next', () => {
  const before = encoder.encode('open the file');
  expect(encoder.encode('… ∑ 漢字')).toEqual(new Float32Array(128));
  expect(encoder.encode('open the file')).toEqual(before);
});

it('refuses a model that is cut or is none', () => {
  expect(() => createStaticEncoder(new Uint8Array(8), 'cut')).toThrow(/damaged/);
  expect(() => createStaticEncoder(new TextEncoder().encode('SCE1'.padEnd(64, 'x')), 'wrong')).toThrow(
    /damaged/,
  );
});

function expectNear(found: Float32Array, expected: readonly number[]): void {
  expected.forEach((value, d) => expect(Math.abs((found[d] ?? 0) - value)).toBeLessThan(1e-3));
}
