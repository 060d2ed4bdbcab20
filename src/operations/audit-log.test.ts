import { expect, test } from 'vitest';
import { LOCAL_PRINCIPAL, type Principal } from '../core/index.ts';
import { createAuditLog } from './audit-log.ts';

const PERSON: Principal = {
  kind: 'person',
  id: 'person:x',
  issuer: 'https://issuer.example',
  subject: 'auth0|507f1f77bcf86cd799439011\u001b[31m',
  tenant: 'acme',
  scopes: ['memory:write'],
};

function open() {
  const lines: string[] = [];
  let elapsed = 0;
  const audit = createAuditLog({
    clock: { now: () => 0, elapsed: () => (elapsed += 5) },
    write: (line) => void lines.push(line),
  });
  const call = (tool: string, principal: Principal, writes: boolean) =>
    audit.observe({
      tool,
      principal,
      writes,
      args: { content: 'What was said.' },
      client: 'client 1',
      transport: 'http',
    });
  return { audit, call, lines, entries: () => lines.map((line): unknown => JSON.parse(line)) };
}

test('R165 a write is one line: who, what, where and what came of it, and nothing of what was said', () => {
  const { call, lines, entries } = open();

  call(
    'checkpoint_save',
    PERSON,
    true,
  )({
    answer: { text: 'What was said.', structured: { error_type: 'too_busy' }, isError: true },
    detection: undefined,
  });

  expect(entries()).toEqual([
    {
      time: '1970-01-01T00:00:00.000Z',
      principal: 'person:x',
      kind: 'person',
      issuer: 'https://issuer.example',
      subject: 'auth0|507f1f77bcf86cd799439011\\x1b[31m',
      tenant: 'acme',
      tool: 'checkpoint_save',
      outcome: 'failed',
      error: 'too_busy',
      ms: 5,
      client: 'client 1',
    },
  ]);
  expect(lines.join('')).not.toContain('What was said');
});

test('R165 reading leaves no line; a call that was refused or that broke does', () => {
  const { audit, call, entries } = open();

  call('search_code', LOCAL_PRINCIPAL, false)({ answer: { text: '', structured: {} }, detection: undefined });
  audit.refused({ principal: PERSON, tool: 'clear_index' });
  call('skill_save', LOCAL_PRINCIPAL, true)({ answer: undefined, detection: undefined });

  expect(entries()).toMatchObject([
    { tool: 'clear_index', outcome: 'refused' },
    { tool: 'skill_save', outcome: 'broken', principal: 'local' },
  ]);
});

test('R165 a write that is no call of a tool leaves the same line', () => {
  const { audit, entries } = open();

  audit.wrote({
    principal: LOCAL_PRINCIPAL,
    tool: 'page memory/edit',
    client: 'waymark page',
    project: '/p\u001b',
    ms: 3,
  });
  audit.wrote({ principal: LOCAL_PRINCIPAL, tool: 'token create', client: 'waymark', error: 'bad_argument' });

  expect(entries()).toMatchObject([
    { tool: 'page memory/edit', outcome: 'ok', principal: 'local', project: '/p\\x1b', ms: 3 },
    { tool: 'token create', outcome: 'failed', error: 'bad_argument', client: 'waymark' },
  ]);
});
