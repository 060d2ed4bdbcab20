/** What the index knows of a file saves work when it is shown, and never shows what must not be seen. */
import { expect, test } from 'vitest';
import { createAnalyzer, createSourceReader, type ShownText } from '../../src/indexing/index.ts';
import { systemClock } from '../../src/platform/index.ts';
import { tempFolder } from '../support/temp-folder.ts';

const PLAIN = 'export function add(a, b) {\n  return a + b; // größer als π\n}\n';
// Put together here, so that no scanner takes this file for a leak.
const SECRET = `const key = '${['ghp', 'q8ZrT2mVx5LpW9nYc3KdJ7sHb1GfE4uAo6Qi'].join('_')}';\n`;

function plainBy(text: string): number | undefined {
  const analyzer = createAnalyzer(undefined);
  const opened = analyzer.open('src/a.js', Buffer.from(text), { languages: [] });
  return opened.kind === 'text' ? analyzer.rows(opened.file, []).plainBy : undefined;
}

function show(text: string, plain: number, hash?: string): ShownText | undefined {
  const folder = tempFolder({ 'src/a.js': text });
  const reader = createSourceReader(systemClock);
  const first = reader.read(folder.path, 'src/a.js');
  return createSourceReader(systemClock).read(folder.path, 'src/a.js', {
    hash: hash ?? first?.hash ?? '',
    plainBy: plain,
  });
}

test('a text is plain where its bytes are what is shown', () => {
  expect(plainBy(PLAIN)).toBeGreaterThan(0);
  for (const other of [PLAIN + SECRET, PLAIN.replaceAll('\n', '\r\n'), `\ufeff${PLAIN}`])
    expect(plainBy(other)).toBe(0);
});

test('a plain file is shown as one that is looked at anew', () => {
  const plain = plainBy(PLAIN) ?? 0;

  expect(show(PLAIN, plain)).toEqual(show(PLAIN, 0));
  expect(show(PLAIN, plain)?.lines.text).toBe(PLAIN.trimEnd());
});

test('a file that is not the indexed one, or was judged by other rules, loses its secrets when it is shown', () => {
  const plain = plainBy(PLAIN) ?? 0;
  const shown = [show(SECRET, plain, 'of other bytes'), show(SECRET, plain + 1), show(SECRET, 0)];

  for (const one of shown) expect(one?.lines.text).toMatch(/^const key = '\[redacted:[^\]]+\]';$/);
});
