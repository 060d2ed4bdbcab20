/** What to do instead, for the lint rules people meet most. */

/** @type {Readonly<Record<string, string | undefined>>} */
export const LINT_ADVICE = {
  'no-floating-promises':
    'Await it, return it, or hand it to something that reports its failure; a lost rejection ends the process or hides a bug.',
  'no-misused-promises': 'Await inside a plain function, so that a rejection is reported.',
  'await-thenable': 'Drop the await, or return a promise from what you call.',
  'switch-exhaustiveness-check':
    'Add a case for each kind, so that the next kind fails here and not in front of a user.',
  'no-explicit-any':
    'Use `unknown` at the border and parse it once; `any` switches checking off for all who touch it.',
  'no-non-null-assertion':
    'Narrow it with a check that throws an AppError, or make the type say it is always there.',
  'no-default-export': 'Export it by name, so that it has one name everywhere and search finds it.',
  'no-cycle':
    'Move what both sides need into a file that imports neither; in a circle no file can be read, tested or changed alone (types count too).',
  'max-lines': 'Split it by idea, not by line count: name each idea and give it a file.',
  'filename-case': 'Write it like rank-hits.ts, so that names are equal on every file system.',
  'no-console': 'Write through process.stdout or process.stderr in scripts; in src/ through a Logger.',
  'no-focused-tests': 'Remove .only: it silently skips every other test.',
  'no-disabled-tests': 'Make it pass or delete it: a skipped test guards nothing.',
  'warn-todo': 'Write the test now or open an issue: an empty test guards nothing.',
  eqeqeq: 'Compare with === and say what you mean by absent.',
};
