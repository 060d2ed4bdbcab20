/** R018, R020: places that are never a project, and writes to a project that was only guessed. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleEntry, type BundledEntry } from '../support/bundle-entry.ts';
import { openClient } from '../support/clients.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { emptyHome, run, serve } from '../support/waymark.ts';

let fixture: BundledEntry;
beforeAll(async () => {
  fixture = await bundleEntry('test/support/fixture-program.ts');
});
afterAll(() => fixture.remove());

describe('R018 what is never a project', () => {
  test('is an error by argument, by switch and by URL', async () => {
    const home = emptyHome();
    const { url } = await serve([], { home });
    const client = await openClient({ kind: 'HTTP, version 1', url });

    for (const path of ['/', home.folder.join('home')]) {
      const byArgument = await client.call('project_status', { project: path });
      const bySwitch = await client.call('switch_project', { project: path });
      const byUrl = await fetch(`${url}?project_path=${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'initialize', params: {} }),
      });
      expect(byArgument).toMatchObject({
        isError: true,
        text: expect.stringContaining('is never a project'),
      });
      expect(bySwitch).toMatchObject({ isError: true, text: expect.stringContaining('is never a project') });
      expect(byUrl.status).toBe(400);
    }
  });

  test('is passed over by every other source', async () => {
    const home = emptyHome();
    const client = await openClient({
      kind: 'stdio, version 1',
      env: { HOME: home.folder.join('home'), WAYMARK_PROJECT: '/' },
      cwd: '/',
      roots: () => ['file:///'],
    });

    const { structured } = await client.call('project_status');

    expect(structured['project']).toBeNull();
  });

  test('makes --project-from-cwd fail at start with a clear message', async () => {
    const { code, stderr } = await run(['serve', '--port', '0', '--project-from-cwd'], { cwd: '/' });

    expect(code).toBe(2);
    expect(stderr).toContain('--project-from-cwd cannot be used here: / is never a project');
    expect(stderr).toContain('hint: ');
  });
});

test('R020 a write on a weak guess needs a version-controlled root; a read does not', async () => {
  const folder = tempFolder({ 'manifest/package.json': '{}', 'vcs/.git/HEAD': '' });
  const inManifest = await openClient({
    kind: 'stdio, version 1',
    cwd: folder.join('manifest'),
    program: fixture.absPath,
  });
  const inVcs = await openClient({
    kind: 'stdio, version 1',
    cwd: folder.join('vcs'),
    program: fixture.absPath,
  });
  const flagged = await openClient({
    kind: 'stdio, version 1',
    cwd: folder.join('manifest'),
    args: ['--project-from-cwd'],
    program: fixture.absPath,
  });

  const read = await inManifest.call('fixture_read');
  const refused = await inManifest.call('fixture_write');
  const named = await inManifest.call('fixture_write', { project: folder.join('manifest') });
  const vcs = await inVcs.call('fixture_write');
  const withFlag = await flagged.call('fixture_write');

  expect(read.isError).toBe(false);
  expect(refused).toMatchObject({
    isError: true,
    structured: { error_type: 'weak_project', success: false },
  });
  expect(refused.text).toContain(`Call again with project="${folder.join('manifest')}"`);
  expect([named, vcs, withFlag].map(({ isError }) => isError)).toEqual([false, false, false]);
});
