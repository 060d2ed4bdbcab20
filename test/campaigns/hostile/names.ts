/** Names that are no text, that mean something elsewhere, or that look like each other. */
import { mkdirSync, writeFileSync } from 'node:fs';
import type { Family, Fixture, Place } from './fixture.ts';

const SOURCE = 'export const named = 1;\n';

/** Ordinary files with odd names: each is indexed under its own. */
function named(name: string, paths: readonly string[]): Fixture {
  return {
    name,
    make(place) {
      for (const path of paths) place.write(path, SOURCE);
    },
    comesTo: Object.fromEntries(paths.map((path) => [path, 'indexed'])),
  };
}

function raw(place: Place, ...bytes: (string | readonly number[])[]): Buffer {
  const parts = bytes.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part)));
  return Buffer.concat([Buffer.from(`${place.root}/`), ...parts]);
}

function rawFiles(name: string, ...names: readonly (readonly (string | readonly number[])[])[]): Fixture {
  return {
    name,
    make(place) {
      for (const parts of names) writeFileSync(raw(place, ...parts), SOURCE);
    },
    comesTo: { 'plain.ts': 'indexed' },
  };
}

export const NAMES: Family = {
  name: 'names',
  fixtures: [
    named('line breaks', ['new\nline.ts', 'carriage\rreturn.ts', '\n.ts', 'a\n\n\nb/c\n.ts']),
    named('tabs and other controls', ['tab\t.ts', 'bell\u0007.ts', 'back\bspace.ts', 'del\u007f.ts']),
    named('colours and titles of a terminal', ['\u001b[31mred.ts', '\u001b]0;title\u0007.ts', '\u009b2J.ts']),
    named('text that runs backwards', ['\u202egnp.ts', '\u2066iso\u2069.ts', '\u200b.ts', 'a\u200db.ts']),
    named('options', ['-rf', '--help', '-', '--', '-o ProxyCommand=x', '--upload-pack=x.ts']),
    named('shell', [
      '$(touch ran).ts',
      '`touch ran`.ts',
      ';touch ran;.ts',
      '| cat.ts',
      '& x.ts',
      '> y.ts',
      '$HOME.ts',
      '~',
    ]),
    named('quotes', ["it's.ts", 'say "x".ts', "'; DROP TABLE file; --.ts", '"" OR 1=1.ts']),
    named('words of the search', ['NEAR(a b).ts', 'a OR b.ts', 'words : x.ts', '^caret*.ts', 'AND NOT.ts']),
    named('patterns', [
      '*.ts',
      '**',
      '[a-z].ts',
      '[',
      '!negated.ts',
      '#comment.ts',
      '{a,b}.ts',
      '(?:x)+$.ts',
    ]),
    named('formats', ['%s%n%x.ts', '%00.ts', '%2e%2e%2fescape.ts', '${7*7}.ts', '{{7*7}}.ts']),
    named('dots and blanks', ['...', '.. ', '. ', ' ', 'end ', 'end.', ' front.ts', '..a/..b/...c.ts']),
    named('names of another system', [
      'CON.ts',
      'nul',
      'a:b.ts',
      'back\\slash.ts',
      'C:\\x.ts',
      'aux.d/prn.ts',
      'x.ts::$DATA',
    ]),
    named('names that every object has', [
      '__proto__',
      'constructor',
      'toString.ts',
      'hasOwnProperty',
      '__proto__x/constructor.ts',
    ]),
    named('the same in other cases', ['Case.ts', 'case.ts', 'CASE.ts', 'Dir/a.ts', 'dir/a.ts', 'DIR/A.ts']),
    named('the same in other forms', [
      'caf\u00e9.ts',
      'cafe\u0301.ts',
      '\u212b.ts',
      '\u00c5.ts',
      'A\u030a.ts',
    ]),
    named('the longest names', [
      'n'.repeat(252) + '.ts',
      'é'.repeat(126) + '.ts',
      '\u{1f600}'.repeat(62) + '.ts',
    ]),
    named('emoji and other planes', [
      '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}.ts',
      '\u{10ffff}.ts',
      '\u{e0001}.ts',
      '\ufeff.ts',
    ]),
    named('long paths', [
      Array.from({ length: 18 }, (_, at) => `${at}-`.padEnd(200, 'p')).join('/') + '/a.ts',
    ]),
    named('look-alikes of our own files', [
      '.waymark.json.ts',
      '.gitignore.ts',
      'waymark.json',
      '.Waymark.json.ts',
    ]),
    named('a replacement character that is meant', ['\ufffd.ts', 'a\ufffdb.ts']),
    named('a path of our own in it', ['index-v1.ts', 'index.db-wal.ts', 'state-key.ts']),
    {
      name: 'names that take over a terminal, all of them left out',
      make(place) {
        place.write('.gitignore', '*\n');
        for (const name of [
          '\u001b[2J',
          '\u001b]0;owned\u0007',
          'a\rb',
          'a\nb',
          '\u009b31m',
          '\u202egnp',
          '\b\b\b',
        ]) {
          place.write(`${name}.ts`, SOURCE);
        }
      },
      comesTo: { 'a\nb.ts': 'ignored', '\u001b[2J.ts': 'ignored' },
      isShown: true,
    },
    {
      name: 'look-alikes of a git directory',
      make(place) {
        for (const folder of ['.GIT', '.git ', '.git.', '.git\u200c', 'git~1', '.Git']) {
          place.write(`${folder}/config`, `[core]\n\tfsmonitor = ${place.program}\n`);
          place.write(`${folder}/info/exclude`, '*\n');
        }
      },
      comesTo: { 'plain.ts': 'indexed' },
    },
    {
      name: 'files with the names of folders that are left out',
      make(place) {
        for (const path of ['node_modules', 'dist', 'vendor', 'target', '.venv']) place.write(path, SOURCE);
      },
    },
    rawFiles('bytes that are no UTF-8', ['bad', [0xff, 0xfe], '.ts'], ['cut', [0xc3]], [[0x80]]),
    rawFiles(
      'overlong and surrogate bytes',
      [[0xc0, 0xaf], '.ts'],
      [[0xed, 0xa0, 0x80], '.ts'],
      [[0xf8, 0x88, 0x80, 0x80, 0x80]],
    ),
    rawFiles('bad names that look alike', ['a', [0xff]], ['a', [0xfe]], ['a', [0xfd]], ['a\ufffd']),
    rawFiles('Latin-1 names', ['caf', [0xe9], '.ts'], [[0xa9], ' notes.md']),
    {
      name: 'a folder whose name is no text',
      make(place) {
        mkdirSync(raw(place, 'dir', [0xc3]));
        writeFileSync(raw(place, 'dir', [0xc3], '/inside.ts'), SOURCE);
        mkdirSync(raw(place, 'dir', [0xc4]));
        writeFileSync(raw(place, 'dir', [0xc4], '/inside.ts'), SOURCE);
      },
    },
    {
      name: 'bad bytes below good ones',
      make(place) {
        mkdirSync(place.at('src/deep'), { recursive: true });
        writeFileSync(raw(place, 'src/deep/', [0xff], '.ts'), SOURCE);
        place.write('src/deep/good.ts', SOURCE);
      },
      comesTo: { 'src/deep/good.ts': 'indexed' },
    },
  ],
};
