import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { renderJsonSchema, renderReference, SETTINGS, toJsonSchema } from '../../src/config/index.ts';

const readReference = (name: string): string =>
  readFileSync(new URL(`../../docs/reference/${name}`, import.meta.url), 'utf8');

test.each([
  ['config.md', renderReference()],
  ['config.schema.json', renderJsonSchema(toJsonSchema('user'))],
  ['project-config.schema.json', renderJsonSchema(toJsonSchema('project'))],
])('docs/reference/%s is up to date', (name, text) => {
  expect(readReference(name), 'docs/reference is stale: run npm run reference').toBe(text);
});

test.each(SETTINGS)('the page and the user schema have $key', ({ key, flag, env, places, description }) => {
  const page = renderReference();
  const wanted = [`### ${key}\n`, env, description, ...(places.length === 0 ? [] : [flag])];

  expect(wanted.filter((part) => !page.includes(part))).toEqual([]);
  expect(toJsonSchema('user')['properties']).toHaveProperty(key);
});

test('the project schema has only what a repository may set', () => {
  expect(Object.keys(toJsonSchema('project')['properties'] ?? {})).toEqual([
    '$schema',
    'include',
    'exclude',
    'languages',
    'guides',
  ]);
});

describe('the pattern for confined paths', () => {
  const [, source = ''] = /"pattern": (".*")/.exec(renderJsonSchema(toJsonSchema('project'))) ?? [];
  const pattern = new RegExp(String(JSON.parse(source)));

  test.each(['a', './a', 'a/b..c', '..a', 'a/..b', '!a', 'a/*.{ts,js}'])('allows %j', (path) => {
    expect(path).toMatch(pattern);
  });

  test.each([
    '..',
    '../a',
    'a/..',
    'a/../b',
    'a\\..\\b',
    '{..,a}',
    '!../a',
    '/a',
    '!/a',
    '\\a',
    '~/a',
    'C:a',
  ])('refuses %j', (path) => {
    expect(path).not.toMatch(pattern);
  });
});
