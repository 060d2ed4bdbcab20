/** Secrets of every kind are planted in every place a string can enter, in three forms; then every byte we wrote is looked at. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { SECRET_PLACES, takeIn } from '../../support/secret-places.ts';
import { secretVectors, type SecretVector } from '../../support/secret-vectors.ts';
import { openSession } from '../../support/stdio-session.ts';

export const FORMS: Readonly<Record<string, (text: string) => string>> = {
  'plain text': (text) => text,
  JSON: (text) => JSON.stringify({ note: text }),
  'with line numbers': (text) =>
    text
      .split('\n')
      .map((line, at) => `${at + 7}→${line}`)
      .join('\n'),
};

/** As long as a needle: a scan that does not see this sees nothing. */
const CONTROL = 'lighthouses!';

export interface PlacesReport {
  readonly places: number;
  readonly forms: number;
  readonly planted: number;
  readonly bytesScanned: number;
  /** By place: how many were planted, and which were found in the clear. */
  readonly rows: readonly {
    readonly place: string;
    readonly planted: number;
    readonly leaked: readonly string[];
  }[];
  readonly recall: number;
}

interface Planted {
  readonly place: string;
  readonly words: string;
  readonly needles: readonly string[];
}

/** `every`: one of so many vectors. */
export async function runPlaces({ every = 1, seed = 1 } = {}): Promise<PlacesReport> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'waymark-places-')));
  const at = { folder: join(base, 'project'), home: join(base, 'home'), program: resolve('dist/main.js') };
  mkdirSync(join(at.folder, '.git'), { recursive: true });
  writeFileSync(join(at.folder, '.git/HEAD'), 'ref: refs/heads/main\n');
  const session = openSession(at);
  try {
    const planted: Planted[] = [];
    let number = 0;
    for (const [index, place] of SECRET_PLACES.entries()) {
      for (const [order, [form, inForm]] of Object.entries(FORMS).entries()) {
        // Secrets of its own for each place and form, so that what is found says where it came from.
        const vectors = secretVectors(1, seed + index * 10 + order).filter((_, of) => of % every === 0);
        for (const vector of vectors) {
          const text = place.isName === true ? vector.secret : inForm(vector.text);
          if (!fits(text, place) || (place.isName === true && !fitsName(vector))) continue;
          number += 1;
          await place.plant(text, number, { ...at, session });
          planted.push({
            place: place.name,
            words: `${vector.kind}, ${form}: ${text.slice(0, 100)}`,
            needles: needlesOf(vector),
          });
        }
      }
    }
    await session.call('checkpoint_save', { content: `a note that names ${CONTROL}` });
    await session.close();
    const outputs = await takeIn(at);
    const texts = [...outputs, ...filesBelow(at.home)];
    const found = findNeedles(texts, new Set([CONTROL, ...planted.flatMap(({ needles }) => needles)]));
    if (!found.has(CONTROL)) throw new Error('The campaign is blind: what is no secret is not found either.');
    const rows = SECRET_PLACES.map(({ name }) => {
      const here = planted.filter(({ place }) => place === name);
      const leaked = here.filter(({ needles }) => needles.some((needle) => found.has(needle)));
      return { place: name, planted: here.length, leaked: leaked.map(({ words }) => words) };
    });
    const leaked = rows.reduce((sum, row) => sum + row.leaked.length, 0);
    return {
      places: rows.filter((row) => row.planted > 0).length,
      forms: Object.keys(FORMS).length,
      planted: planted.length,
      bytesScanned: texts.reduce((sum, text) => sum + text.length, 0),
      rows,
      recall: 1 - leaked / Math.max(1, planted.length),
    };
  } finally {
    await session.close();
    rmSync(base, { recursive: true, force: true });
  }
}

function fits(text: string, { most }: { readonly most: number }): boolean {
  return Buffer.byteLength(text) <= most;
}

/** In a name nothing says what it is: only secrets that begin like no other text can be known there. */
function fitsName({ secret, isKnownAlone }: SecretVector): boolean {
  return isKnownAlone && secret.length <= 120 && /^[\w.-]+$/.test(secret);
}

const NEEDLE = 12;

/** Pieces of a secret, each of which gives it away; also as base64 has them, in each of its three positions. */
function needlesOf({ secret }: SecretVector): readonly string[] {
  const lines = secret.split(/\n|\\n/).filter((line) => line.length >= NEEDLE);
  const encoded = lines.flatMap((line) =>
    [0, 1, 2].map((shift) =>
      Buffer.from('x'.repeat(shift) + line)
        .toString('base64')
        .slice(4, -4),
    ),
  );
  return [...lines, ...encoded].flatMap((line) => {
    const pieces: string[] = [];
    for (let from = 0; from + NEEDLE <= line.length; from += NEEDLE)
      pieces.push(line.slice(from, from + NEEDLE).toLowerCase());
    return pieces;
  });
}

/** One pass over each text, whatever the number of needles. */
function findNeedles(texts: readonly string[], needles: ReadonlySet<string>): ReadonlySet<string> {
  const found = new Set<string>();
  for (const text of texts) {
    const lower = text.toLowerCase();
    for (let at = 0; at + NEEDLE <= lower.length; at++) {
      const piece = lower.slice(at, at + NEEDLE);
      if (needles.has(piece)) found.add(piece);
    }
  }
  return found;
}

/** Of each file its name and its bytes, and the bytes without zeros, which is what UTF-16 is of plain letters. */
function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap((entry) => {
      const bytes = readFileSync(join(entry.parentPath, entry.name)).toString('latin1');
      return [`${entry.name}\n${bytes}`, bytes.replaceAll('\0', '')];
    });
}
