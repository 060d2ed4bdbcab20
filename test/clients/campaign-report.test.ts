import { expect, test } from 'vitest';
import { missingCode, readable } from '../campaigns/clients/checks.ts';
import { readOpening } from '../campaigns/clients/opening.ts';
import { CODE } from '../campaigns/clients/workspace.ts';
import { renderFaults, renderPage, renderTable, type TrialReport } from '../campaigns/clients/report.ts';

const GOOD: TrialReport = {
  name: 'Goose',
  package: '@aaif/goose',
  version: '1.52.0',
  transport: 'stdio',
  opensWith: 'initialize 2025-03-26',
  declares: ['roots', 'sampling'],
  source: 'roots',
  handsOver: 'text',
  restarts: 0,
  checks: [
    { name: 'connects', fault: undefined },
    { name: 'reads code', fault: undefined },
  ],
};
const BAD: TrialReport = {
  ...GOOD,
  name: 'Cline CLI',
  transport: 'http',
  checks: [
    { name: 'connects', fault: undefined },
    { name: 'reads code', fault: 'line 3 is missing' },
  ],
};

test('the table of the campaign shows every check of every agent', () => {
  expect(renderTable([GOOD, BAD])).toBe(`| agent | transport | connects | reads code |
|---|---|---|---|
| Goose | stdio | ✓ | ✓ |
| Cline CLI | http | ✓ | ✗ |
`);
});

test('the page of the campaign counts the agents that pass, with version and date', () => {
  const page = renderPage([GOOD, BAD], new Date('2026-11-18T12:00:00Z'));

  expect(page).toContain('on 2026-11-18');
  expect(page).toContain('1 of 2 agents pass every check');
  expect(page).toContain(
    '| Goose | `@aaif/goose` 1.52.0 | stdio | initialize 2025-03-26 | roots, sampling | roots | text |',
  );
});

test('what failed is said with what was seen', () => {
  expect(renderFaults(BAD)).toBe('  ✗ reads code: line 3 is missing\n');
});

test('sessions that had to be started again are counted', () => {
  const page = renderPage([{ ...GOOD, restarts: 2 }], new Date('2026-11-18T12:00:00Z'));

  expect(page).toContain('started again: Goose over stdio (2).');
});

test('text that an agent hands over inside JSON is read as the model reads it', () => {
  expect(readable('{"content":[{"type":"text","text":"a\\n  b"}]}')).toContain('a\n  b');
  expect(readable('project: shop [draft]')).toBe('project: shop [draft]');
});

test('code counts as read only with its numbers and the indent that it has in the file', () => {
  const numbered = CODE.split('\n').map((line, at) => `${String(at + 1).padStart(3)} ${line}`);
  const withoutIndent = CODE.split('\n').map((line, at) => `${at + 1} ${line.trimStart()}`);

  expect(missingCode(numbered.join('\n'))).toBeUndefined();
  expect(missingCode(withoutIndent.join('\n'))).toBeDefined();
  expect(missingCode(CODE)).toBeDefined();
});

test.each([
  [
    'initialize',
    '{"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"roots":{}},"clientInfo":{"name":"kilo","version":"7"}}}',
    { with: 'initialize 2025-11-25', declares: ['roots'], client: 'kilo 7' },
  ],
  [
    'discover',
    '{"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}}}',
    { with: 'discover 2026-07-28', declares: ['elicitation'], client: '' },
  ],
])('reads how an agent opens the conversation: %s', (_, line, opening) => {
  expect(readOpening(['', line])).toEqual(opening);
});
