/** R143 what a transcript tells, by the program that kept it. No process, no file. */
import { describe, expect, test } from 'vitest';
import {
  digestSession,
  readSession,
  toCheckpointText,
  toFixText,
  TRANSCRIPT_FORMATS,
} from '../../src/capture/index.ts';
import { transcriptOf, type Happened } from '../support/transcripts.ts';

const SESSION: readonly Happened[] = [
  { user: 'The upload worker retries for ever. Please limit it.' },
  { agent: 'I looked at src/upload/worker.ts. We will use exponential backoff instead of a fixed delay.' },
  { edit: 'src/upload/worker.ts' },
  {
    run: 'npm test -- worker',
    output: 'FAIL worker.test.ts\nAssertionError: expected 4 attempts, got 5',
    code: 1,
  },
  { agent: 'shouldRetry counted from zero; it is off by one.' },
  { edit: 'src/upload/should-retry.ts' },
  { run: 'npm test -- worker', output: 'ok', code: 0 },
  { run: 'grep -r nothing src', output: '', code: 1 },
  { run: 'npm run lint', output: 'error: unused variable `delay`', code: 1 },
  { open: ['document the limit'], done: ['limit the attempts'] },
  { agent: 'The limit of four attempts holds. The dead letter table is not yet wired up.' },
];

describe.each(TRANSCRIPT_FORMATS)('%s', (format) => {
  const digest = digestSession(readSession(format, transcriptOf(format, SESSION)));

  test('tells what was asked, decided, done, left open and touched', () => {
    expect(digest).toMatchObject({
      asked: 'The upload worker retries for ever. Please limit it.',
      decisions: ['We will use exponential backoff instead of a fixed delay.'],
      done: ['limit the attempts'],
      open: ['document the limit', 'The dead letter table is not yet wired up.'],
    });
    expect(digest?.paths.map((path) => path.replace('/work/shop/', ''))).toEqual([
      'src/upload/worker.ts',
      'src/upload/should-retry.ts',
    ]);
  });

  test('tells the command that failed and what mended it, and the one that failed at the end', () => {
    expect(digest?.mended).toMatchObject([
      {
        command: 'npm test -- worker',
        error: expect.stringContaining('AssertionError: expected 4 attempts, got 5'),
        paths: [expect.stringContaining('src/upload/should-retry.ts')],
        said: 'shouldRetry counted from zero; it is off by one.',
      },
    ]);
    expect(digest?.failing).toMatchObject([
      { command: 'npm run lint', error: 'error: unused variable `delay`' },
    ]);
  });
});

test('a digest reads as a checkpoint, and what mended a command as a fix', () => {
  const digest = digestSession(readSession('codex', transcriptOf('codex', SESSION)));
  const [mended] = digest?.mended ?? [];

  expect(digest === undefined ? '' : toCheckpointText(digest)).toMatchInlineSnapshot(`
    "## Asked
    - The upload worker retries for ever. Please limit it.

    ## Came to
    The limit of four attempts holds. The dead letter table is not yet wired up.

    ## Decided
    - We will use exponential backoff instead of a fixed delay.

    ## Said before edits
    - I looked at src/upload/worker.ts. We will use exponential backoff instead of a fixed delay.
    - shouldRetry counted from zero; it is off by one.

    ## Done
    - limit the attempts

    ## Open
    - document the limit
    - The dead letter table is not yet wired up.
    - \`npm run lint\` failed at the end: error: unused variable \`delay\`

    ## Failed and mended
    - \`npm test -- worker\`: FAIL worker.test.ts (src/upload/should-retry.ts)

    ## Files
    - src/upload/worker.ts
    - src/upload/should-retry.ts"
  `);
  expect(mended === undefined ? '' : toFixText(mended)).toMatchInlineSnapshot(`
    "shouldRetry counted from zero; it is off by one.
    Edited: src/upload/should-retry.ts.
    Then \`npm test -- worker\` succeeded."
  `);
});

test('a transcript that breaks off, holds other things or nothing at all is no error', () => {
  const whole = transcriptOf('claude-code', SESSION);
  const cut = whole.slice(0, -40);

  for (const format of TRANSCRIPT_FORMATS)
    for (const text of [
      '',
      '\n\n',
      '{',
      '[]\n7\nnull\n{"type":"user"}\n',
      '{"message":{"content":[null,7,{}]}}\n',
    ])
      expect(digestSession(readSession(format, text))).toBeUndefined();
  expect(digestSession(readSession('claude-code', cut))?.decisions).toHaveLength(1);
});

test.each(TRANSCRIPT_FORMATS)(
  '%s: an agent that was stopped before it said anything leaves what it touched',
  (format) => {
    const text = transcriptOf(format, [{ user: 'Limit the retries.' }, { edit: 'src/upload/worker.ts' }]);

    const digest = digestSession(readSession(format, text));

    expect(digest).toMatchObject({ asked: 'Limit the retries.', conclusion: '' });
    expect(digest?.paths).toHaveLength(1);
  },
);

test('a secret in a task is taken out before the task is cut', () => {
  const secret = ['gh', 'p_', 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bD1fG3hJ5'].join('');
  const text = transcriptOf('claude-code', [
    { edit: 'src/a.ts' },
    { open: [`${'rotate the key '.repeat(19)}${secret}`], done: [] },
    { agent: 'Stopped.' },
  ]);
  const digest = digestSession(readSession('claude-code', text));

  expect(digest && toCheckpointText(digest)).not.toContain(secret.slice(0, 12));
});

test('what a program says by itself, other agents and quoted code are not what was decided', () => {
  const lines = [
    { type: 'user', isMeta: true, message: { role: 'user', content: 'We decided to drop it.' } },
    {
      type: 'assistant',
      isSidechain: true,
      message: { role: 'assistant', content: [{ type: 'text', text: 'I decided to use Go.' }] },
    },
    {
      type: 'user',
      message: { role: 'user', content: '<system-reminder>Always use tabs</system-reminder>' },
    },
    { type: 'user', message: { role: 'user', content: 'Should we use Rust instead of Go?' } },
    {
      type: 'assistant',
      message: {
        role: 'assistant',
        content: [{ type: 'text', text: 'Look:\n```\nuse this instead of that\n```\nDone.' }],
      },
    },
    {
      type: 'assistant',
      message: { role: 'assistant', content: [{ type: 'text', text: 'All of it is in place now.' }] },
    },
  ];

  const digest = digestSession(
    readSession('claude-code', lines.map((line) => JSON.stringify(line)).join('\n')),
  );

  expect(digest).toMatchObject({ decisions: [], asked: 'Should we use Rust instead of Go?' });
});

test('a secret is out before anything is cut', () => {
  const token = ['gh', 'p_', 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bD1fG3hJ5'].join('');
  const text = `We decided to ${'use the long way '.repeat(16)} ${token} instead of the other.`;

  const digest = digestSession(
    readSession('codex', transcriptOf('codex', [{ user: token }, { agent: text }, { edit: 'a.ts' }])),
  );

  expect(JSON.stringify(digest)).not.toContain(token.slice(0, 12));
});
