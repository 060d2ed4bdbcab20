/**
 * Every client of the table, in both scopes, with every file we know people to have: the entry goes in where that client reads
 * it, no other byte moves, a second time changes nothing, and uninstall gives the file back. Real files, no process.
 */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parse as parseJsonc, type ParseError } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import {
  applyEdit,
  CLIENTS,
  openManifest,
  planFile,
  readConnection,
  SERVER_NAME,
  uninstall,
  type Client,
  type Connection,
  type ManifestStore,
  type Places,
  type PlannedEdit,
  type PlannedFile,
  type Scope,
} from '../../src/clients/index.ts';
import { systemIds } from '../../src/platform/index.ts';
import { BROKEN_JSON, JSON_FILES } from '../fixtures/client-files/json-files.ts';
import { BROKEN_TOML, TOML_FILES } from '../fixtures/client-files/toml-files.ts';
import { BROKEN_YAML, YAML_FILES } from '../fixtures/client-files/yaml-files.ts';
import { BROKEN_YAML_LIST, YAML_LIST_FILES } from '../fixtures/client-files/yaml-list-files.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { bytesOf, write } from './client-home.ts';

const FILES = {
  json: JSON_FILES,
  'json-hooks': JSON_FILES,
  'json-hooks-1': JSON_FILES,
  toml: TOML_FILES,
  yaml: YAML_FILES,
  'yaml-list': YAML_LIST_FILES,
  block: [],
  'script-block': [],
} as const;
const BROKEN = {
  json: BROKEN_JSON,
  'json-hooks': BROKEN_JSON,
  'json-hooks-1': BROKEN_JSON,
  toml: BROKEN_TOML,
  yaml: BROKEN_YAML,
  'yaml-list': BROKEN_YAML_LIST,
  block: [],
  'script-block': [],
} as const;
const STDIO: Connection = {
  kind: 'stdio',
  command: '/opt/node 22/bin/node',
  args: ['/opt/way "mark"/main.js', 'mcp'],
  env: { WAYMARK_DATA_DIR: '/data' },
};
const HTTP: Connection = { kind: 'http', url: 'http://127.0.0.1:7411/mcp' };
const WITH_TOKEN: Connection = { ...HTTP, token: { kind: 'variable', name: 'WAYMARK_TOKEN' } };

/** Both connections, as far as the client can be told them. */
function connectionsOf({ http }: Client): readonly Connection[] {
  if (http === undefined) return [STDIO];
  return [STDIO, http.token === undefined ? HTTP : WITH_TOKEN];
}

interface Machine {
  readonly file: string;
  readonly store: ManifestStore;
  readonly join: (...path: string[]) => string;
  plan(connection: Connection): PlannedFile;
}

function machineOf(client: Client, scope: Scope): Machine {
  const folder = tempFolder({ 'home/web shop/.git/HEAD': 'ref: refs/heads/main\n' });
  const root = folder.join('home', 'web shop');
  const places: Places = { system: 'linux', home: folder.join('home'), env: {} };
  const [inProject = ''] = client.projectFiles ?? [];
  const [ofUser = ''] = client.userFiles?.(places) ?? [];
  return {
    file: scope === 'user' ? ofUser : join(root, inProject),
    store: openManifest(folder.join('data'), systemIds),
    join: (...path) => (scope === 'user' ? folder.join(...path) : join(root, ...path)),
    plan: (connection) => planFile(client, places, { scope, root, connection }),
  };
}

function edit(plan: PlannedFile): PlannedEdit {
  if (plan.kind === 'refused' || plan.kind === 'unsupported') throw new Error(JSON.stringify(plan));
  return plan;
}

