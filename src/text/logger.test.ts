import { expect, test } from 'vitest';
import type { LogLevel } from '../core/index.ts';
import { createLogger } from './logger.ts';

const clock = { now: () => Date.UTC(2026, 0, 2, 3, 4, 5), elapsed: () => 0 };

function recording(level: LogLevel, format: 'text' | 'json' = 'text') {
  const lines: string[] = [];
  return { lines, logger: createLogger({ level, format, clock, write: (line) => lines.push(line) }) };
}

test('writes one line of text per record, with its fields', () => {
  const { lines, logger } = recording('info');

  logger.info('request done', { ms: 12, path: '/mcp', note: 'two words' });

  expect(lines).toEqual(['2026-01-02T03:04:05.000Z info request done ms=12 path=/mcp note="two words"']);
});

test('leaves out records below the level, and all of them when silent', () => {
  const warn = recording('warn');
  const silent = recording('silent');

  warn.logger.info('small');
  warn.logger.error('big');
  silent.logger.error('big');

  expect(warn.lines).toHaveLength(1);
  expect(silent.lines).toEqual([]);
});

test('carries the fields of a child logger', () => {
  const { lines, logger } = recording('info');

  logger.child({ client: 'cursor' }).info('hello', { n: 1 });

  expect(lines[0]).toContain('client=cursor n=1');
});

test('writes JSON when asked to', () => {
  const { lines, logger } = recording('info', 'json');

  logger.warn('busy', { port: 7411 });

  expect(JSON.parse(lines[0] ?? '')).toEqual({
    time: '2026-01-02T03:04:05.000Z',
    level: 'warn',
    message: 'busy',
    port: 7411,
  });
});

test('keeps a record on one line and escapes what a terminal would obey', () => {
  const { lines, logger } = recording('info');

  logger.info('two\nlines \u001b[2J', { name: 'a\u0007' });

  expect(lines[0]).toBe('2026-01-02T03:04:05.000Z info two\\nlines \\x1b[2J name=a\\x07');
});

test.each([
  ['a field named for a secret', 'started', { token: 'abc' }],
  ['a bearer token in a message', `Authorization: Bearer ${'x'.repeat(20)}`, {}],
  ['a password in a URL', 'connect to postgres://me:hunter2@db/x', {}],
  ['a provider key', `using ${['sk', 'live', 'abcdefgh12345678'].join('-')}`, {}],
  ['a token in a query', 'GET /mcp?token=abcdef123', {}],
])('hides %s', (_what, message, fields) => {
  const { lines, logger } = recording('info');

  logger.info(message, fields);

  expect(lines[0]).toContain('[hidden]');
  expect(lines[0]).not.toMatch(/abc|hunter2|x{8}/);
});
