/** Text that others wrote reaches a terminal or a program: names, content, arguments and the environment. */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Attack, AttackPlace } from './attack.ts';
import { filesUnder, misbehaved, put, unsafeIn, waymark, type CommandOptions } from './run-command.ts';

const ESCAPE = '\u001b]0;taken\u0007\u001b[2J\u001b[31m';
const NAMES: Readonly<Record<string, string>> = {
  'escape sequences': `esc${ESCAPE}.ts`,
  'a line break': 'line\nbreak\r.ts',
  'marks that turn the order around': 'order\u202etxt.\u2066exe.ts',
  'control characters of eight bits': 'c1\u009b31m\u0085.ts',
  '250 characters': `${'x'.repeat(247)}.ts`,
  'a dash before it': '--json.ts',
};

const COMMANDS: readonly (readonly string[])[] = [
  ['status'],
  ['index'],
  ['search', 'wombatfact', 'returns'],
  ['search', '--all', '"wombatfact"'],
  ['files'],
  ['stats'],
  ['projects'],
  ['recall', 'wombatfact'],
  ['doctor'],
];

const AS_JSON = new Set(['status', 'index', 'files', 'projects']);

/** Commands print nothing that a terminal would act on, and with `--json` one well-formed value. */
async function looksClean(place: AttackPlace, cwd: string): Promise<string | undefined> {
  for (const args of COMMANDS) {
    for (const more of AS_JSON.has(args[0] ?? '') ? [[], ['--json']] : [[]]) {
      const ended = await waymark(place, [...args, ...more], { cwd });
      const name = [...args, ...more].join(' ');
      const wrong =
        misbehaved(ended) ?? (more.length === 0 ? unsafeIn(ended.text) : jsonProblem(ended.stdout));
      if (wrong !== undefined) return `${name}: ${wrong}`;
    }
  }
  return undefined;
}

function jsonProblem(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    return text
      .trim()
      .split('\n')
      .every((line) => line.startsWith('{') && line.endsWith('}'))
      ? undefined
      : 'what it prints is no JSON';
  }
}

const nameAttacks = Object.entries(NAMES).flatMap(([what, name]): readonly Attack[] => [
  {
    name: `a file whose name has ${what}`,
    area: 'cli',
    stands: 'text of others on a terminal',
    async run(place) {
      put(place.folder, { 'package.json': '{}', [name]: 'export function wombatfact() { return 1; }\n' });
      put(place.folder, { [`${name}.bin`]: '\0\0' });
      return looksClean(place, place.folder);
    },
  },
  {
    name: `a project whose folder has ${what} in its name`,
    area: 'cli',
    stands: 'text of others on a terminal',
    async run(place) {
      const root = join(place.folder, name);
      put(root, { 'package.json': '{}', 'a.ts': 'export function wombatfact() { return 1; }\n' });
      return looksClean(place, root);
    },
  },
]);

const contentAttack: Attack = {
  name: 'code that holds escape sequences and marks that turn the order around',
  area: 'cli',
  stands: 'text of others on a terminal',
  async run(place) {
    const code = `export function wombatfact() { return "${ESCAPE}\u202e\u2066"; } // ${ESCAPE}\n`;
    put(place.folder, { 'package.json': `{"name": "${ESCAPE}"}`, 'a.ts': code });
    put(place.folder, { '.git/HEAD': `ref: refs/heads/${ESCAPE}\n`, '.gitignore': `${ESCAPE}\n` });
    return looksClean(place, place.folder);
  },
};

const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  'escape sequences as a command': [ESCAPE],
  'escape sequences as an option': [`--${ESCAPE}`],
  'escape sequences as a value': ['status', '--log-level', ESCAPE],
  'escape sequences as a folder': ['memory', 'import', ESCAPE],
  'a question of 100,000 characters': ['search', 'x'.repeat(100_000)],
  'a path of 100,000 characters': ['restore', `/${'x/'.repeat(50_000)}`],
  'a question that begins with a dash': ['search', '--', '--version'],
  'a dash for a folder': ['memory', 'import', '-'],
  'a dash for a backup': ['restore', '-'],
  'an option called __proto__': ['status', '--__proto__=1'],
  'a client called __proto__': ['setup', '__proto__'],
  'a client called constructor': ['uninstall', 'constructor'],
  'a command called toString': ['toString'],
  'half of a character': ['search', '\ud800'],
  'an expression that takes for ever': ['search', '/(a+)+$/'],
  'an entry called __proto__': ['memory', 'show', '__proto__'],
  'a number that is none': ['serve', '--port', '1e309'],
  'a port below zero': ['serve', '--port', '-1'],
  'an empty value': ['restore', ''],
};

