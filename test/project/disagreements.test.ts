/** R005: what the log says when sources name different projects. */
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { openClient } from '../support/clients.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { emptyHome, serve } from '../support/waymark.ts';
import { project } from './projects.ts';

test('R005 logs each disagreement once, with winner and loser', async () => {
  const a = project('a');
  const b = project('b');
  const home = emptyHome();
  const log = home.folder.join('log');
  const { url } = await serve(['--log-level', 'info', '--log-file', log], {
    home,
    env: { WAYMARK_PROJECT: b.root },
  });
  const client = await openClient({ kind: 'HTTP, version 1', url: `${url}?project_path=${a.root}` });

  await client.call('project_status');
  await client.call('project_status');

  const lines = readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line.includes('sources name different projects'));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(`winner=query_param winnerPath=${a.root} loser=env loserPath=${b.root}`);
});

test('R005 a switched project that differs from the roots told before is logged, once, without asking for them again', async () => {
  const a = project('a');
  const b = project('b');
  const log = tempFolder().join('log');
  let asked = 0;
  const client = await openClient({
    kind: 'stdio, version 1',
    args: ['--log-level', 'info', '--log-file', log],
    listChanged: true,
    roots: () => {
      asked += 1;
      return [pathToFileURL(a.root).href];
    },
  });

  await client.call('index_stats');
  await client.call('switch_project', { project: b.root });
  await client.call('index_stats');
  await client.call('index_stats');

  const lines = readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line.includes('sources name different projects'));
  expect(lines).toEqual([
    expect.stringContaining(`winner=switched winnerPath=${b.root} loser=roots loserPath=${a.root}`),
  ]);
  expect(asked).toBe(1);
});
