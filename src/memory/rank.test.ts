import { expect, test } from 'vitest';
import type { MemoryEntry } from '../storage/index.ts';
import { rankEntries, type Candidate, type Question } from './rank.ts';
import { queryWords } from './entry-keys.ts';

const DAY = 24 * 3600 * 1000;
const NOW = 1_000 * DAY;

function entry(id: string, more: Partial<MemoryEntry> = {}): MemoryEntry {
  return {
    id,
    kind: 'checkpoint',
    name: '',
    summary: '',
    content: '',
    tags: [],
    fields: {},
    metadata: {},
    files: [],
    flags: [],
    confidence: 0.5,
    tokens: 0,
    provenance: { origin: 'agent', client: 'c', tool: 't', user: 'u', project: '/p' },
    createdAt: NOW,
    updatedAt: NOW,
    version: 1,
    ...more,
  };
}

function rank(text: string, candidates: readonly Candidate[], more: Partial<Question> = {}) {
  const words = queryWords(text);
  const weights = new Map(words.map((word) => [word, 1]));
  return rankEntries({ text, words, weights, now: NOW, ...more }, candidates);
}

const ids = (ranked: ReturnType<typeof rank>): readonly string[] => ranked.map(({ entry: { id } }) => id);
const fix = (id: string, error: string, more: Partial<MemoryEntry> = {}): Candidate => ({
  entry: entry(id, { kind: 'remediation', fields: { error }, ...more }),
});

test('the same error with other paths and numbers comes before one that shares more words', () => {
  const asked = "ENOENT: no such file or directory, open '/srv/a.json'";

  const ranked = rank(asked, [
    { entry: entry('words', { content: 'ENOENT no such file or directory open srv json' }) },
    fix('same', "ENOENT: no such file or directory, open '/home/x/b.json'"),
  ]);

  expect(ids(ranked)).toEqual(['same', 'words']);
  expect(ranked[0]?.reasons[0]).toBe('same error');
});

test('words in the title count more than words in the text', () => {
  const ranked = rank('upload retries', [
    { entry: entry('text', { content: 'upload retries' }) },
    { entry: entry('title', { name: 'upload retries' }) },
  ]);

  expect(ids(ranked)).toEqual(['title', 'text']);
  expect(ranked[0]?.reasons).toContain('words: upload, retry');
});

test('meaning finds what shares no word, and what has nothing to do with the question is left out', () => {
  const ranked = rank('payment', [
    { entry: entry('near', { content: 'billing' }), cosine: 0.6 },
    { entry: entry('far', { content: 'fonts' }), cosine: 0.05 },
  ]);

  expect(ids(ranked)).toEqual(['near']);
  expect(ranked[0]?.reasons).toContain('similar meaning');
});

test.each([
  [
    'age',
    entry('less', { content: 'retry', updatedAt: NOW - 300 * DAY }),
    entry('more', { content: 'retry' }),
    {},
  ],
  [
    'branch',
    entry('less', { content: 'retry' }),
    entry('more', { content: 'retry', provenance: { ...entry('x').provenance, branch: 'main' } }),
    { branch: 'main' },
  ],
  [
    'files',
    entry('less', { content: 'retry src/a.ts' }),
    entry('more', { content: 'retry', files: [{ path: 'src/a.ts' }] }),
    { files: ['src/a.ts'] },
  ],
  [
    'what helped before',
    entry('less', { kind: 'remediation', content: 'retry', confidence: 0.1 }),
    entry('more', { kind: 'remediation', content: 'retry', confidence: 0.9 }),
    {},
  ],
] as const)('%s decides between equals', (_what, less, more, question) => {
  expect(ids(rank('retry', [{ entry: less }, { entry: more }], question))).toEqual(['more', 'less']);
});

test('frames of the stack count, and their place does not', () => {
  const stack = (line: number): string => `Error\n    at Pool.connect (/srv/pool.js:${line}:2)`;
  const error = 'Error: cannot get a connection';

  const [first] = rank(error, [fix('a', error, { fields: { error, stack: stack(9) } })], { stack: stack(1) });

  expect(first?.reasons).toContain('shared stack frames');
});
