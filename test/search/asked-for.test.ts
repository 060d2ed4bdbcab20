/** What is asked for in so many words is what is shown first: a rare word, quoted text, a kind, a path as it is written. */
import { expect, test } from 'vitest';
import { connect, hitsOf, pathsOf } from '../support/search-client.ts';
import { tempFolder } from '../support/temp-folder.ts';

const STDIO = 'stdio, version 2, modern';
const GIT = { '.git/HEAD': 'ref: refs/heads/main\n' };

const page = (name: string): string =>
  `export function ${name}(request: Request) {\n  return render(request.url);\n}\n`;

test('a word that few files hold: those stand first, tests too, and the answer says why', async () => {
  const project = tempFolder({
    ...GIT,
    ...Object.fromEntries(
      ['clock', 'zones', 'dates', 'calendar', 'times'].map((name) => [
        `src/${name}.py`,
        `def ${name}(): pass\n`,
      ]),
    ),
    'tests/test_dates.py': 'def test_zone():\n    when = now()\n    assert when.astimezone(utc) == when\n',
    'tests/test_big.py': 'def bigClock():\n    return 1\n',
  });
  const client = await connect(STDIO, { cwd: project.path });

  const word = await client.call('search_code', { query: 'astimezone' });
  const name = await client.call('search_code', { query: 'bigClock' });

  expect(hitsOf(word)[0]).toMatchObject({
    path: 'tests/test_dates.py',
    why: expect.arrayContaining(['one of the few files that hold the word']),
  });
  expect(word.text).toContain('astimezone(utc)');
  expect(pathsOf(name)[0]).toBe('tests/test_big.py');
});

test('a quoted message that stands in the middle of words of many files: the file that spells it is not missed', async () => {
  const others = Array.from({ length: 1_100 }, (_, at): [string, string] => [
    `a${at}.py`,
    `show('handsome error messages ${at}')\n`,
  ]);
  const project = tempFolder({
    ...GIT,
    ...Object.fromEntries(others),
    'z/raised.py': "def check():\n    raise ValueError('some error message')\n",
  });
  const client = await connect(STDIO, { cwd: project.path });

  const answer = await client.call('search_code', { query: '"some error message"' });

  expect(pathsOf(answer)[0]).toBe('z/raised.py');
});

test('quoted text that many files hold: the file that defines it is not missed', async () => {
  const callers = Array.from({ length: 1_100 }, (_, at): [string, string] => [
    `a${at}.py`,
    `connect_database()\n`,
  ]);
  const project = tempFolder({
    ...GIT,
    ...Object.fromEntries(callers),
    'zz_core.py': 'def connect_database():\n    return 1\n',
  });
  const client = await connect(STDIO, { cwd: project.path });

  const found = await client.call('search_code', { query: '"connect_database"', limit: 5 });

  expect(pathsOf(found)[0]).toBe('zz_core.py');
  expect(found.text).toContain('not every file was looked at');
});

test('quoted text may have several lines, and is shown from the first of them', async () => {
  const project = tempFolder({ ...GIT, 'src/a.py': 'x = 1\ndef render(\n    template,\n):\n    pass\n' });
  const client = await connect(STDIO, { cwd: project.path });

  const found = await client.call('search_code', {
    query: '"def render(\n    template"',
    detail: 'locations',
  });
  const other = await client.call('search_code', { query: '"def render(\n  template"' });
  const long = await client.call('search_code', { query: `"${'render '.repeat(400)}"` });

  expect(hitsOf(found)).toMatchObject([{ path: 'src/a.py', start_line: 2 }]);
  expect(pathsOf(other)).toEqual([]);
  // Too long to be quoted: pasted, and searched by its words.
  expect(new Set(pathsOf(long))).toEqual(new Set(['src/a.py']));
});

test('a kind that is asked for is what is shown', async () => {
  const project = tempFolder({
    ...GIT,
    'src/errors.py':
      'def split_path(name):\n    return render(name)\n\n\nclass Collector:\n    """Gathers errors."""\n    def add(self):\n        pass\n',
  });
  const client = await connect(STDIO, { cwd: project.path });

  const shown = await client.call('search_code', { query: 'render kind:class' });
  const place = await client.call('search_code', { query: 'render kind:class', detail: 'locations' });

  for (const found of [shown, place])
    expect(hitsOf(found)[0]).toMatchObject({ symbol: 'Collector', start_line: 5 });
  expect(place.text).toContain('5\tclass Collector:');
});

test('a place without a definition that matches is the line that does, inside of what holds it', async () => {
  const rows = (name: string): string =>
    Array.from({ length: 12 }, (_, at) => `${name}${at} = ${at}`).join('\n');
  const project = tempFolder({
    ...GIT,
    'pyproject.toml': `[tool.mypy]\n${rows('a')}\n\n[tool.codespell]\n${rows('b')}\nignored_words = "te"\n`,
    'src/long.py': `class Long:\n${'    x = 1\n'.repeat(400)}`,
  });
  const client = await connect(STDIO, { cwd: project.path });

  const word = await client.call('search_code', { query: 'ignored words', detail: 'locations' });
  const long = await client.call('search_code', { query: 'Long', detail: 'locations' });

  expect(word.text).toContain('pyproject.toml:28-28  tool.codespell (section)\n28\tignored_words = "te"');
  expect(long.text).toContain('src/long.py:1-401  Long (class)\n1\tclass Long:');
});

test('a path with brackets is meant as it is written', async () => {
  const project = tempFolder({
    ...GIT,
    'app/[slug]/page.tsx': page('PageSlug'),
    'app/other/page.tsx': page('PageOther'),
  });
  const client = await connect(STDIO, { cwd: project.path });
  const find = async (filter: string): Promise<readonly string[]> =>
    pathsOf(await client.call('search_code', { query: `render ${filter}` })).toSorted();

  expect(await find('path:app/[slug]/page.tsx')).toEqual(['app/[slug]/page.tsx']);
  expect(await find('-path:app/[slug]')).toEqual(['app/other/page.tsx']);
  expect(await find('path:app/[slug]/**')).toEqual(['app/[slug]/page.tsx']);
  expect(await find('path:app/[a-z]*/**')).toEqual(['app/other/page.tsx']);
});

test('filters that leave no file are said to; empty texts are no filters', async () => {
  const project = tempFolder({ ...GIT, 'src/a.ts': page('one'), 'src/b.ts': page('two') });
  const client = await connect(STDIO, { cwd: project.path });

  const none = await client.call('search_code', { query: 'render path:nowhere/**' });
  const near = await client.call('search_code', { query: 'template path:src/a.ts' });
  const empty = await client.call('search_code', {
    query: 'render',
    path: [''],
    lang: [''],
    symbol: [''],
    similar_to: '',
  });

  expect(none.text).toContain('the filters leave none of 2 files');
  expect(near.text).toContain('Nothing that passes the filters is about that.');
  expect(pathsOf(empty)).toHaveLength(2);
});
