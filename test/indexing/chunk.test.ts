/** What holds for the chunks of any text, and how they are cut where it shows. */
import { describe, expect, test } from 'vitest';
import type { Chunk, Definition } from '../../src/core/index.ts';
import { chunkFile, CHUNK_LIMITS } from '../../src/indexing/index.ts';
import { LANGUAGES, outline, type LanguageId } from '../../src/languages/index.ts';
import { createRandom, type Random } from '../support/random.ts';

// Object.keys forgets the key type; the keys are exactly those of the table.
const LANGUAGE_IDS = Object.keys(LANGUAGES) as LanguageId[];

/** Every line that is not blank is in exactly one chunk, in order; edges are not blank; the text is the lines. */
function expectCovered(lines: readonly string[], chunks: readonly Chunk[]): void {
  let line = 1;
  for (const { startLine, endLine, text } of chunks) {
    for (; line < startLine; line++)
      if (isText(lines[line - 1])) throw new Error(`line ${line} is in no chunk`);
    if (startLine < line) throw new Error(`line ${startLine} is in two chunks`);
    if (!isText(lines[startLine - 1]) || !isText(lines[endLine - 1]))
      throw new Error(`blank edge at ${startLine}`);
    const whole = lines.slice(startLine - 1, endLine);
    const isShort = whole.every((each) => each.length <= CHUNK_LIMITS.longLineChars);
    if (isShort && text !== whole.join('\n')) throw new Error(`the text of ${startLine} is not its lines`);
    line = endLine + 1;
  }
  for (; line <= lines.length; line++)
    if (isText(lines[line - 1])) throw new Error(`line ${line} is in no chunk`);
}

function isText(line: string | undefined): boolean {
  return line !== undefined && /[^\s\p{Cc}]/u.test(line);
}

function expectSmall(lines: readonly string[], chunks: readonly Chunk[]): void {
  for (const { startLine, endLine, text } of chunks) {
    if (startLine === endLine) continue;
    expect(endLine - startLine + 1, `lines of ${startLine}`).toBeLessThanOrEqual(CHUNK_LIMITS.wholeLines + 4);
    expect(text.length, `characters of ${startLine} of ${lines.length}`).toBeLessThanOrEqual(
      CHUNK_LIMITS.wholeChars + 40,
    );
  }
}

const WORDS =
  '{ } ( ) [ ] ; , : = => -> :: end do def class fn func function struct enum type module impl let const var if else # ## // /* */ -- """ \' " ` ${ <<EOF EOF <script> </script> @dec #[x] template<T> public static void int name Name other x1 é 漢字 | < > \\ create table as from begin'.split(
    ' ',
  );

function randomLine(random: Random): string {
  const kind = random.below(20);
  if (kind < 4) return '';
  if (kind === 4) return ' '.repeat(random.below(6));
  if (kind === 5 && random.below(20) === 0) return 'x'.repeat(random.below(6_000));
  const indent = random.below(3) === 0 ? '\t'.repeat(random.below(4)) : ' '.repeat(random.below(5) * 2);
  const words = Array.from({ length: 1 + random.below(9) }, () => WORDS[random.below(WORDS.length)] ?? '');
  return indent + words.join(random.below(3) === 0 ? '' : ' ');
}

describe('chunks of anything', () => {
  test('cover every line once, in order, in every language, for random texts', () => {
    const random = createRandom(20_240_517);
    for (let round = 0; round < 600; round++) {
      const language = LANGUAGE_IDS[round % LANGUAGE_IDS.length];
      const lines = Array.from({ length: random.below(160) }, () => randomLine(random));
      const definitions = outline(language, lines);
      for (const { startLine, endLine, name, signature } of definitions) {
        expect(startLine).toBeGreaterThanOrEqual(1);
        expect(endLine).toBeGreaterThanOrEqual(startLine);
        expect(endLine).toBeLessThanOrEqual(lines.length);
        expect(name).not.toBe('');
        expect(signature.length).toBeLessThanOrEqual(200);
      }
      const chunks = chunkFile(lines, definitions);
      expectCovered(lines, chunks);
      expectSmall(lines, chunks);
      expect(chunkFile([...lines], outline(language, [...lines]))).toEqual(chunks);
    }
  });

  test('cover every line once whatever the definitions claim', () => {
    const random = createRandom(7);
    for (let round = 0; round < 200; round++) {
      const lines = Array.from({ length: 1 + random.below(200) }, () => randomLine(random));
      const definitions = Array.from({ length: random.below(30) }, (): Definition => {
        const startLine = 1 + random.below(lines.length);
        const endLine = startLine + random.below(lines.length - startLine + 1);
        return {
          name: 'x',
          kind: 'function',
          container: undefined,
          signature: 'x',
          doc: undefined,
          startLine,
          endLine,
        };
      }).sort((a, b) => a.startLine - b.startLine || b.endLine - a.endLine);
      expectCovered(lines, chunkFile(lines, definitions));
    }
  });

  test.each([[[]], [['']], [['', '  ', '\t']]])('are none for %j', (lines) => {
    expect(chunkFile(lines, [])).toEqual([]);
    for (const language of LANGUAGE_IDS) expect(outline(language, lines)).toEqual([]);
  });
});

