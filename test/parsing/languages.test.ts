/** What the exact pass finds in every language's fixture, as files to be read: they are the specification. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  languageOf,
  LANGUAGES,
  isParsable,
  type ParsedFile,
  type ParseOutcome,
} from '../../src/languages/index.ts';
import { bundleEntry, type BundledEntry } from '../support/bundle-entry.ts';
import { parseAll } from './parse-all.ts';
import { renderParsed } from './render-parsed.ts';

const FIXTURES = join(import.meta.dirname, '..', 'fixtures', 'languages');
const fixtures = readdirSync(FIXTURES)
  .sort()
  .map((path) => {
    const text = readFileSync(join(FIXTURES, path), 'utf8');
    return { path, text, language: languageOf(path, text.slice(0, text.indexOf('\n'))) ?? 'text' };
  })
  .filter(({ language }) => isParsable(language));

let child: BundledEntry;
let outcomes: ReadonlyMap<string, ParseOutcome>;
beforeAll(async () => {
  child = await bundleEntry('src/languages/syntax/parser-main.ts');
  outcomes = await parseAll({ absChildModule: child.absPath }, fixtures);
});
afterAll(() => child.remove());

function parsed(path: string): ParsedFile {
  const outcome = outcomes.get(path);
  if (outcome?.kind !== 'parsed') throw new Error(`${path} was not parsed: ${outcome?.detail}`);
  return outcome;
}

describe('the exact pass over a fixture', () => {
  test.each(fixtures)('$path reads sensibly', async ({ path, text, language }) => {
    await expect(renderParsed(language, text, parsed(path))).toMatchFileSnapshot(
      `__snapshots__/languages/${path}.txt`,
    );
  });

  test.each(fixtures)('$path: every range lies in the file and names stand in it', ({ path, text }) => {
    const lines = text.split('\n').length;
    for (const { startLine, endLine, name, signature } of parsed(path).definitions) {
      expect(startLine).toBeGreaterThanOrEqual(1);
      expect(endLine).toBeGreaterThanOrEqual(startLine);
      expect(endLine).toBeLessThanOrEqual(lines);
      expect(name).not.toBe('');
      expect(signature.length).toBeLessThanOrEqual(200);
    }
  });
});

test('what is found does not depend on what was read before', async () => {
  const limits = { children: 1 };
  const reversed = await parseAll({ absChildModule: child.absPath, limits }, fixtures.toReversed());
  for (const { path } of fixtures) expect(reversed.get(path)).toEqual(outcomes.get(path));
});

test('at least 24 languages are parsed, and each of them has a fixture', () => {
  const covered = new Set(fixtures.map(({ language }) => language));
  expect(
    Object.keys(LANGUAGES).filter(
      (language) => isParsable(language) && ![...covered].some((id) => id === language),
    ),
  ).toEqual([]);
  expect(covered.size).toBeGreaterThanOrEqual(24);
});
