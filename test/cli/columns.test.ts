/** All output of setup, doctor and uninstall fits 80 columns, except for paths and commands, which must not be cut. */
import { expect, test } from 'vitest';
import { CLIENTS, FINDINGS, type FindingId, type Handshake } from '../../src/clients/index.ts';
import { createPaint } from '../../src/cli/look/theme.ts';
import { renderFindings } from '../../src/cli/doctor/run-doctor.ts';
import { renderHandshake, renderPlan } from '../../src/cli/setup/render-setup.ts';
import { AppError } from '../../src/core/index.ts';
import { run } from '../support/waymark.ts';

const PAINT = createPaint(undefined);
const LONG = `/home/me/${'a-long-name/'.repeat(5)}file.json`;

/** Lines that are too long and could have been broken at a space. */
function tooLong(text: string): readonly string[] {
  return text
    .split('\n')
    .filter((line) => line.length > 80 && line.trim().split(' ').slice(0, -1).join(' ').length > 40);
}

test('every finding of the doctor', () => {
  const ids = Object.keys(FINDINGS).filter((id): id is FindingId => Object.hasOwn(FINDINGS, id));
  const findings = ids.flatMap((id) =>
    (['ok', 'note', 'problem'] as const).map((level) => ({
      id,
      level,
      seen: `Some Client, ${LONG}: it ended`,
    })),
  );

  const text = renderFindings(findings, '/home/me', PAINT);

  expect(ids.length).toBeGreaterThan(25);
  expect(tooLong(text)).toEqual([]);
});

test('every handshake of every client', () => {
  const whys = [
    ...(['no program', 'ended', 'silent', 'no MCP', 'unreachable', 'refused'] as const),
    ...(['no token', 'no variable', 'wrong token'] as const),
  ];
  const handshakes: readonly Handshake[] = [
    {
      kind: 'answered',
      server: 'waymark',
      version: '10.10.10',
      protocol: '',
      tools: 25,
      tokens: 12_345,
      ms: 12_345,
    },
    ...whys.map((why): Handshake => ({
      kind: 'failed',
      why,
      detail: `it ended with exit code 3: ${'many words of another program '.repeat(9)}`,
    })),
  ];

  const texts = CLIENTS.flatMap((client) => handshakes.map((one) => renderHandshake(client, one, PAINT)));

  expect(texts.flatMap(tooLong)).toEqual([]);
});

test('every line of a plan', () => {
  const error = new AppError('file_unavailable', `${LONG} was written again by another program.`, {
    hint: 'The entry is gone. Quit it and run the same command again.',
  });
  const planned = CLIENTS.flatMap((client) => [
    { kind: 'refused' as const, client, absPath: LONG, error },
    {
      kind: 'unsupported' as const,
      client,
      why: 'takes a token only in the clear',
      hint: 'word '.repeat(40).trim(),
    },
  ]);

  expect(tooLong(renderPlan(planned, { home: '/home/me', paint: PAINT, isNumbered: true }))).toEqual([]);
});

test.each(['setup', 'doctor', 'uninstall', 'token'])('the help of %s', async (command) => {
  const { stdout } = await run([command, '--help']);

  expect(stdout).toContain(`waymark ${command}`);
  expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
});
