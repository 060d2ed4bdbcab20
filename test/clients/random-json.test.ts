/** Unexpected files: random JSON with comments and commas in odd places takes an entry and gives it back. */
import { parse as parseJsonc, parseTree, type Node, type ParseError } from 'jsonc-parser';
import { expect, test } from 'vitest';
import { dropEntry, putEntry, type DocumentPlace, type Entry } from '../../src/clients/index.ts';
import { parseJsonc as ownTree } from '../../src/text/index.ts';
import { createRandom } from '../support/random.ts';

const ENTRY: Entry = { command: '/usr/bin/node', args: ['a', 'mcp'], env: { A: 'b' } };
const PLACE: DocumentPlace = { format: 'json', path: ['mcpServers', 'waymark'], file: 'file' };

/** A document of nested objects, written as no formatter would. */
function randomDocument(pick: (most: number) => number): string {
  const endOfLine = pick(4) === 0 ? '\r\n' : '\n';
  const gap = (): string =>
    [
      '',
      ' ',
      '\t',
      endOfLine,
      `${endOfLine}  `,
      ` // "x": {,}${endOfLine}`,
      ' /* } */ ',
      `${endOfLine}/* a${endOfLine} b */${endOfLine}`,
    ][pick(8)] ?? '';
  const value = (depth: number): string => {
    const kind = pick(depth > 3 ? 3 : 5);
    if (kind === 0) return '"te\\"xt // no"';
    if (kind === 1) return '-1.5e3';
    if (kind === 2) return 'null';
    if (kind === 3) return `[${gap()}${value(depth + 1)}${gap()}${pick(2) === 0 ? `,${gap()}` : ''}]`;
    return object(depth + 1, false);
  };
  const object = (depth: number, withServers: boolean): string => {
    const keys = Array.from({ length: pick(4) }, (_, index) => `"k${index}"`);
    const members = keys.map((key) => `${key}${gap()}:${gap()}${value(depth)}`);
    if (withServers) members.splice(pick(members.length + 1), 0, `"mcpServers":${gap()}${object(1, false)}`);
    const trailing = members.length > 0 && pick(3) === 0 ? `,${gap()}` : '';
    return `{${gap()}${members.map((member) => `${gap()}${member}${gap()}`).join(',')}${trailing}}`;
  };
  return `${pick(5) === 0 ? '\uFEFF' : ''}${gap()}${object(0, pick(3) > 0)}${gap()}`;
}

function parse(text: string): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parseJsonc(text.replace(/^\uFEFF/, ''), errors, { allowTrailingComma: true });
  if (errors.length > 0) throw new Error(`not JSON: ${text}`);
  return value;
}

const bare = (text: string): string => text.replaceAll(/\s/g, '');

test('2,000 random documents take the entry and give it back', () => {
  const random = createRandom(8);
  const pick = (most: number): number => random.below(most);
  for (let round = 0; round < 2_000; round++) {
    const text = randomDocument(pick);
    const before = parse(text);

    const { text: after, added } = putEntry(text, PLACE, ENTRY);
    const left = dropEntry(after, PLACE, added);

    expect(parse(after)).toMatchObject({ mcpServers: { waymark: ENTRY } });
    // Every comment, comma and value is there again; only white space in emptied braces may differ.
    expect(bare(left)).toBe(bare(text));
    expect(parse(left)).toEqual(before);
  }
});

interface Part {
  readonly type: string;
  readonly at: readonly [number, number];
  readonly value: unknown;
  readonly parts: readonly Part[];
}

const partsOf = ({ type, offset, length, value, children = [] }: Node): Part => ({
  type,
  at: [offset, length],
  value,
  parts: children.map(partsOf),
});

test('the tree of 500 random documents is that of the library, which reads the text once more', () => {
  const random = createRandom(9);
  for (let round = 0; round < 500; round++) {
    const text = randomDocument((most) => random.below(most)).replace(/^\uFEFF/, '');
    const known = parseTree(text, [], { allowTrailingComma: true });

    const tree = ownTree(text, 32);

    expect(tree.kind === 'tree' && partsOf(tree.root)).toEqual(known && partsOf(known));
  }
});

test.each([
  { format: 'json', size: '8 MB', text: `{"a":"${'x'.repeat(8_000_000)}"}` },
  { format: 'yaml', size: '64 KB', text: `a: ${'x'.repeat(64_000)}\n` },
  { format: 'block', size: '1 MB', text: 'b\r\n'.repeat(340_000) },
] as const)(
  'a $format file over $size is not edited, and the user is told how to do it',
  ({ format, text }) => {
    expect(() => putEntry(text, { ...PLACE, format }, ENTRY)).toThrowError(
      expect.objectContaining({
        code: 'bad_config',
        message: 'file is too large to be edited.',
        hint: expect.stringContaining('waymark setup --print'),
      }),
    );
  },
);
