/** R143 what a session decided: by the form of a sentence, by where it stands, by what was answered and committed. */
import { describe, expect, test } from 'vitest';
import { digestSession, readSession } from '../../src/capture/index.ts';
import { transcriptOf, type Happened } from '../support/transcripts.ts';

function decided(...happened: readonly Happened[]): readonly string[] {
  const start: Happened = { user: 'The export is slow.' };
  return (
    digestSession(readSession('claude-code', transcriptOf('claude-code', [start, ...happened])))?.decisions ??
    []
  );
}

const EDIT: Happened = { edit: 'src/a.ts' };

describe('said right before an edit', () => {
  test.each([
    'I will take a queue with one worker, because order matters.',
    'Moving the lookup into the constructor so that it runs once.',
    'Writes go through one connection only.',
    'Ich nehme eine Warteschlange statt eines Timers.',
    'The header stays as it is.',
    'Buffering is overkill here; a plain array is enough.',
  ])('%s', (said) => {
    expect(
      decided({ agent: `I have read it. ${said}` }, EDIT, { agent: 'Finished with that.' }).join(' '),
    ).toContain(said.split(';')[0]);
  });

  test.each([
    'Let me look at the tests first.',
    'I will read the queue and its callers.',
    'The problem is the buffer, it seems.',
    'Found the reason for the failure.',
    'Should writes go through one connection only?',
    'Ich schaue mir das an.',
  ])('and not: %s', (said) => {
    expect(decided({ agent: said }, EDIT, { agent: 'Finished with that.' })).toEqual([]);
  });
});

test('what an agent says at the end of what it has edited are decisions where it says how things are, not what was done', () => {
  const closing = [
    'Export takes 3 s now.',
    '',
    '## Decisions',
    '- Empty cells are written as nothing',
    '- Two header rows',
    '',
    '## Verification',
    '- Added eight tests',
    '',
    '| Timeout | always 30 s |',
  ].join('\n');

  expect(decided(EDIT, { agent: closing })).toEqual(
    expect.arrayContaining(['Empty cells are written as nothing', 'Two header rows']),
  );
  expect(decided(EDIT, { agent: closing }).join('\n')).not.toMatch(/eight tests|Timeout/);
  // An answer to a question decides nothing.
  expect(
    decided(
      { agent: 'A queue has one worker.' },
      { user: 'And a pool of them?' },
      { agent: 'A pool has many.' },
    ),
  ).toEqual([]);
});

describe('answers', () => {
  const options = 'Two ways:\n\n1. Keep the file open\n2. Open it for each write\n\nWhich one?';

  test.each(['1', '1 please', 'the first one', 'option 1', 'nimm 1', 'die erste'])('%s', (answer) => {
    expect(decided({ agent: options }, { user: answer }, EDIT, { agent: 'It is in.' })).toContainEqual(
      expect.stringContaining('Keep the file open'),
    );
  });

  test('what is agreed to is what was proposed; more than a word of the answer is kept with it', () => {
    const asked = 'The log grows. I would rotate it at 10 MB. Any objections?';

    expect(decided({ agent: asked }, { user: 'no, go for it' }, EDIT)).toEqual([
      'I would rotate it at 10 MB. (no, go for it)',
    ]);
    expect(decided({ agent: 'Shall I drop the old table?' }, { user: 'ja' }, EDIT)).toEqual([
      'Shall I drop the old table?',
    ]);
    expect(decided({ agent: asked }, { user: 'wait' }, EDIT)).toEqual([]);
  });

  test('to what a tool of the agent asked', () => {
    const lines = [
      { type: 'user', message: { role: 'user', content: 'The export is slow.' } },
      {
        type: 'assistant',
        message: {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 't1', name: 'AskUserQuestion', input: { questions: [] } }],
        },
      },
      {
        type: 'user',
        message: {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 't1',
              content: 'The user has answered: "Which format?"="Parquet", "Where to?"="S3".',
            },
          ],
        },
      },
      { type: 'assistant', message: { role: 'assistant', content: [{ type: 'text', text: 'On it.' }] } },
      { type: 'assistant', message: { role: 'assistant', content: [{ type: 'text', text: 'It runs.' }] } },
    ];

    const digest = digestSession(
      readSession('claude-code', lines.map((line) => JSON.stringify(line)).join('\n')),
    );

    expect(digest?.decisions).toEqual(['Which format? Parquet', 'Where to? S3']);
  });
});

test('what is committed with, unless it says nothing or the commit failed', () => {
  const ran = (run: string, code = 0): Happened => ({ run, output: '', code });

  expect(
    decided(
      EDIT,
      ran(`git commit -qam 'export: cells are streamed, one row at a time'`),
      ran('git add -A && git commit -m "export: quote what holds a comma"'),
      ran(
        `git commit -m "$(cat <<'EOF'\nexport: dates follow ISO 8601\n\nLocal formats are never used again.\nCo-Authored-By: a\nEOF\n)"`,
      ),
      ran(`git commit -m 'fix tests'`),
      ran(`git commit -m 'export: this one was refused'`, 1),
    ),
  ).toEqual([
    'export: cells are streamed, one row at a time',
    'export: quote what holds a comma',
    'export: dates follow ISO 8601',
    'Local formats are never used again.',
  ]);
});

test('what a person says steers, in any form; what keeps the work going, a question, and what programs say in their place does not', () => {
  expect(
    decided(
      EDIT,
      { user: 'columns in the order of the form. ok?' },
      { user: 'no sidebar, it is too small for that' },
      { user: 'great, thanks' },
      { user: 'can you run that again' },
      { user: '[Request interrupted by user]' },
      {
        user: '<task-notification>\n<summary>never done</summary>\n</task-notification>\nRead the output file always.',
      },
      { user: 'This session is being continued from a previous conversation. We decided to drop it.' },
    ),
  ).toEqual(['columns in the order of the form.', 'no sidebar, it is too small for that']);
});

test('of very many the strongest are kept, in the order they were made', () => {
  const many: readonly Happened[] = Array.from({ length: 30 }, (_, at) => [
    { agent: `Part ${at} uses its own buffer.` },
    EDIT,
  ]).flat();

  const kept = decided({ agent: 'We decided to stream instead of buffering.' }, ...many);

  expect(kept).toHaveLength(15);
  expect(kept[0]).toBe('We decided to stream instead of buffering.');
});
