/** The guides about projects say what is so. */
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { PROJECT_SOURCES } from '../../src/core/index.ts';
import { withClientTable } from '../support/client-table.ts';
import { fencesOf, installExample, readGuide } from '../support/guide-example.ts';
import { tempFolder } from '../support/temp-folder.ts';

describe('the guide to clients', () => {
  const page = readGuide('clients.md');

  test('has the table that the client zoo makes', () => {
    expect(withClientTable(page), 'docs/guides/clients.md is stale: run npm run reference').toBe(page);
  });

  test.each(['Claude Desktop', 'Windsurf', 'Cline'])(
    'R014 shows WAYMARK_PROJECT and --project-from-cwd in the configuration of %s',
    (client) => {
      const section = page.split(/^#{2,3} /m).find((part) => part.startsWith(`${client}\n`)) ?? '';
      const entries = fencesOf(section, 'json').map((code) => JSON.parse(code).mcpServers.waymark);

      expect(entries).toEqual([
        expect.objectContaining({ env: { WAYMARK_PROJECT: expect.stringMatching(/^\//) } }),
        expect.objectContaining({
          args: expect.arrayContaining([expect.stringContaining('--project-from-cwd')]),
        }),
      ]);
    },
  );
});

describe('the guide to detectProject', () => {
  const page = readGuide('detect-project.md');

  test('lists every source in the order of the chain', () => {
    const listed = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, source]) => source);

    expect(listed).toEqual([...PROJECT_SOURCES]);
  });

  test('has an example that compiles against the published types and runs', { timeout: 60_000 }, () => {
    const [code = ''] = fencesOf(page, 'ts');
    const example = installExample(code);
    const place = tempFolder({ 'a/.git/HEAD': '', 'b/package.json': '{}', 'home/x': '' });
    const env = { PATH: process.env['PATH'] ?? '', HOME: place.join('home') };
    const run = (cwd: string, ...roots: string[]): string =>
      execFileSync(process.execPath, [example.script, ...roots], { cwd, env, encoding: 'utf8' });

    execFileSync(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', example.folder]);

    expect(run(place.join('b'), pathToFileURL(place.join('a')).href)).toBe(
      `a (${place.join('a')}, via roots)\nroots won over cwd, which says ${place.join('b')}\n`,
    );
    expect(run(place.join('b'))).toBe(`b (${place.join('b')}, via cwd)\n`);
    expect(run(place.join('home'))).toBe('no project\n');
  });
});
