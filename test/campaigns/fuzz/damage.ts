/** Damages bytes as fuzzers do: bits, numbers, pieces that go, come twice or a thousand times, and words of the format. */
import type { Random } from '../http/seeded-random.ts';

const NUMBERS = [
  0, 1, 2, 0x7f, 0x80, 0xff, 0xfff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff,
] as const;
const MOST_REPEATED_BYTES = 48 * 1024;
/** One case in so many is a large one: those are what a limit is for. */
const LARGE_EVERY = 400;
const LARGE_BYTES = 12 * 1024 * 1024;

export interface DamageOptions {
  /** Words of the format, put in and in place of others. */
  readonly words?: readonly string[];
  /** Another file of the kind, of which pieces are taken. */
  readonly other?: Uint8Array;
}

export function damage(bytes: Uint8Array, random: Random, options: DamageOptions = {}): Buffer {
  let changed: Buffer = Buffer.from(bytes);
  for (let round = random.pick([0, 0, 1, 1, 2, 3, 6]); round >= 0; round--)
    changed = once(changed, random, options);
  return changed;
}

function once(bytes: Buffer, random: Random, { words = [], other }: DamageOptions): Buffer {
  const at = random.below(bytes.length + 1);
  const end = Math.min(bytes.length, at + 1 + random.below(random.pick([4, 16, 64, 1024])));
  const piece = bytes.subarray(at, end);
  const put = (inside: Uint8Array, until = at): Buffer =>
    Buffer.concat([bytes.subarray(0, at), inside, bytes.subarray(until)]);
  switch (random.below(10)) {
    case 0: {
      const flipped = Buffer.from(bytes);
      if (at < bytes.length) flipped[at] = (flipped[at] ?? 0) ^ (1 << random.below(8));
      return flipped;
    }
    case 1:
      return put(Buffer.from([random.below(256)]), Math.min(bytes.length, at + 1));
    case 2:
      return put(Buffer.alloc(0), end);
    case 3:
      return put(piece);
    case 4:
      return put(repeated(piece, random));
    case 5:
      return bytes.subarray(0, at);
    case 6: {
      const number = Buffer.alloc(4);
      number.writeUInt32BE(random.pick(NUMBERS));
      return put(number, Math.min(bytes.length, at + 4));
    }
    case 7: {
      if (other === undefined) return put(piece);
      const from = random.below(other.length);
      return put(other.subarray(from, from + 1 + random.below(2_000)));
    }
    default: {
      const word = Buffer.from(words[random.below(words.length)] ?? '');
      return put(random.chance(0.1) ? repeated(word, random) : word, random.chance(0.5) ? at : end);
    }
  }
}

function repeated(piece: Uint8Array, random: Random): Buffer {
  if (piece.length === 0) return Buffer.alloc(0);
  const most = random.below(LARGE_EVERY) === 0 ? LARGE_BYTES : MOST_REPEATED_BYTES;
  return Buffer.alloc(1 + random.below(most), piece);
}
