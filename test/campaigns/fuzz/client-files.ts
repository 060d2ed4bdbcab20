/** Configuration files of every client, as no client wrote them: our entry goes in and comes out, and no other byte is lost. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  AGENTS_FILE,
  applyEdit,
  CLIENTS,
  dropEntry,
  fileOf,
  openManifest,
  planAgentsFile,
  planFile,
  putEntry,
  readConnection,
  readEntry,
  uninstall,
  type Client,
  type PlannedEdit,
  type PlannedFile,
} from '../../../src/clients/index.ts';
import { AppError } from '../../../src/core/index.ts';
import { systemIds } from '../../../src/platform/index.ts';
import { BROKEN_JSON, JSON_FILES } from '../../fixtures/client-files/json-files.ts';
import { BROKEN_TOML, TOML_FILES } from '../../fixtures/client-files/toml-files.ts';
import { BROKEN_YAML, YAML_FILES } from '../../fixtures/client-files/yaml-files.ts';
import { YAML_LIST_FILES } from '../../fixtures/client-files/yaml-list-files.ts';
import type { Random } from '../http/seeded-random.ts';
import { damage } from './damage.ts';
import type { FuzzKind } from './fuzz-kind.ts';

const HOOK_FILES = [
  '{ "hooks": { "SessionStart": [{ "hooks": [{ "type": "command", "command": "ls" }] }] } }',
  '{"version":1,"hooks":{"stop":[{"command":"x hooks capture cursor"}, // mine\n]}}',
  ...[...JSON_FILES, ...BROKEN_JSON].map(({ text }) => text),
];
const SEEDS: Readonly<Record<Client['format'], readonly string[]>> = {
  json: [...JSON_FILES, ...BROKEN_JSON].map(({ text }) => text),
  toml: [...TOML_FILES, ...BROKEN_TOML].map(({ text }) => text),
  yaml: [...YAML_FILES, ...BROKEN_YAML].map(({ text }) => text),
  'json-hooks': HOOK_FILES,
  'json-hooks-1': HOOK_FILES,
  'yaml-list': YAML_LIST_FILES.map(({ text }) => text),
  'script-block': ['export const a = 1;\n', '// <waymark>\nold\n// </waymark>\n', 'a\r\nb\r\n'],
  block: ['# Agents\n\nRead this.\n', '<!-- waymark -->\nold\n<!-- /waymark -->\n', 'a\r\nb\r\n'],
};
const WORDS = [
  '{',
  '}',
  '[',
  ']',
  '{}',
  '[]',
  ',',
  ':',
  '"',
  "'",
  '"""',
  "'''",
  '\\',
  '//',
  '/*',
  '*/',
  '#',
  '\n',
  '\r\n',
  '\t',
  '  ',
  '\uFEFF',
  '\0',
  '\u2028',
  'null',
  'true',
  '1e999',
  '"waymark"',
  '"waymark": {"command": "x"}',
  'waymark:\n',
  'waymark = 1\n',
  'KEY',
  '"KEY": ',
  '[KEY.waymark]\n',
  '[[KEY]]\n',
  'KEY.waymark.command = "x"\n',
  '"__proto__"',
  '__proto__:\n  a: 1\n',
  'constructor',
  '&a ',
  '*a',
  '<<: *a\n',
  '!!js/function ',
  '!!binary ',
  '---\n',
  '...\n',
  '|\n',
  '>-\n',
  '? ',
  '- ',
  '- name: waymark\n',
  '"\\ud800"',
  '1979-05-27T07:32:00Z',
  '0x1F',
  'inf',
  '<!-- waymark -->',
  '<!-- /waymark -->',
] as const;
const COMMAND = {
  kind: 'stdio',
  command: '/opt/node 22/bin/node',
  args: ['C:\\way "mark"\\main.js', 'mcp'],
  env: {},
} as const;
const ADDRESS = { kind: 'http', url: 'http://127.0.0.1:8765/mcp' } as const;

