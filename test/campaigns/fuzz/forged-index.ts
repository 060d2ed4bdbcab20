/** Index files that git never wrote: every count, length and extension may lie, with a check sum that is right. */
import { createHash } from 'node:crypto';
import type { Random } from '../http/seeded-random.ts';

const NAMES = [
  'a.ts',
  'src/a.ts',
  '../up.ts',
  '/etc/passwd',
  '.git/config',
  'a//b',
  'src/part-1/a.ts',
  'ü',
  '',
] as const;
const MODES = [0o100644, 0o100755, 0o120000, 0o160000, 0o040000, 0] as const;
const EXTENSIONS = ['TREE', 'REUC', 'link', 'UNTR', 'FSMN', 'EOIE', 'IEOT', 'sdir', 'XXXX'] as const;
const MOST_TREE_DEPTH = 60_000;

export function forgeIndex(random: Random): Buffer {
  const version = random.pick([2, 2, 3, 4, 4, 5, 0]);
  const count = random.pick([0, 1, 3, 40, random.below(3_000)]);
  const head = Buffer.alloc(12);
  head.write('DIRC');
  head.writeUInt32BE(version, 4);
  head.writeUInt32BE(
    random.chance(0.8) ? count : random.pick([count + 1, 0xffffffff, 0x7fffffff, 20_000]),
    8,
  );
  const long = 'x'.repeat(random.pick([0, 10, 300, 4_000, 5_000, 70_000]));
  const entries = Array.from({ length: count }, (_, number) =>
    forgeEntry(random, version, number === 0 ? long : `${random.pick(NAMES)}${number}`),
  );
  const extensions = Array.from({ length: random.below(4) }, () => forgeExtension(random));
  const body = Buffer.concat([head, ...entries, ...extensions]);
  const sum = createHash('sha1').update(body).digest();
  return Buffer.concat([body, random.chance(0.9) ? sum : Buffer.alloc(random.below(21))]);
}

function forgeEntry(random: Random, version: number, name: string): Buffer {
  const fixed = Buffer.alloc(62);
  for (let at = 0; at < 60; at += 4) fixed.writeUInt32BE(random.below(2 ** 32), at);
  fixed.writeUInt32BE(random.pick(MODES), 24);
  const isExtended = version >= 3 && random.chance(0.3);
  const said = random.chance(0.9) ? Math.min(Buffer.byteLength(name), 0xfff) : random.below(0x1000);
  fixed.writeUInt16BE(
    (random.chance(0.1) ? 0x8000 : 0) | (isExtended ? 0x4000 : 0) | (random.below(4) << 12) | said,
    60,
  );
  const parts: Uint8Array[] = [fixed, isExtended ? Buffer.from([random.below(256), 0]) : Buffer.alloc(0)];
  if (version === 4)
    parts.push(varint(random.pick([0, 1, 5, 0x7f, 0x4000, 2 ** 31])), Buffer.from(`${name}\0`));
  else {
    const length = 62 + (isExtended ? 2 : 0) + Buffer.byteLength(name);
    parts.push(Buffer.from(name), Buffer.alloc(random.chance(0.97) ? 8 - (length % 8) : random.below(20)));
  }
  return Buffer.concat(parts);
}

/** As git writes how much of the name before is dropped. */
function varint(value: number): Buffer {
  const bytes = [value % 128];
  for (let left = Math.floor(value / 128); left > 0; left = Math.floor(left / 128))
    bytes.unshift(0x80 | (--left % 128));
  return Buffer.from(bytes);
}

function forgeExtension(random: Random): Buffer {
  const name = random.pick(EXTENSIONS);
  const body = name === 'TREE' ? forgeTree(random) : Buffer.alloc(random.below(3_000), random.below(256));
  const head = Buffer.alloc(8);
  head.write(name);
  head.writeUInt32BE(random.chance(0.8) ? body.length : random.pick([0, 1, 0xffffffff, body.length * 2]), 4);
  return Buffer.concat([head, body]);
}

/** Folders in folders, as deep and as many as may be, with counts that may lie. */
function forgeTree(random: Random): Buffer {
  const depth = random.pick([1, 3, 50, 5_000, random.below(MOST_TREE_DEPTH)]);
  const name = random.pick(['', 'a', 'src', '..', 'x'.repeat(200)]);
  const count = random.pick(['-1', '1', '0', '99999999999', 'NaN', '']);
  const below = random.pick(['1', '0', '-1', '1000000', '2']);
  const one = Buffer.from(`${name}\0${count} ${below}\n`);
  return Buffer.alloc(one.length * Math.min(depth, Math.ceil(400_000 / one.length)), one);
}
