/** The contract and the tests agree: no row without a test, no test for a row that does not exist. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Rows of the matrix have two figures, all others three. */
const ID = /\b(?:R\d{3}|F\d{2})\b/g;

function rows(): readonly string[] {
  const text = readFileSync(join(ROOT, 'docs', 'contract.md'), 'utf8');
  return [...text.matchAll(/^\| ([RF]\d{2,3}) \|/gm)].map((match) => match[1] ?? '');
}

/** Ids by the places that cite them: titles, and the tables that titles are made from. */
function citations(): ReadonlyMap<string, string> {
  const files = ['src', 'test'].flatMap((area) =>
    readdirSync(join(ROOT, area), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts') || (area === 'test' && name.endsWith('.ts')))
      .map((name) => join(area, name)),
  );
  const cited = new Map<string, string>();
  for (const file of files) {
    if (file.endsWith(join('house', 'contract.test.ts'))) continue;
    for (const [id] of quotedText(readFileSync(join(ROOT, file), 'utf8')).matchAll(ID)) cited.set(id, file);
  }
  return cited;
}

/** Only what stands in quotes can become a title. */
function quotedText(source: string): string {
  return [...source.matchAll(/'[^'\n]*'|`[^`]*`/g)].map(([quoted]) => quoted).join('\n');
}

test('every id that a test cites is a row of docs/contract.md', () => {
  const known = new Set(rows());

  expect([...citations()].filter(([id]) => !known.has(id))).toEqual([]);
});

test('every row of docs/contract.md is cited by a test', () => {
  const cited = citations();

  expect(rows().filter((id) => !cited.has(id))).toEqual([]);
});

test('no id stands for two rows', () => {
  expect(rows().toSorted()).toEqual([...new Set(rows())].toSorted());
});
