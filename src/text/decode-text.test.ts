import { expect, test } from 'vitest';
import { decodeText, splitLines } from './decode-text.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

function utf16(text: string, order: 'le' | 'be', mark: 'marked' | 'bare'): Uint8Array {
  const all = (mark === 'marked' ? '\ufeff' : '') + text;
  const units = Array.from({ length: all.length }, (_, at) => all.charCodeAt(at));
  return Uint8Array.from(
    units.flatMap((unit) => (order === 'le' ? [unit & 255, unit >> 8] : [unit >> 8, unit & 255])),
  );
}

const TEXT = 'const größe = "東京 🙂";\nreturn 1;\n';

test.each([
  ['UTF-8', utf8(TEXT), 'utf-8'],
  ['UTF-8 with a byte order mark', utf8(`\ufeff${TEXT}`), 'utf-8'],
  ['UTF-16 LE with a mark', utf16(TEXT, 'le', 'marked'), 'utf-16le'],
  ['UTF-16 BE with a mark', utf16(TEXT, 'be', 'marked'), 'utf-16be'],
  ['UTF-16 LE without a mark', utf16(TEXT, 'le', 'bare'), 'utf-16le'],
  ['UTF-16 BE without a mark', utf16(TEXT, 'be', 'bare'), 'utf-16be'],
])('reads %s', (_what, bytes, encoding) => {
  expect(decodeText(bytes)).toMatchObject({ text: TEXT, encoding, lossy: false });
});

test('reads what is no UTF-8 as windows-1252, quotes and all', () => {
  const bytes = Uint8Array.from([0x67, 0x72, 0xf6, 0xdf, 0x65, 0x20, 0x93, 0x80, 0x94, 0x0a]);

  expect(decodeText(bytes)).toMatchObject({ text: 'größe “€”\n', encoding: 'windows-1252', lossy: false });
});

test('stays with UTF-8 when only a few bytes of it are broken', () => {
  const bytes = Uint8Array.from([...utf8('äöü ßßß 東京 '), 0xff, ...utf8(' ä\n')]);

  expect(decodeText(bytes)).toMatchObject({
    text: 'äöü ßßß 東京 \ufffd ä\n',
    encoding: 'utf-8',
    lossy: true,
  });
});

test('takes a replacement character that the file itself holds for what it is', () => {
  expect(decodeText(utf8('a \ufffd b')).lossy).toBe(false);
});

test('replaces NULs and halves of surrogate pairs', () => {
  expect(decodeText(utf8('a\0b'))).toMatchObject({ text: 'a\ufffdb', lossy: true });
  expect(decodeText(utf16('a\ud800b', 'le', 'marked'))).toMatchObject({ text: 'a\ufffdb', lossy: true });
  expect(decodeText(Uint8Array.from([0x61, 0xed, 0xa0, 0x80, 0x62])).text).not.toMatch(/\p{Cs}/u);
});

test('makes every line break one character, so that lines keep their numbers', () => {
  expect(decodeText(utf8('a\r\nb\rc\nd\r\r\ne')).text).toBe('a\nb\nc\nd\n\ne');
});

test('keeps a very long line and says how long it is', () => {
  const decoded = decodeText(utf8(`a\n${'x'.repeat(100_000)}\nb`));

  expect(decoded.longestLine).toBe(100_000);
  expect(decoded.text.length).toBe(100_004);
});

test('has an answer for any bytes, and the same one for its own text', () => {
  let state = 7;
  for (let round = 0; round < 300; round++) {
    const bytes = Uint8Array.from({ length: round }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return state >>> 24;
    });
    const { text } = decodeText(bytes);

    expect(text).not.toMatch(/[\0\r]|\p{Cs}/u);
    expect(decodeText(utf8(text)).text).toBe(text);
  }
});

test('reads nothing as empty text', () => {
  expect(decodeText(new Uint8Array())).toEqual({ text: '', encoding: 'utf-8', lossy: false, longestLine: 0 });
});

test('splits lines at every kind of break', () => {
  expect(splitLines('a\nb\r\nc\rd')).toEqual(['a', 'b', 'c', 'd']);
  expect(splitLines('a\n\nb\n')).toEqual(['a', '', 'b']);
  expect(splitLines('')).toEqual([]);
});
