/** Ignore files written to keep us busy, to hide, or to bring in what must stay out. */
import type { Family, Fixture, Place } from './fixture.ts';

function rules(
  name: string,
  content: string | ((place: Place) => string | Uint8Array),
  more: Partial<Fixture> = {},
): Fixture {
  return {
    name,
    make(place) {
      place.write('.gitignore', typeof content === 'string' ? content : content(place));
      for (let at = 0; at < 20; at++) place.write(`src/${'a'.repeat(100 + at)}.ts`, 'export const a = 1;\n');
      place.write(`${'deep/'.repeat(60)}a.ts`, 'export const a = 1;\n');
    },
    ...more,
  };
}

/** Built from parts, so that no scanner takes it for a real one. */
const SECRET_LINE = ['PASS', 'WORD=', 'hunter', '2-hunter2\n'].join('');

export const RULE_FILES: Family = {
  name: 'rule files',
  fixtures: [
    rules('stars that multiply', `${'*a'.repeat(60)}b\n`),
    rules('a thousand times stars that multiply', `${`${'*a'.repeat(40)}b\n`.repeat(1000)}`),
    rules('stars over folders that multiply', `${'**/'.repeat(60)}b\n`),
    rules('both', `${'**/*a*/'.repeat(20)}b\n`.repeat(200)),
    rules('question marks', `${'?*'.repeat(120)}z\n`),
    rules('classes that multiply', `${'[a-z]*'.repeat(80)}0\n`.repeat(100)),
    rules('a class of 100,000 characters', `[${'a-z'.repeat(30_000)}]\n`),
    rules('a class that never ends', '[a-\n[!\n[[:alpha:\n[]\n[\\\n'),
    rules('what elsewhere would be a pattern', '(a+)+$\n(?:x|x)*y\n^(([a-z])+.)+[A-Z]([a-z])+$\n'),
    rules('a rule of 500,000 characters', `${'x'.repeat(500_000)}\n`),
    rules('a rule of 500,000 stars', `${'*'.repeat(500_000)}b\n`),
    rules('a megabyte of rules', () => Array.from({ length: 60_000 }, (_, at) => `r${at}/*.ts\n`).join('')),
    rules('two megabytes of one rule', 'x'.repeat(2_000_000)),
    rules('100,000 rules that take each other back', () => '*.ts\n!*.ts\n'.repeat(50_000)),
    rules('invalid bytes', () => Buffer.from([0xff, 0xfe, 0x0a, 0x2a, 0xc3, 0x0a, 0x80])),
    rules('NULs', '\0\n*\0.ts\n'),
    rules('a mark and line ends of another system', '\ufeff*.log\r\n!x\r\n\r\n'),
    rules('escapes at the end', '\\\n\\\\\na\\\n!\\\n'),
    rules('everything', '*\n', { comesTo: { 'plain.ts': 'ignored', 'src/': 'ignored' } }),
    rules('everything and nothing', '*\n!*\n!/**\n', { comesTo: { 'plain.ts': 'indexed' } }),
    rules('paths that lead out', ({ outside }) => `../outside/*\n!../outside/**\n!${outside}/**\n/../../**\n`),
    {
      name: 'what is left out is asked for',
      make(place) {
        place.write('.waymarkignore', '!.git/\n!.git/**\n!.env\n!id_rsa\n!*.pem\n!link.ts\n!**\n');
        place.write('.env', SECRET_LINE);
        place.write('id_rsa', SECRET_LINE);
        place.write('key.pem', SECRET_LINE);
        place.link('link.ts', `${place.outside}/stolen.ts`);
      },
      comesTo: {
        '.env': 'secret_file',
        id_rsa: 'secret_file',
        'key.pem': 'secret_file',
        'link.ts': 'symlink',
        '.git/': 'excluded_by_default',
      },
    },
    {
      name: 'attributes that are rules of their own',
      make(place) {
        place.write('.gitattributes', `${'[attr]x y\n'.repeat(50_000)}* -text working-tree-encoding=UTF-16\n`);
      },
      comesTo: { 'plain.ts': 'indexed' },
    },
    {
      name: 'rule files of other tools',
      make(place) {
        for (const path of ['.dockerignore', '.npmignore', '.rgignore', '.eslintignore', '.cursorignore']) {
          place.write(path, '*\n');
        }
      },
      comesTo: { 'plain.ts': 'indexed' },
    },
  ],
}; // prettier-ignore
