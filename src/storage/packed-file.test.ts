import { expect, test } from 'vitest';
import type { Definition } from '../core/index.ts';
import { Outline, packText, renderOutline, unpackText } from './packed-file.ts';

const DEFINITIONS: readonly Definition[] = [
  {
    name: 'Till',
    kind: 'class',
    container: undefined,
    signature: 'class Till {',
    doc: 'Counts\nmoney "now" \u2028.',
    startLine: 3,
    endLine: 40,
  },
  {
    name: 'open',
    kind: 'method',
    container: 'Till',
    signature: '  open(): void {',
    doc: undefined,
    startLine: 5,
    endLine: 9,
    visibility: 'private',
  },
  {
    name: 'x',
    kind: 'function',
    container: undefined,
    signature: 'x()',
    doc: undefined,
    startLine: 50,
    endLine: 50,
  },
];

test('what is kept is what was defined', () => {
  expect(new Outline(renderOutline(DEFINITIONS)).all()).toEqual(DEFINITIONS);
  expect(renderOutline([])).toBeUndefined();
  expect(new Outline(undefined).all()).toEqual([]);
});

test.each([
  [1, 2, []],
  [1, 3, ['Till']],
  [9, 12, ['Till', 'open']],
  [10, 49, ['Till']],
  [41, 49, []],
  [40, 50, ['Till', 'x']],
  [51, 99, []],
])('from line %i to %i: %j', (startLine, endLine, names) => {
  const found = new Outline(renderOutline(DEFINITIONS)).touching({ startLine, endLine });
  expect(found.map(({ name }) => name)).toEqual(names);
  expect(found.map(({ kind, container, signature, doc }) => ({ kind, container, signature, doc }))).toEqual(
    found
      .map((one) => one.whole())
      .map(({ kind, container, signature, doc }) => ({ kind, container, signature, doc })),
  );
  expect(found.map((one) => one.whole())).toEqual(DEFINITIONS.filter(({ name }) => names.includes(name)));
});

test.each([
  'x',
  '1 2',
  '1 2 {',
  '1 2 {}',
  '1 2 ["a"]',
  '1 2 ["a",99,"s"]',
  '-1 x ["a",1,"s"]',
  '1 -2 ["a",1,"s"]',
])('what is not an outline, %j, is damage that says what to do', (kept) => {
  expect(() => new Outline(kept).all()).toThrow(
    expect.objectContaining({ code: 'storage_damaged', hint: expect.stringContaining('waymark index') }),
  );
});

test('a text is kept in a third of its bytes; one that is damaged or cut says so', () => {
  const text = Array.from(
    { length: 40 },
    (_, line) => `${line} 2 ["méthode${line}",3,"open(): void {"]`,
  ).join('\n');
  const packed = packText(text);

  expect(unpackText(packed)).toBe(text);
  expect(unpackText(packText(''))).toBe('');
  expect(packed.length).toBeLessThan(Buffer.byteLength(text) / 3);
  expect(() => unpackText(packed.subarray(0, packed.length / 2))).toThrow('A row of the index is cut.');
  expect(() => unpackText(Buffer.from('no deflated text'))).toThrow('A row of the index is cut.');
});
