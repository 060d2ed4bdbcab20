/** Tenants of one server: each has projects, memory and figures of its own. `npm run campaign:tenants` asks far more. */
import { describe, expect, test } from 'vitest';
import { createApiToken } from '../../src/auth/index.ts';
import { SCOPES } from '../../src/core/index.ts';
import { systemClock, systemIds } from '../../src/platform/index.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { emptyHome, run, serve } from '../support/waymark.ts';

async function serveTenants() {
  const home = emptyHome();
  const folder = tempFolder({
    'own/shop/a.ts': 'export const mine = 1;\n',
    'tenants/acme/shop/a.ts': 'export const theirs = 2;\n',
    'tenants/globex/shop/a.ts': 'export const others = 3;\n',
  });
  const dataDir = home.folder.join('data');
  const places = [
    '--allow-project-root',
    folder.join('own'),
    '--tenant-project-root',
    folder.join('tenants'),
  ];
  const served = await serve(['--require-token', '--rest', '--metrics', '--data-dir', dataDir, ...places], {
    home,
  });
  const tokenOf = (tenant: string | undefined) =>
    createApiToken(
      dataDir,
      { name: `of ${tenant}`, scopes: SCOPES, tenant, expiresAt: undefined },
      { ids: systemIds, clock: systemClock },
    ).token;
  const ask = async (token: string, path: string, body?: object) => {
    const reply = await fetch(new URL(path, served.url), {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: reply.status, text: await reply.text() };
  };
  return { folder, home, dataDir, ask, tokenOf };
}

describe('R162 a tenant', () => {
  test('has the projects in the folder of its name, and those of others are not there, whether they exist or not', async () => {
    const { folder, ask, tokenOf } = await serveTenants();
    const acme = tokenOf('acme');
    const search = (project: string) => ask(acme, '/mcp/search/code', { query: 'const', project });

    const own = await search(folder.join('tenants/acme/shop'));
    const refused = await Promise.all(
      ['tenants/globex/shop', 'tenants/globex/none', 'own/shop', 'tenants/acme/../globex/shop'].map(
        async (path) => {
          const { status, text } = await search(folder.join(path));
          return [status, text.replaceAll(folder.join(path), 'PATH')];
        },
      ),
    );

    expect(own.text).toContain('theirs');
    expect(new Set(refused.map(String)).size).toBe(1);
    expect(refused[0]?.[0]).toBe(403);
  });

  test('neither sees nor finds what another one saved under the same name, and has no part in the figures of all', async () => {
    const { folder, ask, tokenOf } = await serveTenants();
    const [own, acme, globex] = [tokenOf(undefined), tokenOf('acme'), tokenOf('globex')];
    const project = folder.join('tenants/acme/shop');
    await ask(acme, '/mcp/skill/save', { project, name: 'deploy', content: 'Press the blue button.' });

    const theirs = await ask(acme, '/mcp/recall', { project, query: 'deploy button' });
    const others = await Promise.all(
      [globex, own].flatMap((token) => [
        ask(token, '/mcp/status', { project: 'shop' }),
        ask(token, '/mcp/index/list', {}),
        ask(token, '/mcp/recall', {
          project: folder.join(token === own ? 'own/shop' : 'tenants/globex/shop'),
          query: 'deploy button',
          all_projects: true,
        }),
      ]),
    );
    const figures = await Promise.all([own, acme].map((token) => ask(token, '/metrics')));

    expect(theirs.text).toContain('blue button');
    for (const { text } of others) expect(text).not.toMatch(/blue button|acme/);
    expect(figures.map(({ status }) => status)).toEqual([200, 403]);
  });
});

test('R162 `waymark token create --tenant` makes a token of a tenant, and of no name that is none', async () => {
  const { home, dataDir, ask, folder } = await serveTenants();
  const create = (name: string, tenant: string) =>
    run(['token', 'create', name, '--tenant', tenant, '--data-dir', dataDir, '--json'], { home });

  const made = await create('ci', 'acme');
  const refused = await create('x', 'default');
  const listed = await run(['token', 'list', '--data-dir', dataDir], { home });
  // What the command prints with --json.
  const { token } = JSON.parse(made.stdout) as { token: string };
  const found = await ask(token, '/mcp/search/code', {
    query: 'const',
    project: folder.join('tenants/acme/shop'),
  });

  expect(found.text).toContain('theirs');
  expect(refused.code).not.toBe(0);
  expect(listed.stdout).toContain('ci of acme');
});
