/** Packed facts: the numbers of a row are checked once, and read as far as they are asked for. */
import { inflateRawSync } from 'node:zlib';
import { findPlaces } from './fact-places.ts';
import type { FactDefinition, FactExport, FileShape, Use } from './facts.ts';
import { hashName, hashNames } from './name-hashes.ts';
import { cut, NumberCursor, readNumbers } from './number-cursor.ts';
import { FACTS_VERSION, MOST_FACT_BYTES } from './pack-facts.ts';
import { PackedFile } from './packed-file.ts';

export interface OpenFacts extends FileShape {
  /** Uses of these names, or all, in the order of the text. */
  uses(names?: ReadonlySet<string>): readonly Use[];
  definitionsNamed(name: string): readonly FactDefinition[];
}

/** A row of facts: its names to look in, and the rest as it is stored. */
export interface FactRow {
  readonly names: Buffer;
  readonly rest: Uint8Array;
  /** Of each name. */
  readonly hashes: Uint32Array;
}

/** Undefined if the bytes are none that `packFacts` made. */
export function openRow(packed: Uint8Array): FactRow | undefined {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  const end = bytes.length < 4 ? Infinity : 4 + bytes.readUInt32LE();
  const names = end > bytes.length ? undefined : inflated(bytes.subarray(4, end));
  if (names === undefined) return undefined;
  // The result of zlib lies in a piece of 16 KB, which a row that is kept would keep: 130 MB for 8,000 files.
  return { names: Buffer.from(names), rest: bytes.subarray(end), hashes: hashNames(names) };
}

function inflated(bytes: Uint8Array): Buffer | undefined {
  try {
    // A damaged row must not become gigabytes.
    return inflateRawSync(bytes, { maxOutputLength: MOST_FACT_BYTES });
  } catch {
    return undefined;
  }
}

/** Throws RangeError if the bytes are none that `packFacts` made. */
export function unpackFacts(row: FactRow): OpenFacts {
  const names = row.names.toString('utf8').split('\0').slice(1, -1);
  const numbers = readNumbers(inflated(row.rest) ?? cut());
  const cursor = new NumberCursor(numbers, 0);
  const text = (): string => names[cursor.next()] ?? cut();

  if (cursor.next() !== FACTS_VERSION) cut();
  const flags = cursor.next();
  const packageId = cursor.below(names.length + 1);
  const stars = cursor.list(text);
  const imports = cursor.list(() => ({ specifier: text(), line: cursor.next(), names: cursor.list(text) }));
  const exports = cursor.list((): FactExport => {
    switch (cursor.next()) {
      case 0:
        return { kind: 'local', name: text(), local: text() };
      case 1:
        return { kind: 'from', name: text(), specifier: text(), from: text() };
      default:
        return { kind: 'star', specifier: text() };
    }
  });
  const file = new PackedFile(numbers, names, findPlaces(numbers, cursor.at, names.length));
  const idOf = (name: string): number => {
    const hash = hashName(name);
    let id = row.hashes.indexOf(hash);
    while (id !== -1 && names[id] !== name) id = row.hashes.indexOf(hash, id + 1);
    return id;
  };
  return {
    depth: flags & 1 ? 'scopes' : 'names',
    isCut: (flags & 2) !== 0,
    package: packageId === 0 ? undefined : names[packageId - 1],
    stars,
    imports,
    exports,
    scopes: file.scopes,
    get definitions() {
      return file.definitions;
    },
    definitionsNamed: (name) => file.definitionsNamed(idOf(name)),
    uses(wanted) {
      const ids = wanted && [...wanted].map(idOf);
      return file.usesOf(ids === undefined || ids.length > 1 ? ids && new Set(ids) : (ids[0] ?? -1));
    },
  };
}
