import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { createRandom } from '../../../test/support/random.ts';
import { firstValue, isOn, lastValue, parseGitConfig } from './config-file.ts';

/** What git says of a file, or undefined if it refuses it. */
function listedByGit(text: string): readonly string[] | undefined {
  try {
    const listed = execFileSync('git', ['config', '--list', '-z', '--file', '-'], {
      input: text,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    return listed.split('\0').slice(0, -1);
  } catch {
    return undefined;
  }
}

const shown = (text: string): readonly string[] =>
  parseGitConfig(text).map(({ key, value }) => (value === undefined ? key : `${key}\n${value}`));

test.each([
  '[core]\n\tbare = false\n',
  '[Core] IgnoreCase\n',
  '\uFEFF[core]\r\n  excludesFile = ~/x\r\n',
  '[a]\nb = one \\\n  two # note\nc = "x ; y" ; note\n',
  '[a]\nb = x # note \\\nc = y\n',
  '[remote "Or\\"i\\\\gin"]\nurl = a\nurl = b\n',
  '[remote.Origin]\nurl = a\n',
  '[remote   "origin"] url = "  kept  "  \n',
  '[a]\nb = "one" two "three  "  \nc =\nd = ""\n',
  '[a]\nb = x\\ty\\nz\\\\\n',
  '[a]\nb = end of file',
  '; only a note',
  '',
])('says what git says: %j', (text) => {
  expect(shown(text)).toEqual(listedByGit(text));
});

test('says what git says of random files that git takes', () => {
  const random = createRandom(19);
  const pick = (from: readonly string[]): string => from[random.below(from.length)] ?? '';
  const sections = [
    '[core]',
    '[a "B c"]',
    '[x.Y]',
    '[ "q"]',
    '[a   "\\"\\x"]',
    '[b] ; note',
    '[c]k',
    '# note \\',
  ];
  const pieces = [
    'value',
    ' ',
    '  ',
    '"',
    '"q  q"',
    '\\n',
    '\\"',
    '\\\\',
    '\\\n',
    '\\\r\n',
    ' # no',
    ';',
    '=',
    'é',
    '[d]',
  ];
  const line = (): string => {
    if (random.below(4) === 0) return pick(sections);
    const value = Array.from({ length: random.below(6) }, () => pick(pieces)).join('');
    return `${pick(['name', ' Key-2', '\tk'])}${pick([' = ', '=', ' =', ''])}${value}`;
  };
  let taken = 0;
  for (let round = 0; round < 300; round++) {
    const lines = Array.from({ length: 1 + random.below(3) }, line);
    const whole = ['[top]', ...lines].join(pick(['\n', '\r\n']));
    const expected = listedByGit(whole);
    if (expected === undefined) continue;
    taken += 1;
    expect({ whole, settings: shown(whole) }).toEqual({ whole, settings: expected });
  }
  expect(taken).toBeGreaterThan(100);
});

test('the last value counts, for an address the first, and a name alone is true', () => {
  const settings = parseGitConfig(
    '[core]\nignorecase\n[remote "origin"]\nurl = a\nurl = b\n[x]\ny = no\nz = 2\n',
  );

  expect(lastValue(settings, 'remote.origin.url')).toBe('b');
  expect(firstValue(settings, 'remote.origin.url')).toBe('a');
  expect(['core.ignorecase', 'x.y', 'x.z', 'x.absent'].map((key) => isOn(settings, key))).toEqual([
    true,
    false,
    true,
    false,
  ]);
});
