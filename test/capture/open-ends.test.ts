/** R143 what a session leaves open: what says so, what stands below a line that does, and what the end of its closing lacks. */
import { describe, expect, test } from 'vitest';
import { digestSession, readSession } from '../../src/capture/index.ts';
import { transcriptOf, type Happened } from '../support/transcripts.ts';

const START: readonly Happened[] = [{ user: 'The export is slow.' }, { edit: 'src/a.ts' }];

function digestOf(...happened: readonly Happened[]) {
  return digestSession(readSession('claude-code', transcriptOf('claude-code', [...START, ...happened])));
}

function openOf(...happened: readonly Happened[]): readonly string[] {
  return digestOf(...happened)?.open ?? [];
}

describe('the last paragraph of a closing leaves open', () => {
  test.each([
    'The import uses the same pattern in two places.',
    'No alert for full disks so far.',
    'Operations should turn the old job off.',
    'Empty files break the reader.',
    'Der alte Export läuft weiterhin nachts.',
    'Is ten minutes right for the mobile app?',
  ])('%s', (said) => {
    expect(openOf({ agent: `Export takes 3 s now.\n\nRows are streamed.\n\n${said}` })).toEqual([said]);
  });

  test.each([
    'Rows are streamed in pages of 500.',
    'Let me know if the old way should be kept.',
    'Would you like me to commit this?',
  ])('and not: %s', (said) => {
    expect(openOf({ agent: `Export takes 3 s now.\n\n${said}` })).toEqual([]);
  });

  test('also where an offer follows it, and where a word of a program does', () => {
    const closing = 'Export takes 3 s now.\n\nThe import has its own copy of this loop.\n\n';

    expect(openOf({ agent: `${closing}Tell me if I should go on with that.` })).toEqual([
      'The import has its own copy of this loop.',
    ]);
    expect(openOf({ agent: `${closing}0123456789abcdef` })).toEqual([
      'The import has its own copy of this loop.',
    ]);
  });
});

test('what lacks something is not open where the session went on to edit, nor where it is the first that is said', () => {
  expect(
    openOf({ agent: 'I read it.\n\nThe reader has no limit.' }, { edit: 'src/b.ts' }, { agent: 'It is in.' }),
  ).toEqual([]);
  expect(openOf({ agent: 'The export has no limit now.' })).toEqual([]);
});

test('what says so is open with a colon too, below a heading, beside what is, and with an empty box', () => {
  expect(openOf({ agent: 'Done. Open: the docs and a release. Next: the import.' })).toEqual([
    'Open: the docs and a release.',
    'Next: the import.',
  ]);
  expect(openOf({ agent: 'Done.\n\n### Risks\n- big files take 40 s\n\n### Tests\n- 61 of them' })).toEqual([
    'big files take 40 s',
  ]);
  expect(
    openOf({ agent: 'It works. Headers look off until the theme knows them. I was not able to print.' }),
  ).toEqual(['Headers look off until the theme knows them.', 'I was not able to print.']);
  expect(openOf({ agent: 'It works.\n\n- [x] the reader\n- [ ] the other writer' })).toEqual([
    'the other writer',
  ]);
});

test('what a closing says of how things are is decided, and what it leaves open is not', () => {
  const closing = [
    'Export takes 3 s now.',
    '',
    'Claims expire after ten minutes. Added two tests.',
    '',
    'The import has the same flaw.',
  ].join('\n');

  expect(digestOf({ agent: closing })?.decisions).toEqual(['Claims expire after ten minutes.']);
  expect(digestOf({ agent: closing })?.open).toEqual(['The import has the same flaw.']);
});

test('the line below one that only names an error is part of the error', () => {
  const output =
    'F\n\n  1) signs in\n     Net::Saml::ValidationError:\n       Invalid signature on the response';

  expect(
    digestOf(
      { run: 'rspec', output, code: 1 },
      { edit: 'src/b.ts' },
      { run: 'rspec', output: '2 examples', code: 0 },
      { agent: 'It is in.' },
    )?.mended.map(({ error }) => error),
  ).toEqual([expect.stringContaining('Invalid signature on the response')]);
});