export const CLIENT_FILES: FuzzKind = {
  name: 'clients',
  rooms: ['src/clients/edit'],
  async open(folder) {
    const home = join(folder, 'home');
    const root = join(folder, 'project');
    const dataDir = join(folder, 'data');
    const places = { system: 'linux', home, env: { PATH: '' } } as const;
    mkdirSync(root, { recursive: true });
    return {
      make(random) {
        const client = random.below(20) === 0 ? AGENTS_FILE : random.pick(asNonEmpty(CLIENTS));
        const connection = random.chance(0.7) ? COMMAND : ADDRESS;
        const scope = random.chance(0.5) ? 'user' : 'project';
        const wish = { scope, root, connection } as const;
        const absPath = client === AGENTS_FILE ? join(root, 'AGENTS.md') : fileOf(client, places, wish);
        const bytes = makeDocument(client, random);
        return {
          name: `${client.id}, ${scope}`,
          bytes,
          async run() {
            if (absPath === undefined) return undefined;
            mkdirSync(dirname(absPath), { recursive: true });
            writeFileSync(absPath, bytes);
            const planned = client === AGENTS_FILE ? planAgentsFile(root) : planFile(client, places, wish);
            return judge(planned, { absPath, bytes, dataDir });
          },
        };
      },
      async restore() {
        for (const path of [home, root, dataDir]) rmSync(path, { recursive: true, force: true });
        mkdirSync(root, { recursive: true });
      },
      async close() {},
    };
  },
};

interface Written {
  readonly absPath: string;
  readonly bytes: Buffer;
  readonly dataDir: string;
}

function judge(planned: PlannedFile, { absPath, bytes, dataDir }: Written): string | undefined {
  if (planned.kind === 'unsupported') return undefined;
  if (planned.kind === 'refused') {
    if (planned.error.code === 'internal')
      return `refused with an internal error: ${String(planned.error.cause)}`;
    return readFileSync(absPath).equals(bytes) ? undefined : 'refused, and yet changed';
  }
  const alone = judgeText(planned);
  if (alone !== undefined) return alone;
  const store = openManifest(dataDir, systemIds);
  applyEdit(planned, store, systemIds);
  const [removal] = uninstall(store, systemIds, true);
  if (planned.kind === 'same' || removal === undefined)
    return readFileSync(absPath).equals(bytes) ? undefined : 'the same, and yet changed';
  if (removal.kind !== 'restored') return `uninstall says ${removal.kind}`;
  if (!readFileSync(absPath).equals(bytes)) return 'setup and uninstall do not give back the bytes';
  readConnection(planned.client, readEntry(planned.before, planned.place));
  return undefined;
}

/** Without the original at hand: what was written by others is all there again. */
function judgeText({ before, after, place, entry, added, kind }: PlannedEdit): string | undefined {
  if (kind === 'same') return undefined;
  const again = putEntry(after, place, entry);
  if (again.text !== after) return 'a second setup changes the file again';
  const left = foreseen(() => dropEntry(after, place, added));
  if (left === undefined) return undefined;
  if (kind === 'add' && squeeze(left) !== squeeze(before))
    return `taken out again, it is not as before: ${firstDifference(squeeze(before), squeeze(left))}`;
  return undefined;
}

/** White space, and braces and commas of a map that was empty before, may come and go. */
function squeeze(text: string): string {
  return text
    .replaceAll(/[\s\uFEFF]/g, '')
    .replaceAll('{}', '')
    .replaceAll('[]', '');
}

function firstDifference(one: string, other: string): string {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return JSON.stringify([
    one.slice(Math.max(0, at - 20), at + 40),
    other.slice(Math.max(0, at - 20), at + 40),
  ]);
}

function foreseen<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code !== 'internal') return undefined;
    throw thrown;
  }
}

function makeDocument(client: Client, random: Random): Buffer {
  const seeds = asNonEmpty(SEEDS[client.format]);
  const key = client.key.join(client.format === 'toml' ? '.' : '":{"');
  const fill = (text: string): Buffer =>
    Buffer.from(text.replaceAll('KEY', random.chance(0.8) ? (client.key.at(-1) ?? '') : key));
  const words = WORDS.map((word) => word.replaceAll('KEY', client.key.at(-1) ?? ''));
  const seed = fill(random.pick(seeds));
  return random.below(12) === 0 ? seed : damage(seed, random, { words, other: fill(random.pick(seeds)) });
}

function asNonEmpty<T>(list: readonly T[]): readonly [T, ...T[]] {
  const [first, ...rest] = list;
  if (first === undefined) throw new Error('There is nothing to pick from.');
  return [first, ...rest];
}
