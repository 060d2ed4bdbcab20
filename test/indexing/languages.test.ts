/** Every language's fixture, its definitions and its chunks, as files to be read: they are the specification. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { languageOf, LANGUAGES, outline } from '../../src/languages/index.ts';
import { renderOutline } from './render-outline.ts';

const FIXTURES = join(import.meta.dirname, '..', 'fixtures', 'languages');
const names = readdirSync(FIXTURES).sort();
const fixtures = names.map((name) => {
  const text = readFileSync(join(FIXTURES, name), 'utf8');
  return { name, text, language: languageOf(name, text.slice(0, text.indexOf('\n'))) };
});

describe('the outline of a fixture', () => {
  test.each(fixtures)('$name reads sensibly', async ({ name, text, language }) => {
    await expect(renderOutline(language, text)).toMatchFileSnapshot(`__snapshots__/languages/${name}.txt`);
  });

  test.each(fixtures)('$name: every range lies in the file and holds its signature', ({ text, language }) => {
    const lines = text.split('\n');
    for (const { startLine, endLine, name, signature } of outline(language, lines)) {
      expect(startLine).toBeGreaterThanOrEqual(1);
      expect(endLine).toBeGreaterThanOrEqual(startLine);
      expect(endLine).toBeLessThanOrEqual(lines.length);
      expect(name).not.toBe('');
      expect(lines.slice(startLine - 1, endLine).join('\n')).toContain(signature.split(/[\s(]/, 1)[0] ?? '');
    }
  });
});

test('every language with an outliner has a fixture', () => {
  const covered = new Set(fixtures.map((fixture) => fixture.language));
  const without = Object.keys(LANGUAGES).filter((id) => ![...covered].some((language) => language === id));
  expect(without).toEqual(['xml', 'text']);
});
