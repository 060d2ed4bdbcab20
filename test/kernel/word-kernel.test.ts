import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { headOf, KERNEL_FILES } from '../../scripts/compile-kernel.mjs';
import { loadStaticEncoder } from '../../src/embedding/index.ts';
import { openWordKernel, type FileToPack, type TextModel, type WordKernel } from '../../src/kernel/index.ts';
import { plainTrigrams } from '../support/plain-tokens.ts';
import { plainModel } from '../support/plain-vectors.ts';
import { plainTerms } from '../support/plain-words.ts';
import { unpackTerms } from '../support/unpack-terms.ts';

const PUBLISHED: { readonly queries: readonly { text: string; ids: number[] }[] } = JSON.parse(
  readFileSync(new URL('../fixtures/model/vectors.json', import.meta.url), 'utf8'),
);
const FIXTURES = new URL('../fixtures/languages/', import.meta.url);
const TEXTS = [
  '',
  'getUserName(id); // names',
  '123abc abc123 9_foo _ __init__ 42 0xFF 12345 URLs HTTPServer parseURLs APIsX Xs aB',
  'naïve 漢字 größe `x` \u{1F600}tail \uD800lone İstanbul ÀÉ',
  `x ${'a'.repeat(81)} ${'b'.repeat(70_000)} ${'1'.repeat(90)}abcdefgh y`,
  `${'w'.repeat(5)} `.repeat(30_000),
  'indexes indexing indexed normalization organizations creation sayings lovingly flies tried classes users runs bus is as ' +
    'running stopped telling passed agreed ties died seed sing king eds ings ations zation ization aization abization',
  ...readdirSync(FIXTURES).map((name) => readFileSync(new URL(name, FIXTURES), 'utf8')),
];

function fileOf(text: string, more: Partial<FileToPack> = {}): FileToPack {
  const lines = text.split('\n');
  let from = 0;
  // Every third line begins a chunk.
  const places = lines.map((line, at) => {
    const place = { startLine: at + 1, endLine: at + 1, from, to: from + line.length };
    from = place.to + 1;
    return place;
  });
  const chunks = places
    .filter((_, at) => at % 3 === 0)
    .map((first, at) => ({ ...first, endLine: places[at * 3 + 2]?.endLine ?? lines.length }))
    .map((chunk) => ({ ...chunk, to: places[chunk.endLine - 1]?.to ?? chunk.to }));
  const names = lines
    .flatMap((line, at) => line.match(/\w+/g)?.map((name) => ({ name, at })) ?? [])
    .filter((_, at) => at % 5 === 0)
    .map(({ name, at }) => ({ name, weight: at % 30, startLine: at + 1, endLine: at + 2 }));
  return {
    text,
    chunks,
    names,
    solidLines: Math.min(255, lines.length),
    stem: 'searchIndex_v2',
    folders: 'src storage sqlite',
    own: 'sqlite searchIndex_v2',
    place: 'storage sqlite searchIndex_v2',
    ...more,
  };
}

it.each(KERNEL_FILES)('%s was compiled from the source in kernel/ as it is now', (name) => {
  const text = readFileSync(new URL(`../../src/kernel/${name}`, import.meta.url), 'utf8');

  expect(text.slice(0, text.indexOf('\n') + 1)).toBe(headOf());
});

it.each(TEXTS)('packs the words that a question would ask for (%#)', (text) => {
  const file = fileOf(text);
  expect(unpackTerms(openWordKernel().packFile(file).terms)).toEqual(plainTerms(file));
});

it('packs the text that stands for a chunk in place of what is there, and names of any letters', () => {
  const file = fileOf('one two\nthree', {
    chunks: [{ startLine: 1, endLine: 2, from: 0, to: 13, ownText: 'four fourFive' }],
    names: [{ name: 'größe→fn', weight: 3, startLine: 1, endLine: 1 }],
  });
  expect(unpackTerms(openWordKernel().packFile(file).terms)).toEqual(plainTerms(file));
});

it('finds the runs of three characters that a quoted text is looked up by', () => {
  const kernel = openWordKernel();
  for (const text of TEXTS) {
    const expected = [...plainTrigrams(text)];
    expect(ascendingOf(kernel.packTrigrams(text))).toEqual(expected);
  }
});

it('makes the vectors that the model says, to the last bit: of the path, of the file, of each chunk', () => {
  const { kernel } = loadStaticEncoder();
  const plain = plainModel(shippedModel());
  for (const text of TEXTS) {
    const file = fileOf(text);
    expect(Buffer.compare(packedVectors(kernel, file), plain.packed(file))).toBe(0);
  }
  for (const { text, ids } of PUBLISHED.queries) {
    expect(plain.tokenIds(text)).toEqual(ids);
    expect(kernel.encode(text)).toEqual(plain.encode(text));
  }
});

