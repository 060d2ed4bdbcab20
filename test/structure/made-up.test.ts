/** Names that do not exist get near names, never the uses of another symbol; the bench asks for 500 in each of its repositories. */
import { expect, test } from 'vitest';
import { makeUpNames } from '../support/made-up-names.ts';
import { openClient } from '../support/clients.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { emptyHome, run, serve } from '../support/waymark.ts';

const NAMES = [
  'reserveSeat',
  'releaseSeat',
  'countSeats',
  'SeatPlan',
  'openTicket',
  'closeTicket',
  'priceOf',
];

test('R131 sixty names that are nearly right are refused, and nothing is told of another symbol', async () => {
  const text = NAMES.map((name) => `export function ${name}() {\n  return ${NAMES[0]};\n}\n`).join('');
  const project = tempFolder({ 'package.json': '{}', 'src/seats.ts': text });
  const home = emptyHome();
  await run(['index', '--exact', project.path], { home });
  const { url } = await serve([], { home });
  const client = await openClient({ kind: 'HTTP, version 2, modern', url });
  const made = makeUpNames(NAMES, 60);

  const answers = await Promise.all(
    made.map(async (symbol) => ({
      symbol,
      ...(await client.call('find_references', { symbol, project: project.path })),
    })),
  );

  expect(made).toHaveLength(60);
  expect(answers.filter(({ isError }) => !isError).map(({ symbol }) => symbol)).toEqual([]);
  expect(answers.filter(({ text: told }) => told.includes('src/seats.ts'))).toEqual([]);
  // One letter off is near, and so is the name in a container that is none.
  const near = answers.filter(({ text: told }) => told.includes('Near names'));
  expect(near.length).toBeGreaterThan(30);
}, 120_000);
