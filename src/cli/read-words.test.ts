/** What was typed, as the parser takes it. */
import { expect, test } from 'vitest';
import { readWords } from './read-words.ts';

const NAMES = ['search', 'status', 'stats', 'serve', 'index', 'config show', 'memory list', 'memory link'];
const read = (typed: string, isTerminal = false) =>
  readWords(
    (typed.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', '')),
    { names: NAMES, isTerminal, isPath: (word) => word === 'src/retry.ts' },
  );

test.each([
  ['status --json', ['status', '--json'], 'main'],
  ['"how are sessions expired"', ['search', 'how are sessions expired'], 'main'],
  [
    'how are sessions expired --limit 3',
    ['search', 'how', 'are', 'sessions', 'expired', '--limit', '3'],
    'main',
  ],
  ['retry', ['search', 'retry'], 'main'],
  ['src/retry.ts', ['outline', 'src/retry.ts'], 'main'],
  ['src/retry.ts --json', ['search', 'src/retry.ts', '--json'], 'main'],
  ['help frobnicate', ['frobnicate', '--help'], 'main'],
  ['index of sessions', ['index', 'of', 'sessions'], 'main'],
  ['memory leaks', ['memory', 'leaks'], 'main'],
  ['memory save "it is so" --person', ['remember', 'it is so', '--person'], 'main'],
  ['memory help', ['memory', '--help'], 'main'],
  ['search help', ['search', 'help'], 'main'],
  ['frobnicate --help', ['frobnicate', '--help'], 'main'],
  ['"status of sessions"', ['search', 'status of sessions'], 'main'],
  ['help', ['--help'], 'main'],
  ['help config show', ['config', 'show', '--help'], 'main'],
  ['search --help-all', ['search', '--help'], 'all'],
  ['help search --help-all', ['search', '--help'], 'all'],
  ['search -- --help-all', ['search', '--', '--help-all'], 'main'],
  ['-v', ['-v'], 'main'],
  ['-V', ['--version'], 'main'],
  ['--log-level debug status', ['--log-level', 'debug', 'status'], 'main'],
  ['', ['--help'], 'main'],
])('%s', (typed, argv, help) => {
  expect(read(typed)).toEqual({ kind: 'run', argv, help });
});

test('alone on a terminal it is the home screen', () => {
  expect(read('', true)).toMatchObject({ argv: ['home'] });
});

test.each([
  ['stauts --json', ['stauts'], ['status'], ['--json']],
  ['confg show now', ['confg', 'show'], ['config', 'show'], ['now']],
  ['help serch', ['serch'], ['search', '--help'], []],
  ['install', ['install'], ['setup'], []],
  ['serach the session', ['serach'], ['search'], ['the', 'session']],
])('%s is nearly a command', (typed, words, meant, rest) => {
  expect(read(typed)).toEqual({ kind: 'near', typed: words, meant, rest });
});
