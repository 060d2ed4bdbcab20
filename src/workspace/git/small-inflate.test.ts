import { constants, deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { SmallInflate } from './small-inflate.ts';

const { Z_FIXED, Z_HUFFMAN_ONLY, Z_DEFAULT_STRATEGY, Z_RLE } = constants;

/** The same every time: no test depends on luck. */
function* texts(): Generator<Buffer> {
  let state = 7;
  const next = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below;
  for (let round = 0; round < 120; round++) {
    const letters = [2, 20, 256][round % 3] ?? 2;
    yield Buffer.from(Array.from({ length: next(5_000) }, () => next(letters)));
  }
  yield Buffer.alloc(0);
  yield Buffer.alloc(70_000, 'abc');
}

test('unpacks what zlib packed, in every form it has', () => {
  const inflate = new SmallInflate();
  for (const text of texts())
    for (const strategy of [Z_DEFAULT_STRATEGY, Z_FIXED, Z_HUFFMAN_ONLY, Z_RLE])
      for (const level of [0, 1, 9])
        expect(inflate.unpack(deflateSync(text, { level, strategy }), text.length).equals(text)).toBe(true);
});

/** The name of what it throws. */
function outcomeOf(work: () => unknown): string {
  try {
    work();
    return 'made';
  } catch (thrown) {
    return thrown instanceof RangeError ? 'refused' : String(thrown);
  }
}

test('what is damaged, cut or of another size is refused or comes out otherwise; the next one is not touched by it', () => {
  const inflate = new SmallInflate();
  const outcomes = new Map<string, number>();
  for (const text of texts()) {
    const packed = deflateSync(text);
    for (let at = 0; at < packed.length; at += 1 + (packed.length >> 4)) {
      const damaged = Buffer.from(packed);
      damaged[at] = (damaged[at] ?? 0) ^ (1 << (at % 8));
      const outcome = outcomeOf(() => inflate.unpack(damaged, text.length));
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      const cut = packed.subarray(0, Math.min(at, packed.length - 8));
      expect(() => inflate.unpack(cut, text.length)).toThrow(RangeError);
    }
    expect(() => inflate.unpack(packed, text.length + 1)).toThrow(RangeError);
    expect(inflate.unpack(packed, text.length).equals(text)).toBe(true);
  }
  expect([...outcomes.keys()].toSorted()).toEqual(['made', 'refused']);
});
