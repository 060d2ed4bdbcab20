/** A team: servers on machines of their own, with the same repository in other places, and one database. */
import { expect, onTestFinished, test } from 'vitest';
import type { PostgresServer } from '../support/postgres-server.ts';
import { openClient, type OpenClient } from '../support/clients.ts';
import { git, memoryProject } from '../support/memory-client.ts';
import { readdirSync } from 'node:fs';
import { run, serve, type Home } from '../support/waymark.ts';

const REMOTES = ['git@git.example:Acme/Shop.git', 'https://me:t0ken@git.example/acme/shop'] as const;
const PASSWORD = ['only', 'for', 'tests'].join('-');

export function describeTeam(serverOf: () => PostgresServer): void {
  /** A database of its own: all servers of one are of one team. */
  async function machines() {
    const url = await serverOf().newDatabase();
    const storage = url.replace('waymark@', `waymark:${PASSWORD}@`);
    return REMOTES.map((remote) => {
      const { folder, home } = memoryProject({
        'src/session.ts': 'export function expireSession(id: string) {\n  return id;\n}\n',
      });
      git(folder.path, 'remote', 'add', 'origin', remote);
      const withStorage: Home = { ...home, env: { ...home.env, WAYMARK_STORAGE: storage } };
      return { folder, home: withStorage };
    });
  }

  async function connect({
    folder,
    home,
  }: Awaited<ReturnType<typeof machines>>[number]): Promise<OpenClient> {
    const { url } = await serve(['--project-from-cwd'], { cwd: folder.path, home });
    return openClient({ kind: 'HTTP, version 2, modern', url: `${url}`, name: 'team-test' });
  }

  test('R160 R164 a server keeps its index in the database, follows its files there, and shares its memory with the team', async () => {
    const [ann, bob] = await machines();
    if (ann === undefined || bob === undefined) throw new Error('there are no machines');
    const [hers, his] = await Promise.all([connect(ann), connect(bob)]);
    await hers.call('search_code', { query: 'expire session' });

    await hers.call('remediation_save', {
      error: 'ECONNREFUSED in checkout',
      solution: 'start the payment stub before the tests',
    });
    const recalled = await his.call('remediation_search', { error: 'ECONNREFUSED in checkout' });
    ann.folder.write({ 'src/basket.ts': 'export function emptyBasket() {}\n' });
    const found = await hers.call('search_code', { query: 'emptyBasket' });

    expect(recalled.text).toContain('start the payment stub');
    expect(found.text).toContain('src/basket.ts:1');
    for (const { home } of [ann, bob]) expect(readdirSync(home.folder.path).includes('cache')).toBe(false);
  });

  test('the address of the database is shown nowhere', async () => {
    const [ann] = await machines();
    const shown = await run(['config', 'show', '--json'], ann ?? {});
    const wrong = await run(['stats', '--debug', '--storage', `mysql://u:${PASSWORD}@h/x`], ann ?? {});
    const away = `postgres://u:${PASSWORD}@127.0.0.1:1/x?connect_timeout=1`;
    const gone = await run(['config', 'show', '--debug', '--storage', away], ann ?? {});

    expect(JSON.parse(shown.stdout)).toMatchObject({ settings: { storage: { value: '(set)' } } });
    expect(wrong.code).not.toBe(0);
    expect(wrong.stderr).toContain('is not the address of a PostgreSQL database');
    for (const { stdout, stderr } of [shown, wrong, gone]) expect(stdout + stderr).not.toContain(PASSWORD);
  });

  test('/readyz says when the database is away, and when it is back', async () => {
    const [ann] = await machines();
    const { url } = await serve([], ann ?? {});
    const ready = async (): Promise<number> => (await fetch(new URL('/readyz', url))).status;
    onTestFinished(() => serverOf().start());
    const before = await ready();
    await serverOf().stop('immediate');

    const away = await ready();
    await serverOf().start();

    expect([before, away]).toEqual([200, 503]);
    await expect.poll(ready, { timeout: 15_000 }).toBe(200);
  });
}