const argumentAttacks = Object.entries(ARGUMENTS).flatMap(([what, args]) =>
  [args, [...args.slice(0, 1), '--json', ...args.slice(1)]].map((line, at): Attack => ({
    name: `${what}${at === 0 ? '' : ', with --json'}`,
    area: 'cli',
    stands: 'arguments that are not meant',
    async run(place) {
      put(place.folder, { 'package.json': '{}', 'a.ts': `// ${'a'.repeat(5_000)}!\n` });
      const ended = await waymark(place, line);
      return misbehaved(ended) ?? unsafeIn(ended.text);
    },
  })),
);

type Prepare = (place: AttackPlace) => CommandOptions;
const ENVIRONMENTS: Readonly<Record<string, Prepare>> = {
  'HOME is the root of the disk': () => ({
    env: { HOME: '/', XDG_CONFIG_HOME: undefined, XDG_DATA_HOME: undefined, XDG_CACHE_HOME: undefined },
    // Nothing may be written there, so the attempt runs where it cannot.
    shell: 'true',
  }),
  'HOME is not set': ({ home }) => ({ env: { HOME: undefined, XDG_DATA_HOME: join(home, 'd') } }),
  'HOME is relative': () => ({ env: { HOME: 'here' } }),
  'HOME is empty': () => ({ env: { HOME: '' } }),
  'HOME is a file': ({ folder }) => ({ env: { HOME: join(folder, 'package.json') } }),
  'the XDG directories are relative': () => ({
    env: { XDG_CONFIG_HOME: 'c', XDG_DATA_HOME: 'd', XDG_CACHE_HOME: 'e' },
  }),
  'the XDG directories hold escape sequences': ({ home }) => ({
    env: { XDG_DATA_HOME: join(home, ESCAPE), XDG_CACHE_HOME: join(home, ESCAPE) },
  }),
  'the data directory is a file': ({ home }) => {
    put(home, { 'share/waymark': 'x' });
    return {};
  },
  'the cache directory is a link in a circle': ({ home }) => {
    mkdirSync(join(home, 'cache'), { recursive: true });
    symlinkSync('waymark', join(home, 'cache', 'waymark'));
    return {};
  },
  'TMPDIR is a link': ({ home }) => {
    put(home, { 'outside/mine.txt': 'mine' });
    symlinkSync(join(home, 'outside'), join(home, 'tmp'));
    return { env: { TMPDIR: join(home, 'tmp') } };
  },
  'TMPDIR is not there': ({ home }) => ({ env: { TMPDIR: join(home, 'none') } }),
  'the working directory was deleted': ({ home }) => {
    mkdirSync(join(home, 'gone'), { recursive: true });
    return { cwd: join(home, 'gone'), shell: `rmdir "${join(home, 'gone')}"` };
  },
  'a variable of ours holds escape sequences': () => ({ env: { WAYMARK_PROJECT: ESCAPE } }),
  'a variable of ours names a device': () => ({ env: { WAYMARK_LOG_FILE: '/dev/zero' } }),
  'numbers in variables are none': () => ({ env: { WAYMARK_PORT: ESCAPE, WAYMARK_CACHE_LIMIT_MB: '-1' } }),
};

const environmentAttacks = Object.entries(ENVIRONMENTS).map(([what, prepare]): Attack => ({
  name: `commands where ${what}`,
  area: 'cli',
  stands: 'an environment that is not meant',
  async run(place) {
    put(place.folder, { 'package.json': '{}', 'a.ts': 'export const a = 1;\n' });
    const before = new Set(filesUnder(place.folder));
    const options = prepare(place);
    const isRoot = options.env?.['HOME'] === '/';
    for (const args of isRoot
      ? [['status'], ['config', 'show'], ['projects']]
      : [['status'], ['index'], ['doctor']]) {
      const { shell } = options;
      if (shell?.startsWith('rmdir') === true) mkdirSync(options.cwd ?? '', { recursive: true });
      const ended = await waymark(place, args, options);
      const wrong = misbehaved(ended) ?? unsafeIn(ended.text);
      if (wrong !== undefined) return `${args.join(' ')}: ${wrong}: ${ended.stderr.slice(0, 300)}`;
    }
    const made = filesUnder(place.folder).filter((file) => !before.has(file));
    return made.length === 0 ? undefined : `files were made in the project: ${made.join(', ')}`;
  },
}));

const stored: Attack = {
  name: 'a note of a running server that holds escape sequences and a wrong process',
  area: 'cli',
  stands: 'text of others on a terminal',
  async run(place) {
    const folder = join(place.home, 'share', 'waymark', 'servers');
    put(folder, { '1.json': JSON.stringify({ pid: 1, url: ESCAPE, version: ESCAPE }) });
    writeFileSync(join(folder, '999999999.json'), '{'.repeat(100_000));
    writeFileSync(join(folder, '__proto__.json'), '{}');
    rmSync(join(place.home, 'x'), { force: true });
    const ended = await waymark(place, ['doctor']);
    return misbehaved(ended) ?? unsafeIn(ended.text);
  },
};

export const wordAttacks: readonly Attack[] = [
  ...nameAttacks,
  contentAttack,
  ...argumentAttacks,
  ...environmentAttacks,
  stored,
];
