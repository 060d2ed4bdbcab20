/** A `.waymark.json` that comes with a repository: it may be refused in our own words, and may do no more than it is trusted with. */
import type { Family, Fixture, Place } from './fixture.ts';

function settings(name: string, content: unknown, more: Partial<Fixture> = {}): Fixture {
  return {
    name: `.waymark.json: ${name}`,
    make(place) {
      const made: unknown = typeof content === 'function' ? content(place) : content;
      const isWritten = typeof made === 'string' || made instanceof Uint8Array;
      place.write('.waymark.json', isWritten ? made : JSON.stringify(made));
      place.write(`src/${'a'.repeat(120)}.ts`, 'export const a = 1;\n');
    },
    mayRefuse: true,
    ...more,
  };
}

const ELSEWHERE = [
  'cacheDir',
  'dataDir',
  'logFile',
  'host',
  'port',
  'token',
  'allowHost',
  'allowProjectRoot',
  'requireToken',
];

export const PROJECT_FILES: Family = {
  name: 'project files',
  fixtures: [
    settings('no JSON', '{ "include": [ '),
    settings('empty', ''),
    settings('not an object', [1, 2, 3]),
    settings('null', 'null'),
    settings('10 MB', `{"include": ["${'x'.repeat(10_000_000)}"]}`),
    settings('100,000 deep', '['.repeat(30_000) + ']'.repeat(30_000)),
    settings('objects 10,000 deep', '{"include":'.repeat(5000) + '1' + '}'.repeat(5000)),
    settings('NULs', '{"include": ["\0"]}'),
    settings('invalid bytes', new Uint8Array([0x7b, 0xff, 0xfe, 0x7d])),
    settings('a mark', '\ufeff{}'),
    settings('UTF-16', Buffer.from('\ufeff{}', 'utf16le')),
    settings('one key many times', `{${'"include": ["*.ts"],'.repeat(3000)}"include": []}`),
    settings('keys that every object has', '{"__proto__": {"include": ["x"]}, "constructor": 1, "toString": []}'),
    settings('escapes in keys and values', '{"\\u001b[31mred\\u0007": "\\u001b]0;title\\u0007", "inc\\nlude": 1}'),
    settings('wrong kinds', { include: 7, exclude: { a: 1 }, languages: 'all' }),
    settings('numbers out of all bounds', '{"include": [1e999, -0, 1E400]}'),
    settings('unknown languages', { languages: ['klingon', '__proto__', ''] }),
    settings('nothing at all', { exclude: ['**'] }),
    settings('globs that lead out', (place: Place) => ({ include: ['../outside/**', `${place.outside}/**`, '/etc/**', '**'] }), {
      comesTo: { 'plain.ts': 'indexed' },
    }),
    settings('globs that multiply', { include: ['{a,b}'.repeat(40)], exclude: [`${'*a'.repeat(60)}b`] }),
    settings('braces in braces', { exclude: ['{'.repeat(500) + 'a' + '}'.repeat(500), '{a,'.repeat(200)] }),
    settings('3,000 globs', { exclude: Array.from({ length: 3000 }, (_, at) => `x${at}/**/*.y`) }),
    settings('a git directory and secrets', { include: ['.git/**', '.env', '**'] }, { comesTo: { '.git/': 'excluded_by_default' } }),
    ...ELSEWHERE.map((key) => settings(`sets ${key}`, (place: Place) => ({ [key]: `${place.outside}/x` }))),
  ],
}; // prettier-ignore
