/** What search holds in memory, made by the kernel from rows as they are stored, against the same made plainly. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createAnalyzer } from '../../src/indexing/index.ts';
import { openSegmentKernel, openWordKernel, type SegmentNumbers } from '../../src/kernel/index.ts';
import { plainSegment } from '../support/plain-segment.ts';
import { createRandom } from '../support/random.ts';

const FIXTURES = new URL('../fixtures/languages/', import.meta.url);

function build(rows: readonly Uint8Array[]): SegmentNumbers {
  const kernel = openSegmentKernel();
  for (const row of rows) expect(kernel.add(row)).toBe(true);
  return kernel.build();
}

/** Millions of numbers would be compared one by one. */
function digestsOf(numbers: SegmentNumbers): Readonly<Record<string, string>> {
  const { chunkPostings, namePostings, pathPostings, namePlaces, ...plain } = numbers;
  const lists = { chunkPostings, namePostings, pathPostings, namePlaces };
  const all = [
    ...Object.entries(plain),
    ...Object.entries(lists).flatMap(([name, { offsets, bytes }]): [string, Uint32Array | Uint8Array][] => [
      [`${name} offsets`, offsets],
      [`${name} bytes`, bytes],
    ]),
  ];
  return Object.fromEntries(
    all.map(([name, values]) => [
      name,
      `${values.length} numbers, ${createHash('sha256').update(values).digest('hex')}`,
    ]),
  );
}

/** Every language, as it is indexed. */
function fixtureRows(): Uint8Array[] {
  const analyzer = createAnalyzer(undefined);
  return readdirSync(FIXTURES).map((name) => {
    const file = analyzer.read(`src/${name}`, readFileSync(new URL(name, FIXTURES)));
    return analyzer.rows(file, file.outline()).terms;
  });
}

/** Many words, some of them often, in many chunks: numbers of every size. */
function generatedRows(files: number): Uint8Array[] {
  const random = createRandom(7);
  const kernel = openWordKernel();
  return Array.from({ length: files }, (_, at) => {
    const pieces = Array.from({ length: 1 + random.below(40) }, () => {
      const word = `w${random.below(random.below(6_000) + 1).toString(36)}x`;
      return `${word} `.repeat(random.below(30) === 0 ? 400 : 1 + random.below(5));
    });
    let from = 0;
    const chunks = pieces.map((piece, line) => {
      const place = { startLine: line + 1, endLine: line + 1, from, to: from + piece.length };
      from = place.to;
      return place;
    });
    const names = pieces
      .flatMap((piece) => (random.below(5) === 0 ? Array.from({ length: 300 }, () => piece) : [piece]))
      .map((piece, line) => ({
        name: piece.slice(0, piece.indexOf(' ')),
        weight: line % 30,
        startLine: line + 1,
        endLine: line + 3,
      }));
    const text = pieces.join('');
    const path = { stem: `file${at}`, folders: 'src', own: 'src', place: 'src' };
    return kernel.packFile({ text, chunks, names, solidLines: at % 256, ...path }).terms;
  });
}

it('makes of the rows of every language what plain loops make of them', () => {
  const rows = fixtureRows();

  expect(build(rows)).toEqual(plainSegment(rows));
});

it('makes the same of many files with numbers of every size', () => {
  const rows = generatedRows(300);
  const built = build(rows);

  expect(built.terms.length).toBeGreaterThan(2_000);
  expect(digestsOf(built)).toEqual(digestsOf(plainSegment(rows)));
});

it('makes empty lists of nothing', () => {
  expect(build([])).toEqual(plainSegment([]));
});

it('says of a row that it is cut, wherever it ends', () => {
  const [row = new Uint8Array()] = generatedRows(1);

  for (let length = 0; length < row.length; length += 1 + Math.floor(length / 50))
    expect(openSegmentKernel().add(row.subarray(0, length)), `${length} of ${row.length}`).toBe(false);
  expect(openSegmentKernel().add(row)).toBe(true);
});

it('takes a count that is damaged for the largest', () => {
  // One word, 9; 7 lines; in the path four times and 2 ** 32 - 4 more; no chunk, name or identifier.
  const row = Uint8Array.from([1, 9, 7, 1, 3, 0xfc, 0xff, 0xff, 0xff, 0x0f, 0, 0, 0]);
  const { pathLengths, pathPostings } = build([row, row]);

  expect([...pathLengths]).toEqual([255, 255]);
  expect(pathPostings).toEqual(plainSegment([row, row]).pathPostings);
});

it('is neither led astray nor stopped by damaged rows', () => {
  const random = createRandom(11);
  const rows = fixtureRows();
  const answers = new Set<number>();

  for (let round = 0; round < 1_000; round++) {
    const row = Uint8Array.from(rows[round % rows.length] ?? []);
    for (let times = 0; times < 3; times++) row[random.below(row.length)] = random.below(256);
    const kernel = openSegmentKernel();
    answers.add(kernel.add(row) ? kernel.build().solidLines.length : 0);
  }

  // Cut, or a file; both were seen.
  expect(answers).toEqual(new Set([0, 1]));
});
