/** How answers of search_code read: every match listed, nothing near, and the structured form beside the text. */
import { expect, test } from 'vitest';
import { connect, cursorOf, hitsOf } from '../support/search-client.ts';
import { searchShop } from '../support/search-shop.ts';
import { tempFolder } from '../support/temp-folder.ts';

const STDIO = 'stdio, version 2, modern';

test('locations list every line that matches exact text or an expression, page by page, and say how many there are', async () => {
  const rows = Array.from({ length: 2_300 }, (_, at) => `\tgiraffe(${at});`);
  const project = tempFolder({
    '.git/HEAD': 'x',
    'src/far.ts': rows.join('\n'),
    'src/few.ts': 'giraffe();\n',
  });
  const client = await connect(STDIO, { cwd: project.path });
  const list = async (query: string): Promise<readonly string[]> => {
    const found: string[] = [];
    let structured = 0;
    let cursor: string | undefined;
    do {
      const more = cursor === undefined ? {} : { cursor };
      const answer = await client.call('search_code', { query, detail: 'locations', ...more });
      expect(answer.text).toContain('2301 lines in 2 files.');
      expect(answer.structured).toMatchObject({ matched: 2, matched_lines: 2_301 });
      expect(hitsOf(answer).length).toBeLessThanOrEqual(1_000);
      structured += hitsOf(answer).length;
      found.push(...answer.text.split('\n').filter((line) => line.startsWith('src/')));
      cursor = cursorOf(answer);
      expect(answer.text.includes(`cursor="${cursor}"`)).toBe(cursor !== undefined);
    } while (cursor !== undefined);
    expect(structured).toBe(found.length);
    return found;
  };

  const text = await list('"giraffe("');
  const pattern = await list('/giraffe\\(/');
  const tooMany = await client.call('search_code', { query: 'giraffe', limit: 1_000 });

  expect(text).toHaveLength(2_301);
  expect(new Set(text).size).toBe(2_301);
  expect(text).toContain('src/far.ts:2300\t\tgiraffe(2299);');
  expect(pattern.toSorted()).toEqual(text.toSorted());
  expect(tooMany).toMatchObject({ isError: true, text: expect.stringContaining('from 1 to 50') });
});

test('R129 what the project is not about gets no code but the nearest places; the structured form says the same', async () => {
  const client = await connect(STDIO, { cwd: searchShop().path });

  for (const query of [
    'where do penguins buy their umbrellas',
    'how is the DNA sequence aligned',
    'PenguinStore',
  ]) {
    const { text, structured } = await client.call('search_code', { query });
    const [, , blank, note, ...places] = text.replace(/\nTip: .*$/, '').split('\n');
    expect([blank, note]).toEqual(['', 'Nothing here is about that. Nearest places:']);
    expect(places).toHaveLength(3);
    expect(places.filter((place) => !/^[\w./-]+:\d+-\d+( {2}\S.*)?$/.test(place))).toEqual([]);
    expect(structured).toMatchObject({ hits: [], notes: [note], nearest: [{}, {}, {}] });
  }
});

test('R129 a short question gets its code in a large project too, and the places of another one have names', async () => {
  const things = [
    'invoice',
    'parcel',
    'customer',
    'voucher',
    'courier',
    'ledger',
    'tariff',
    'refund',
    'coupon',
  ];
  const files = things.flatMap((thing) =>
    Array.from({ length: 80 }, (_, at): [string, string] => [
      `src/${thing}-${at}.ts`,
      `/** Prints a ${thing}. */\nexport function print${at}(${thing}: string): string {\n  return ${thing};\n}\n`,
    ]),
  );
  const project = tempFolder({
    '.git/HEAD': 'x',
    ...Object.fromEntries(files),
    'src/token.ts': [
      "import { timingSafeEqual } from 'node:crypto';",
      '',
      '/** The bearer token, where one is required. */',
      'export function hasToken(given: string, expected: string): boolean {',
      '  const [a, b] = [Buffer.from(given), Buffer.from(expected)];',
      '  return a.length === b.length && timingSafeEqual(a, b);',
      '}',
      '',
    ].join('\n'),
  });
  const client = await connect(STDIO, { cwd: project.path });

  const near = await client.call('search_code', { query: 'is a given value expected', limit: 1 });
  const far = await client.call('search_code', { query: 'where do penguins buy their umbrellas' });

  expect(near.text).toContain('src/token.ts:3-7  hasToken (function)');
  expect(far.text).toMatch(
    /about that\. Nearest places:(\nsrc\/\w+-\d+\.ts:2-4 {2}print\d+ \(function\)){3}/,
  );
});

test('the structured form holds every line, kind, other place and note of the text', async () => {
  const project = searchShop();
  project.write({ 'src/wide.ts': `export const wideName = '${'value '.repeat(200)}';\n` });
  const client = await connect(STDIO, { cwd: project.path });

  for (const args of [
    { query: 'how are idle sessions expired' },
    { query: 'symbol:SessionStore', limit: 1 },
    { query: 'wideName' },
    { query: '"cart"', budget: 300 },
  ]) {
    const answer = await client.call('search_code', args);
    // The tool's output schema says so, and the client has checked it.
    const { hits, notes = [] } = answer.structured as {
      hits: readonly { start_line: number; lines: readonly string[] }[];
      notes?: readonly string[];
    };
    const numbered = hits.flatMap(({ start_line: from, lines }) =>
      lines.map((line, at) => (line === '' ? `${from + at}` : `${from + at}\t${line}`)),
    );
    const shown = answer.text.split('\n');
    expect(shown.filter((line) => /^\d+(\t|$)/.test(line))).toEqual(numbered);
    expect(notes.filter((note) => !shown.includes(note))).toEqual([]);
  }
});