/** As the format's own parser reads it. */
function connectionIn(client: Client, text: string): unknown {
  const body = text.replace(/^\uFEFF/, '');
  const errors: ParseError[] = [];
  const json = (): unknown => parseJsonc(body, errors, { allowTrailingComma: true });
  const parsers = {
    toml: () => parseToml(body),
    yaml: (): unknown => parseYaml(body),
    'yaml-list': (): unknown => parseYaml(body),
    json,
    'json-hooks': json,
    'json-hooks-1': json,
    block: () => undefined,
    'script-block': () => undefined,
  };
  const value = parsers[client.format]();
  expect(errors).toEqual([]);
  const servers: unknown = Reflect.get(Object(value), client.key[0]);
  const entry: unknown = Array.isArray(servers)
    ? servers.find((item) => Reflect.get(Object(item), 'name') === SERVER_NAME)
    : Reflect.get(Object(servers), SERVER_NAME);
  return readConnection(client, entry);
}

/** What must be read again; the address may name the project besides, and so may the variables. */
function written(connection: Connection): object {
  if (connection.kind === 'stdio') return connection;
  return {
    ...connection,
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:7411\/mcp(?:\?project_path=|$)/),
  };
}

/** Whether a comma and one stretch of text are all that came, and at most an empty map or list went. */
function keepsTheRest(before: string, after: string): boolean {
  let head = 0;
  while (head < before.length && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < before.length - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const gone = before.slice(head, before.length - tail);
  const came = after.slice(head, after.length - tail);
  const rest = gone.replace(/^\s*(?:\{\s*\}|\[\s*\])?\s*/, '');
  return came.startsWith(`,${gone}`) || came.trimStart().startsWith(rest);
}

/** Each as it is, with carriage returns, and with a byte order mark. */
function variantsOf(text: string): readonly string[] {
  const bare = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  return [text, bare.replaceAll('\n', '\r\n'), `\uFEFF${bare}`];
}

const CASES = CLIENTS.flatMap((client) =>
  (['user', 'project'] as const)
    .filter((scope) => (scope === 'user' ? client.userFiles : client.projectFiles) !== undefined)
    .map((scope) => ({ client, scope, name: `${client.name}, file of the ${scope}` })),
);

test('the table is whole: 21 clients, 14 of them with files of a project', () => {
  expect(CLIENTS).toHaveLength(21);
  expect(CASES.filter(({ scope }) => scope === 'user')).toHaveLength(20);
  expect(CASES.filter(({ scope }) => scope === 'project').map(({ client }) => client.id)).toHaveLength(14);
});

test('a token is named only in a form that the client fills in', () => {
  const headers = CLIENTS.flatMap(({ id, http, expands }) =>
    http?.token?.kind === 'header' ? [{ id, reads: http.token.reads, forms: expands?.forms ?? [] }] : [],
  );

  const unfilled = headers.filter(
    ({ reads, forms }) => !forms.some((form) => form.replace('NAME', 'WAYMARK_TOKEN') === reads),
  );

  expect(headers.length).toBeGreaterThanOrEqual(12);
  expect(unfilled).toEqual([]);
});

test('a client that keeps its models in the same file gets no file with our entry alone', () => {
  const needing = CLIENTS.filter(({ needsFile }) => needsFile !== undefined);

  const planned = needing.map((client) => machineOf(client, 'user').plan(STDIO));

  expect(planned).toMatchObject([
    { kind: 'unsupported', client: { id: 'continue-cli' }, hint: expect.stringContaining('start `cn` once') },
  ]);
});

describe.each(CASES)('$name', ({ client, scope }) => {
  test('every file keeps its bytes, takes the entry once and comes back', { timeout: 60_000 }, () => {
    const { file, store, plan } = machineOf(client, scope);
    const samples = FILES[client.format].flatMap(({ label, text }) =>
      variantsOf(text.replaceAll('KEY', client.key[0])).map((variant, at) => ({
        label,
        text: variant,
        asItIs: at === 0,
      })),
    );
    for (const [index, { label, text, asItIs }] of samples.entries()) {
      write(file, text);
      chmodSync(file, 0o640);
      for (const connection of connectionsOf(client)) {
        const { kind, after } = edit(plan(connection));
        expect({ label, kind }).toEqual({ label, kind: 'add' });
        expect({ label, read: connectionIn(client, after) }).toMatchObject({ read: written(connection) });
        expect({ label, text, after, kept: keepsTheRest(text, after) }).toMatchObject({ kept: true });
      }
      // Writing waits for the disk: only files as people have them are written, and the two connections take turns.
      if (!asItIs) continue;
      const able = connectionsOf(client);
      const connection = able[(index / 3) % able.length] ?? STDIO;
      const planned = edit(plan(connection));
      applyEdit(planned, store, systemIds);
      expect(readFileSync(file, 'utf8')).toBe(planned.after);
      expect({ label, again: edit(plan(connection)).kind }).toEqual({ label, again: 'same' });
      expect(lstatSync(file).mode & 0o777).toBe(0o640);
      expect(uninstall(store, systemIds, true)).toMatchObject([{ kind: 'restored' }]);
      expect(bytesOf(file)).toBe(Buffer.from(text).toString('latin1'));
    }
    expect(samples.length).toBeGreaterThanOrEqual(24);
  });

  test('a link stays a link: the file behind it changes and comes back', () => {
    const { file, store, plan, join: at } = machineOf(client, scope);
    const text = (FILES[client.format][2]?.text ?? '').replaceAll('KEY', client.key[0]);
    const real = at('dotfiles', 'file');
    write(real, text);
    mkdirSync(dirname(file), { recursive: true });
    symlinkSync(relative(dirname(file), real), file);

    applyEdit(edit(plan(STDIO)), store, systemIds);

    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(readFileSync(real, 'utf8')).toContain(SERVER_NAME);
    uninstall(store, systemIds, true);
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(readFileSync(real, 'utf8')).toBe(text);
  });

  test('a read-only file is left alone, with what to do', () => {
    const { file, store, plan } = machineOf(client, scope);
    const text = (FILES[client.format][0]?.text ?? '').replaceAll('KEY', client.key[0]);
    write(file, text);
    chmodSync(file, 0o444);

    expect(() => applyEdit(edit(plan(STDIO)), store, systemIds)).toThrow(
      expect.objectContaining({
        message: `${file} is read-only.`,
        hint: expect.stringContaining('chmod u+w'),
      }),
    );
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  test('a file that is not valid is left alone; the error names line and column', () => {
    const { file, plan } = machineOf(client, scope);
    for (const { label, text } of BROKEN[client.format]) {
      const body = text.replaceAll('KEY', client.key[0]);
      write(file, body);

      const planned = plan(STDIO);

      expect({ label, planned }).toMatchObject({
        planned: { kind: 'refused', error: { code: 'bad_config' } },
      });
      expect(`${label}: ${String(Reflect.get(planned, 'error'))}`).toMatch(/:\d+:\d+: /);
      expect(readFileSync(file, 'utf8')).toBe(body);
      rmSync(file);
    }
  });

  test('a link out of the project is followed for the user only', () => {
    const { file, plan, join: at } = machineOf(client, scope);
    const outside = scope === 'user' ? at('elsewhere') : at('..', 'precious');
    mkdirSync(dirname(file), { recursive: true });
    symlinkSync(outside, file);

    const made = client.needsFile === undefined ? 'create' : 'unsupported';
    expect(plan(STDIO).kind).toBe(scope === 'user' ? made : 'refused');
    expect(existsSync(outside)).toBe(false);
  });
});

test.each(CASES.filter(({ client }) => client.needsFile === undefined))(
  '$name: missing folders are made, and are gone again',
  ({ client, scope }) => {
    const { file, store, plan, join: at } = machineOf(client, scope);
    const before = readdirSync(at(scope === 'user' ? 'home' : '.')).toSorted();

    applyEdit(edit(plan(STDIO)), store, systemIds);

    expect(connectionIn(client, readFileSync(file, 'utf8'))).toMatchObject(written(STDIO));
    expect(edit(plan(STDIO)).kind).toBe('same');
    expect(uninstall(store, systemIds, true)).toMatchObject([{ kind: 'removed' }]);
    expect(readdirSync(at(scope === 'user' ? 'home' : '.')).toSorted()).toEqual(before);
  },
);
