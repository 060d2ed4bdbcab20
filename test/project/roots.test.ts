/** Section B of the contract: roots, on every transport and in both eras. */
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import {
  addressFor,
  CLIENT_KINDS,
  isStdio,
  keepsState,
  openClient,
  type ClientKind,
  type Roots,
} from '../support/clients.ts';
import { shareServers } from '../support/shared-servers.ts';
import { collectEnds, tempFolder } from '../support/temp-folder.ts';
import { project, rootOf } from './projects.ts';

const LEGACY_KINDS = CLIENT_KINDS.filter(keepsState);

const { onEnd, end } = collectEnds();
afterAll(end);
const logFile = tempFolder({ log: '' }, onEnd).join('log');
const ARGS = ['--log-level', 'debug', '--log-file', logFile];
/** The source after roots. */
const ENV = { WAYMARK_PROJECT: project('env', onEnd).root };
const server = shareServers();

interface Setup {
  readonly roots?: Roots;
  readonly listChanged?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

/** A client of any kind against the real program, whose answers to the question for roots are counted. */
async function open(kind: ClientKind, { roots = 'undeclared', listChanged, env = {} }: Setup) {
  const logged = (): string => readFileSync(logFile, 'utf8');
  const before = logged().length;
  let asked = 0;
  const counted: Roots =
    roots === 'undeclared'
      ? roots
      : () => {
          asked += 1;
          return roots();
        };
  const target = isStdio(kind)
    ? { args: ARGS, env }
    : { url: addressFor(kind, (await server(ARGS, { env })).url) };
  const changes = listChanged === undefined ? {} : { listChanged };
  const client = await openClient({ kind, ...target, roots: counted, ...changes });
  return { ...client, asked: () => asked, log: () => logged().slice(before) };
}

describe.each(CLIENT_KINDS)('roots over %s', (kind) => {
  test('R030 R035 are asked for lazily, never at start or for a listing', async () => {
    const { root, uri } = project('a');
    const client = await open(kind, { roots: () => [uri] });

    await client.raw.listTools();
    await client.raw.listPrompts();
    await client.raw.listResources();
    const before = client.asked();
    const answer = await client.call('project_status');
    const prompt = await client.raw.getPrompt({ name: 'orient' });
    const resource = await client.raw.readResource({ uri: 'waymark://project/status' });

    expect(before).toBe(0);
    expect(client.asked()).toBe(3);
    expect(rootOf(answer)).toBe(root);
    expect(JSON.stringify([prompt.messages, resource.contents]).split(`(${root}, via roots)`)).toHaveLength(
      3,
    );
    expect(client.raw.getServerCapabilities()).not.toHaveProperty('roots');
  });

  test('R030 are not asked of a client that does not declare them, nor for a call that names its project', async () => {
    const a = project('a');
    const silent = await open(kind, {});
    const named = await open(kind, { roots: () => [a.uri] });
    const other = project('other');

    const status = await silent.call('project_status');
    const byArgument = await named.call('project_status', { project: other.root });

    expect(status.text).toContain('the client declares no roots');
    expect(rootOf(byArgument)).toBe(other.root);
    expect(byArgument.text).toMatch(/not asked: roots/);
    expect(named.asked()).toBe(0);
  });

  test('R031 an empty list or no usable root means the next source', async () => {
    let roots: readonly unknown[] = [];
    const client = await open(kind, { env: ENV, roots: () => roots });

    const empty = await client.call('project_status');
    roots = ['file:///does/not/exist', 'untitled:x'];
    const useless = await client.call('project_status');

    expect([empty, useless].map(rootOf)).toEqual([ENV.WAYMARK_PROJECT, ENV.WAYMARK_PROJECT]);
    expect(client.asked()).toBe(2);
  });

  test('R031 R032 a malformed root costs only itself, and more than a hundred are not dropped in silence', async () => {
    const a = project('a');
    let roots: readonly unknown[] = [];
    const client = await open(kind, { roots: () => roots });
    const tell = (told: readonly unknown[]) => {
      roots = told;
      return client.call('project_status');
    };

    const odd = await tell([{ name: 'no uri' }, 7, null, a.uri]);
    const long = await tell([a.uri, ...Array<string>(149).fill('file:///gone')]);
    const lost = await tell(Array<string>(103).fill('file:///gone'));

    expect(rootOf(odd)).toBe(a.root);
    expect(odd.text).toContain('root 4 of 4');
    expect(rootOf(long)).toBe(a.root);
    expect(long.text).toContain('root 1 of 150, of which 100 are looked at');
    expect(lost.text).toContain('3 more roots are not looked at');
  });

  test('R032 the first existing directory wins, each missing one costs a debug line, all are the workspace', async () => {
    const [first, second] = [project('first'), project('second')];
    const client = await open(kind, {
      roots: () => ['file:///does/not/exist', 'untitled:x', `${first.uri}/.git/HEAD`, first.uri, second.uri],
    });

    const answer = await client.call('project_status');

    expect(rootOf(answer)).toBe(first.root);
    expect(answer.text).toContain('root 4 of 5');
    expect(answer.structured['workspace']).toEqual([
      { name: 'first', root: first.root },
      { name: 'second', root: second.root },
    ]);
    expect(client.log().match(/debug .*a root is passed over.*/gi)).toEqual([
      expect.stringMatching(/root=1 .*does not exist/),
      expect.stringMatching(/root=2 .*not a file URI/),
      expect.stringMatching(/root=3 .*is not a directory/),
    ]);
  });

  test('R033 are asked for on each call of a client that does not promise to tell of changes', async () => {
    const [a, b] = [project('a'), project('b')];
    let uri = a.uri;
    const client = await open(kind, { roots: () => [uri] });

    const first = rootOf(await client.call('project_status'));
    uri = b.uri;
    const second = rootOf(await client.call('project_status'));

    expect([first, second, client.asked()]).toEqual([a.root, b.root, 2]);
  });
});

describe.each(LEGACY_KINDS)('roots of a connection over %s', (kind) => {
  test('R031 R034 an error means the next source, or the roots last seen on that connection', async () => {
    const a = project('a');
    let broken = true;
    const roots = () => {
      if (broken) throw new Error('Method not found');
      return [a.uri];
    };
    const client = await open(kind, { env: ENV, roots });
    const other = await open(kind, { env: ENV, roots });

    const first = rootOf(await client.call('project_status'));
    broken = false;
    const told = rootOf(await client.call('project_status'));
    broken = true;
    const later = await client.call('project_status');
    const elsewhere = rootOf(await other.call('project_status'));

    expect([first, told, rootOf(later)]).toEqual([ENV.WAYMARK_PROJECT, a.root, a.root]);
    expect(later.text).toContain('as the client told earlier');
    expect(elsewhere).toBe(ENV.WAYMARK_PROJECT);
  });

  test('R031 a client that never answers is asked once and then left alone for a while', async () => {
    const client = await open(kind, { roots: () => new Promise(() => {}) });

    await client.call('project_status');
    await client.call('project_status');
    const { text } = await client.call('project_status');

    expect(client.asked()).toBe(1);
    expect(text).toContain('is not asked again for a while');
  });

  test('R009 R033 are kept while the client promises to tell of changes, and asked anew after it did', async () => {
    const [a, b] = [project('a'), project('b')];
    let uri = a.uri;
    const client = await open(kind, { roots: () => [uri], listChanged: true });

    const first = rootOf(await client.call('project_status'));
    uri = b.uri;
    const kept = rootOf(await client.call('project_status'));
    const askedBefore = client.asked();
    await client.rootsChanged();
    const changed = rootOf(await client.call('project_status'));

    expect([first, kept, changed]).toEqual([a.root, a.root, b.root]);
    expect([askedBefore, client.asked()]).toEqual([1, 2]);
    expect(client.log()).toContain('the client says its roots have changed');
  });
});