it('makes the same vectors on a processor without SIMD', () => {
  for (const model of [shippedModel(), modelOf(20), modelOf(3)]) {
    const [fast, plain] = [openWordKernel(), openWordKernel('plain')];
    for (const kernel of [fast, plain]) expect(kernel.useModel(model)).toBe(model.count);
    for (const text of TEXTS) {
      expect(plain.encode(text)).toEqual(fast.encode(text));
      expect(plain.packFile(fileOf(text))).toEqual(fast.packFile(fileOf(text)));
    }
    expect(fast.encode('one other three').some((value) => value !== 0)).toBe(true);
  }
});

it('forgets words when it has too many of them, and packs every file as if it were the first', () => {
  const kernel = loadStaticEncoder().kernel;
  const fresh = (): WordKernel => loadStaticEncoder().kernel;
  // Some 60,000 words each, so that the second file meets full tables and the third empty ones; then many parts in few words.
  const files = [0, 1, 2, 3]
    .map((at) => Array.from({ length: 60_000 }, (_, word) => `w${at}x${word}`).join(' '))
    .concat(
      Array.from({ length: 8 }, (_, at) =>
        Array.from({ length: 9_000 }, (__, word) => `v${parts(at * 9_000 + word)}`).join('\n'),
      ),
    );
  for (const text of files) {
    const file = fileOf(text, { names: [] });
    expect(Buffer.compare(kernel.packFile(file).terms, fresh().packFile(file).terms)).toBe(0);
  }
  const last = fileOf('parseHTTPUrl open the file');
  expect(kernel.packFile(last)).toEqual(fresh().packFile(last));
});

it('packs the next file as if it were the first where one could not be packed', () => {
  const { kernel } = loadStaticEncoder();
  const good = fileOf('open the file\nand read it');
  const before = kernel.packFile(good);
  const beyond = { startLine: 1, endLine: 1, from: 0, to: 2 ** 30 };
  expect(() => kernel.packFile({ ...good, chunks: [...good.chunks, beyond] })).toThrow(/memory/);
  expect(kernel.packFile(good)).toEqual(before);
  expect(kernel.encode('open the file')).toEqual(loadStaticEncoder().encode('open the file'));
});

it('refuses a model with a word that it could never find', () => {
  const model = modelOf(3, 'a'.repeat(300));
  expect(openWordKernel().useModel(model)).toBe(-1);
});

function parts(seed: number): string {
  return Array.from({ length: 15 }, (_, at) => seed * 15 + at + 1_000_000).join('_');
}

function packedVectors(kernel: WordKernel, file: FileToPack): Uint8Array {
  return kernel.packFile(file).vectors ?? new Uint8Array();
}

function shippedModel(): TextModel {
  const bytes = readFileSync(new URL('../../assets/model/waymark-static-16k-128.bin', import.meta.url));
  const [count, dimensions, vocabularyBytes] = [4, 8, 12].map((at) => bytes.readUInt32LE(at));
  return { bytes, count: count ?? 0, dimensions: dimensions ?? 0, vocabularyBytes: vocabularyBytes ?? 0 };
}

/** A model of few words and a number of dimensions that is no multiple of what SIMD takes at once. */
function modelOf(dimensions: number, last = 'x'): TextModel {
  const vocabulary = Buffer.from(
    ['one', 'two', 'three', 'other', 'fun', 'ction', 'name', 'er', last].join('\n'),
  );
  const count = 9;
  const padded = Math.ceil(vocabulary.length / 4) * 4;
  const bytes = new Uint8Array(16 + padded + count * 4 + count * dimensions);
  bytes.set(vocabulary, 16);
  const view = new DataView(bytes.buffer);
  for (let row = 0; row < count; row++) view.setFloat32(16 + padded + row * 4, 0.01 + row / 300, true);
  for (let at = 16 + padded + count * 4; at < bytes.length; at++) bytes[at] = (at * 2_654_435_761) >>> 7;
  return { bytes, count, dimensions, vocabularyBytes: vocabulary.length };
}

/** Gaps of seven bits at a time, behind how many there are. */
function ascendingOf(packed: Uint8Array): number[] {
  const numbers: number[] = [];
  let [value, shift] = [0, 0];
  for (const byte of packed) {
    value += (byte & 127) << shift;
    shift += 7;
    if (byte >= 128) continue;
    numbers.push(value);
    [value, shift] = [0, 0];
  }
  const [count = 0, ...gaps] = numbers;
  expect(gaps.length).toBe(count);
  let last = 0;
  return gaps.map((gap) => (last += gap));
}
