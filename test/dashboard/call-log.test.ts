import { describe, expect, test } from 'vitest';
import { LOCAL_PRINCIPAL } from '../../src/core/index.ts';
import { systemClock } from '../../src/platform/index.ts';
import { createCallLog, toCallDetails, toCallRow } from '../../src/dashboard/call-log.ts';

function call(log: ReturnType<typeof createCallLog>, args: unknown, text: string): void {
  const started = {
    tool: 'search_code',
    args,
    client: 'agent 1',
    transport: 'http',
    principal: LOCAL_PRINCIPAL,
    writes: false,
  } as const;
  log.call(started)({ answer: { text, structured: { hits: [{ path: 'a.ts' }] } }, detection: undefined });
}

describe('the log of calls', () => {
  test('keeps the last 2,000 calls, and counts all of them', () => {
    const log = createCallLog(systemClock);

    for (let at = 0; at < 2_500; at++) call(log, { query: `q${at}` }, 'answer');

    expect(log.after(0)).toHaveLength(2_000);
    expect(log.after(2_490).map((noted) => toCallRow(noted, undefined).question)[0]).toBe('q2490');
    expect(log.find(1)).toBeUndefined();
    expect(log.counts()).toEqual({ calls: 2_500, errors: 0 });
  });

  test('keeps at most 8 MB of what was asked and answered', () => {
    const log = createCallLog(systemClock);

    for (let at = 0; at < 300; at++) call(log, { content: 'x'.repeat(30_000) }, 'y'.repeat(40_000));

    const held = log
      .after(0)
      .reduce((sum, { args, text }) => sum + JSON.stringify(args).length + (text?.length ?? 0), 0);
    expect(held).toBeLessThanOrEqual(8_000_000);
    expect(log.after(0).length).toBeGreaterThan(100);
  });

  test('R182 shows no secret of what was asked', () => {
    const log = createCallLog(systemClock);
    const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'.slice(0, 36)}`;

    call(log, { query: `where is ${secret} used` }, 'answer');

    const [noted] = log.after(0);
    if (noted === undefined) throw new Error('nothing was noted');
    expect(JSON.stringify([toCallRow(noted, undefined), toCallDetails(noted)])).not.toContain(secret);
  });

  test('says in one line what a call was about, without the project, which has a column of its own', () => {
    const log = createCallLog(systemClock);

    call(log, { query: 'how', project: '/p' }, '');
    call(log, { files: ['a.ts', 'b.ts'], project: '/p' }, '');
    call(log, { project: '/p' }, '');
    call(log, { depth: 2, project: '/p' }, '');

    expect(log.after(0).map((noted) => toCallRow(noted, undefined).question)).toEqual([
      'how',
      'a.ts, b.ts',
      '',
      '{"depth":2,"project":"/p"}',
    ]);
  });

  test('knows a client by its listing, before it has called anything', () => {
    const log = createCallLog(systemClock);

    log.listing({ client: 'agent 1', transport: 'http', principal: LOCAL_PRINCIPAL });

    expect(log.clients()).toMatchObject([{ client: 'agent 1', listings: 1, calls: 0, project: null }]);
  });
});
