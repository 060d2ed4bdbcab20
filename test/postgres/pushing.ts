/** Indexes that are pushed: what is sent, to whom it is shown, and what a server that keeps no text can say. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createApiToken } from '../../src/auth/index.ts';
import type { Scope } from '../../src/core/index.ts';
import { systemClock, systemIds } from '../../src/platform/index.ts';
import { git, memoryProject } from '../support/memory-client.ts';
import type { PostgresServer } from '../support/postgres-server.ts';
import { collectEnds, type OnEnd } from '../support/temp-folder.ts';
import { emptyHome, run, serve, type Home } from '../support/waymark.ts';

/** Is in every project of these tests. */
const A = 'src/a.ts';
const FILES = {
  'src/session.ts':
    'export function expireSession(id: string) {\n  return id;\n}\nexport function keepSession() {\n  return 1;\n}\n',
  'src/basket.ts': "import { expireSession } from './session.ts';\nexport const emptyBasket = () => expireSession('x');\n",
};

export function describePushing(serverOf: () => PostgresServer): void {
  async function serveTeam(onEnd: OnEnd, flags: readonly string[] = []) {
    const home = emptyHome(onEnd);
    const dataDir = home.folder.join('data');
    const served = await serve(['--require-token', '--rest', '--data-dir', dataDir, ...flags], {
      home,
      onEnd,
      env: { WAYMARK_STORAGE: await serverOf().newDatabase() },
    });
    let made = 0;
    const tokenOf = (options: { tenant?: string; scopes?: readonly Scope[] } = {}) =>
      createApiToken(
        dataDir,
        { name: `token ${(made += 1)}`, scopes: ['search', 'memory:write'], expiresAt: undefined, ...options },
        { ids: systemIds, clock: systemClock },
      ).token;
    const ask = async (token: string, path: string, body: object) => {
      const reply = await fetch(new URL(path, served.url), {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return reply.text();
    };
    const search = (token: string, query: string, project: string) =>
      ask(token, '/mcp/search/code', { query, project });
    return { url: served.url, tokenOf, ask, search };
  }

  /** One remote for each test, however it is written. */
  function checkOut(remote: string, files: Readonly<Record<string, string>> = FILES) {
    const { folder, home } = memoryProject(files);
    git(folder.path, 'remote', 'add', 'origin', remote);
    const push = async (url: string, token: string, ...args: readonly string[]) => {
      const { stdout, stderr, code } = await run(['push', '--server', url, '--json', ...args], {
        home: withToken(home, token),
        cwd: folder.path,
      });
      if (code !== 0) throw new Error(stderr + stdout);
      // What the command prints with --json.
      return JSON.parse(stdout) as { sent: string[]; branch: string; own: number; bytes: number };
    };
    const commit = (name: string): void => {
      git(folder.path, 'add', '.');
      git(folder.path, '-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-qm', name);
    };
    return { folder, push, commit };
  }

  describe('R164 waymark push', () => {
    const { onEnd, end } = collectEnds();
    let team: Awaited<ReturnType<typeof serveTeam>>;
    beforeAll(async () => {
      team = await serveTeam(onEnd);
    });
    afterAll(end);

    test('sends an index once: a second person sends next to nothing, and both find what was pushed, without its lines', async () => {
      const [ann, bob] = [team.tokenOf(), team.tokenOf()];
      const hers = checkOut('git@git.example:Acme/Shop.git');
      const his = checkOut('https://me@git.example/acme/shop');
      const project = 'git.example/acme/shop';

      const first = await hers.push(team.url, ann);
      const second = await his.push(team.url, bob, '--force');
      const found = await team.search(bob, 'expire session', 'shop');
      const uses = await team.ask(bob, '/mcp/structure/references', { symbol: 'expireSession', project });

      expect(first).toMatchObject({ branch: 'written', own: 0, sent: [A, 'src/basket.ts', 'src/session.ts'] });
      expect(second.sent).toEqual([]);
      expect(second.bytes).toBeLessThan(first.bytes);
      expect(found).toContain('src/session.ts');
      expect(found).toContain('expireSession');
      expect(found).toContain('keeps no source text');
      expect(found).not.toContain('return id');
      expect(uses).toContain('src/basket.ts');
    });

    test('what is not committed is shown to the one who pushed it alone, until it is committed', async () => {
      const [ann, bob] = [team.tokenOf(), team.tokenOf()];
      const { folder, push, commit } = checkOut('https://git.example/plan/shop.git');
      const project = 'git.example/plan/shop';
      await push(team.url, ann);
      folder.write({ 'src/secret-plan.ts': 'export function secretPlan() {\n  return 2;\n}\n' });

      const own = await push(team.url, ann);
      const [mine, theirs] = [
        await team.search(ann, 'secretPlan', project),
        await team.search(bob, 'secretPlan', project),
      ];
      commit('plan');
      const committed = await push(team.url, ann);
      const after = await team.search(bob, 'secretPlan', project);

      expect(own).toMatchObject({ own: 1, sent: ['src/secret-plan.ts'], branch: 'same' });
      expect(mine).toContain('src/secret-plan.ts');
      expect(theirs).not.toContain('secret-plan');
      // No key told that it was there before: it is sent again.
      expect(committed).toMatchObject({ own: 0, sent: ['src/secret-plan.ts'], branch: 'written' });
      expect(after).toContain('src/secret-plan.ts');
    });

    test('an older commit does not take the branch back, and branches stand beside each other', async () => {
      const [ann, bob] = [team.tokenOf(), team.tokenOf()];
      const { folder, push, commit } = checkOut('https://git.example/old/shop.git');
      const project = 'git.example/old/shop';
      folder.write({ 'src/later.ts': 'export function laterWork() {}\n' });
      commit('later');
      await push(team.url, ann);
      git(folder.path, 'checkout', '-q', '-B', 'side', 'HEAD~1');
      const side = await push(team.url, bob);

      const behind = await push(team.url, bob, '--branch', 'main');
      const [main, other] = [
        await team.search(ann, 'laterWork', project),
        await team.search(ann, 'laterWork', `${project}@side`),
      ];

      expect(side).toMatchObject({ branch: 'written', sent: [] });
      expect(behind.branch).toBe('newer');
      expect(main).toContain('src/later.ts');
      expect(other).not.toContain('src/later.ts');
    });

    test('secrets are taken out before anything leaves the machine, and a dry run sends nothing but digests', async () => {
      const token = ['ghp', 'q'.repeat(4) + 'Zk29vLm4XyTr8WbN1cDe5fGh6jKp7'].join('_');
      const { push, folder } = checkOut('https://git.example/a/b', {
        ...FILES,
        'src/config.ts': `export const githubToken = '${token}';\nexport function readConfig() {}\n`,
      });
      const sent: Buffer[] = [];
      const listener = createServer((request, reply) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          sent.push(inflateRawSync(Buffer.concat(chunks)));
          const all = Array.from({ length: 256 }, (_, at) => at);
          const said: Readonly<Record<string, object>> = {
            '/mcp/push/state': { commit: null, generation: 0, differing: all, keeps_source: true },
            '/mcp/push/stage': { missing: [0, 1, 2, 3] },
          };
          reply.setHeader('content-type', 'application/json');
          reply.end(JSON.stringify(said[request.url ?? ''] ?? {}));
        });
      });
      await new Promise<void>((resolve) => void listener.listen(0, '127.0.0.1', resolve));
      onTestFinished(() => void listener.close());
      const address = listener.address();
      const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/mcp`;

      const dry = await push(url, 'x'.repeat(40), '--dry-run');
      const dryBytes = sent.splice(0).reduce((sum, { length }) => sum + length, 0);
      await push(url, 'x'.repeat(40));
      const all = Buffer.concat(sent).toString('latin1');

      expect(dry.sent).toEqual([A, 'src/basket.ts', 'src/config.ts', 'src/session.ts']);
      expect(dryBytes).toBeLessThan(8_000);
      expect(readFileSync(folder.join('src/config.ts'), 'utf8')).toContain(token);
      expect(all).toContain('readConfig');
      expect(all).not.toContain(token);
      expect(all).not.toContain(token.slice(4, 30));
    });

    test('needs memory:write, stays in its tenant, and says what is wrong in plain words', async () => {
      const [acme, globex] = [team.tokenOf({ tenant: 'acme' }), team.tokenOf({ tenant: 'globex' })];
      const { push } = checkOut('https://git.example/tenants/shop');
      const project = 'git.example/tenants/shop';
      await push(team.url, acme);

      const refused = await Promise.allSettled([
        push(team.url, team.tokenOf({ scopes: ['search'] })),
        push(team.url, 'y'.repeat(40)),
        push('http://127.0.0.1:9/mcp', acme, '--as', 'no name'),
        push(team.url.replace('/mcp', '/elsewhere'), acme, '--as', '../x/y'),
      ]);
      const [mine, theirs, ours] = await Promise.all(
        [acme, globex, team.tokenOf()].map((token) => team.search(token, 'expire session', project)),
      );

      expect(refused.map((one) => (one.status === 'rejected' ? String(one.reason) : 'pushed'))).toEqual([
        expect.stringContaining('does not allow pushing'),
        expect.stringContaining('does not take this token'),
        expect.stringContaining('no remote that others can know it by'),
        expect.stringContaining('no remote that others can know it by'),
      ]);
      expect(mine).toContain('src/session.ts');
      for (const text of [theirs, ours]) expect(text).not.toContain('src/session.ts');
    });
  });
}

function withToken(home: Home, token: string): Home {
  return { ...home, env: { ...home.env, WAYMARK_TOKEN: token } };
}