describe('extreme files', () => {
  const deep = 10_000;
  const extremes: readonly (readonly [string, readonly string[]])[] = [
    ['12,000 lines', Array.from({ length: 12_000 }, (_, at) => (at % 9 === 0 ? '' : `  line ${at} {}`))],
    ['12,000 functions', Array.from({ length: 12_000 }, (_, at) => `function f${at}() { return ${at}; }`)],
    ['one line of 5 MB', ['{("/*'.repeat(1_000_000)]],
    ['5 MB of one open comment', ['/* {- (* <!--', '*/-}*)-->{'.repeat(500_000), 'class After {', '}']],
    [
      'blocks 10,000 deep',
      [...Array.from({ length: deep }, () => '{'), ...Array.from({ length: deep }, () => '}')],
    ],
    [
      'classes 10,000 deep',
      [
        ...Array.from({ length: deep }, (_, at) => `class C${at} {`),
        ...Array.from({ length: deep }, () => '}'),
      ],
    ],
    ['indents 500 deep', Array.from({ length: 2_000 }, (_, at) => `${' '.repeat(at % 500)}def f${at}():`)],
    ['headings', Array.from({ length: 20_000 }, (_, at) => `${'#'.repeat(1 + (at % 6))} heading ${at}`)],
    ['lines of 1,999 spaces', Array.from({ length: 150 }, () => `${' '.repeat(1_998)}x`)],
    ['lines of angles', Array.from({ length: 500 }, () => `impl${'<'.repeat(990)}${'>'.repeat(990)} x`)],
    ['lines of words', Array.from({ length: 500 }, () => 'static final '.repeat(150))],
    ['lines of regex starts', Array.from({ length: 60 }, () => '=/['.repeat(650))],
  ];

  test.each(extremes)(
    '%s: end, and cover every line',
    (_, lines) => {
      for (const language of LANGUAGE_IDS) {
        const startedAt = process.cpuUsage();
        const definitions = outline(language, lines);
        const chunks = chunkFile(lines, definitions);
        // A bomb takes minutes; a busy machine does not make seconds of milliseconds.
        expect({ language, slow: process.cpuUsage(startedAt).user > 10_000_000 }).toEqual({
          language,
          slow: false,
        });
        expectCovered(lines, chunks);
      }
    },
    120_000,
  );
});

describe('a chunk', () => {
  test('of a line that is too long holds that line alone, shortened, and says so', () => {
    const lines = ['const a = 1;', `const data = "${'😀'.repeat(3_000)}";`, 'const b = 2;'];
    const chunks = chunkFile(lines, outline('javascript', lines));
    expect(chunks.map(({ startLine, endLine }) => [startLine, endLine])).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
    ]);
    const text = chunks[1]?.text ?? '';
    expect(text).toMatch(/ … \[\d+ more characters on this line\]$/);
    expect(text.length).toBeLessThan(CHUNK_LIMITS.longLineChars + 60);
    expect(() => encodeURIComponent(text)).not.toThrow();
  });

  test('keeps a definition whole with its comment and decorators', () => {
    const body = Array.from({ length: 30 }, (_, at) => `        self.value_${at} = ${at}`);
    const lines = [
      'import os',
      '',
      ...body.map((line) => line.trim()),
      '',
      '# Says why.',
      '@cached',
      'def f(self):',
      ...body,
    ];
    const chunks = chunkFile(lines, outline('python', lines));
    expect(
      chunks.some((chunk) => chunk.text.startsWith('# Says why.') && chunk.text.endsWith('value_29 = 29')),
    ).toBe(true);
  });

  test('of a long definition is cut where a reader would', () => {
    const method = (name: string): string[] => [
      `  ${name}() {`,
      ...Array.from({ length: 80 }, (_, at) =>
        at % 10 === 9 ? '' : `    this.step(${at}, 'some text to fill the line');`,
      ),
      '  }',
    ];
    const lines = ['class Worker {', ...method('first'), ...method('second'), '}'];
    const definitions = outline('typescript', lines);
    const chunks = chunkFile(lines, definitions);
    expect(chunks.length).toBeGreaterThan(4);
    for (const chunk of chunks.slice(1)) {
      const above = lines[chunk.startLine - 2] ?? '';
      expect(above === '' || above === '  }').toBe(true);
    }
  });
});
