/** Attacks before a server listens: settings that let strangers in, files that others planted, and a repository that sets them. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Attack, AttackPlace } from './attack.ts';
import { runProgram, startRefused, targetFor } from './target.ts';
import { HELLO, send } from './wire.ts';

const GOOD = 'a-good-token-of-more-than-32-letters-0123';
const OPEN = ['--host', '0.0.0.0'];

function startAttack(name: string, stands: string, run: Attack['run']): Attack {
  return { name, area: 'auth', stands, run };
}

function refusedFlags(stands: string, flags: readonly string[]): Attack {
  return startAttack(`start: ${flags.join(' ').slice(0, 80)}`, stands, (place) => startRefused(place, flags));
}

/** Makes the token file of the installation, or another one that is then named. */
function plant(
  place: AttackPlace,
  where: 'own' | 'named',
  text: string = GOOD,
): { readonly file: string; readonly flags: readonly string[] } {
  const file = where === 'own' ? join(place.home, 'share/waymark/token') : join(place.folder, 'token');
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, text, { mode: 0o600 });
  return { file, flags: where === 'own' ? ['--require-token'] : ['--token-file', file] };
}

const isRoot = process.getuid?.() === 0;

/** Settings that a repository must not set for the server that serves it. */
const REPOSITORY_SETTINGS: readonly (readonly [string, unknown])[] = [
  ['token', GOOD],
  ['tokenFile', '/etc/hostname'],
  ['allowOrigin', ['https://evil.example']],
  ['allowHost', ['evil.example']],
  ['host', '0.0.0.0'],
  ['requireToken', false],
  ['rest', true],
  ['lenient', true],
  ['allowProjectRoot', ['/']],
  ['logFile', '/tmp/waymark-attack-log'],
  ['dataDir', '/tmp/waymark-attack-data'],
  ['encoderUrl', 'https://evil.example'],
];

export const startAttacks: readonly Attack[] = [
  ...[
    'null',
    '*',
    'NULL',
    'https://*',
    'https://*.example',
    'http://',
    'file://',
    'https://a.example,https://b.example',
    'evil.example',
    'https://app.example/path',
  ].map((origin) => refusedFlags('a list of origins that names everyone', ['--allow-origin', origin])),
  ...['*', '*.lan', 'box.lan:80', 'http://box.lan', 'a b'].map((host) =>
    refusedFlags('a list of hosts that names everyone, or no one', ['--allow-host', host]),
  ),
  ...[
    'x',
    'secret',
    'x'.repeat(31),
    ' '.repeat(40),
    `${'a'.repeat(40)} b`,
    'ä'.repeat(40),
    `${'a'.repeat(40)}\n`,
  ].map((token) =>
    refusedFlags('a token that can be guessed, or that no header carries', ['--token', token]),
  ),
  ...[
    OPEN,
    [...OPEN, '--token', GOOD],
    [...OPEN, '--token', GOOD, '--allow-host', 'box.lan'],
    ['--host', '::'],
    ['--host', '0'],
    ['--host', '0x7f000001'],
    ['--host', '::ffff:0.0.0.0'],
    ['--host', ''],
  ].map((flags) => refusedFlags('an address that others can reach, without what makes it safe', flags)),
  startAttack('start: a token variable that was not filled in', 'a placeholder is no token', (place) =>
    startRefused(place, [], { WAYMARK_TOKEN: '${MY_TOKEN}' }),
  ),
  startAttack('start: a short token in the variable', 'a token that can be guessed', (place) =>
    startRefused(place, [], { WAYMARK_TOKEN: 'short' }),
  ),
  ...(['own', 'named'] as const).flatMap((where) => [
    ...[0o644, 0o640, 0o620, 0o602, 0o666, 0o604].map((mode) =>
      startAttack(
        `token file, ${where}, mode ${mode.toString(8)}`,
        'a token that others may read or change is no secret',
        (place) => {
          const { file, flags } = plant(place, where);
          chmodSync(file, mode);
          return startRefused(place, flags);
        },
      ),
    ),
    startAttack(
      `token file, ${where}, of another user`,
      'a file that another user planted is not believed',
      async (place) => {
        if (!isRoot) return undefined;
        const { file, flags } = plant(place, where);
        chownSync(file, 12_345, 12_345);
        return startRefused(place, flags);
      },
    ),
    startAttack(
      `token file, ${where}, a link to one of another user`,
      'a file that another user planted is not believed',
      async (place) => {
        if (!isRoot) return undefined;
        const { file, flags } = plant(place, where);
        writeFileSync(`${place.folder}/theirs`, GOOD, { mode: 0o600 });
        chownSync(`${place.folder}/theirs`, 12_345, 12_345);
        spawnSync('rm', [file]);
        symlinkSync(`${place.folder}/theirs`, file);
        return startRefused(place, flags);
      },
    ),
    startAttack(
      `token file, ${where}, a pipe`,
      'a file that never ends or never begins does not hang the start',
      (place) => {
        const { file, flags } = plant(place, where);
        spawnSync('rm', [file]);
        spawnSync('mkfifo', ['-m', '600', file]);
        return startRefused(place, flags);
      },
    ),
    startAttack(
      `token file, ${where}, 1 GB`,
      'a file that never ends or never begins does not hang the start',
      (place) => {
        const { file, flags } = plant(place, where);
        spawnSync('truncate', ['-s', '1G', file]);
        return startRefused(place, flags);
      },
    ),
  ]),
  startAttack('token file: empty', 'an empty token opens nothing', (place) =>
    startRefused(place, plant(place, 'named', '\n').flags),
  ),
  startAttack('token file: two lines', 'a token is one word', (place) =>
    startRefused(place, plant(place, 'named', `${GOOD}\n${GOOD}\n`).flags),
  ),
  startAttack(
    'token file: a device',
    'a file that never ends or never begins does not hang the start',
    (place) => startRefused(place, ['--token-file', '/dev/zero']),
  ),
  startAttack(
    'token file: missing',
    'a server that was told to ask for a token does not start without one',
    (place) => startRefused(place, ['--token-file', '/nonexistent']),
  ),
  startAttack('token file and token that differ', 'two tokens are a mistake, not a choice', (place) =>
    startRefused(place, [...plant(place, 'named').flags, '--token', `${GOOD}-other`]),
  ),
  startAttack(
    'the token of a file in the list of processes',
    'the token is seen by its owner alone',
    async ({ program }) => {
      const { port, pid, home } = await targetFor(program, ['--require-token']);
      const { status } = await send(port, { body: HELLO });
      const token = readFileSync(join(home, 'share/waymark/token'), 'utf8').trim();
      if (status !== 401) return `without the token: ${status}`;
      return ['cmdline', 'environ'].some(
        (name) =>
          existsSync(`/proc/${pid}/${name}`) && readFileSync(`/proc/${pid}/${name}`, 'utf8').includes(token),
      )
        ? 'the process shows it'
        : undefined;
    },
  ),
  startAttack(
    'a token made under an open umask',
    'the token is for its owner alone, whatever the umask',
    async (place) => {
      const made = spawnSync('sh', ['-c', 'umask 0; exec "$0" "$1" token', process.execPath, place.program], {
        env: { PATH: process.env['PATH'] ?? '', HOME: place.home, XDG_DATA_HOME: join(place.home, 'share') },
        encoding: 'utf8',
      });
      const mode = spawnSync(
        'stat',
        ['-c', '%a %n', join(place.home, 'share/waymark/token'), join(place.home, 'share/waymark')],
        { encoding: 'utf8' },
      ).stdout;
      return made.status === 0 && mode.startsWith('600 ') && mode.includes('\n700 ')
        ? undefined
        : `modes: ${mode}`;
    },
  ),
  startAttack('the token in config show and doctor', 'no command but `token` prints it', async (place) => {
    const env = { WAYMARK_TOKEN: GOOD };
    const shown = await Promise.all(
      [['config', 'show'], ['config', 'show', '--json'], ['doctor'], ['serve', '--help']].map((args) =>
        runProgram(place, args, { env }),
      ),
    );
    return shown.some(({ stdout, stderr }) => (stdout + stderr).includes(GOOD)) ? 'it is printed' : undefined;
  }),
  startAttack(
    'a manifest that another user planted',
    'a list of files to remove that another user wrote is not believed',
    async (place) => {
      if (!isRoot) return undefined;
      const victim = join(place.folder, 'precious.json');
      writeFileSync(victim, '{"mcpServers":{"waymark":{"command":"x"}}}');
      const file = join(place.home, 'share/waymark/setup/manifest.json');
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      const entry = {
        client: 'cursor',
        scope: 'user',
        absPath: victim,
        entry: { command: 'x' },
        digest: 'x',
        added: 1,
        restore: { kind: 'remove', folders: [place.folder] },
      };
      writeFileSync(file, JSON.stringify({ version: 1, files: [entry] }));
      chownSync(file, 12_345, 12_345);
      await runProgram(place, ['uninstall', '--yes']);
      return readFileSync(victim, 'utf8').includes('waymark') ? undefined : 'the file was changed';
    },
  ),
  startAttack(
    'a note of a server that another user planted',
    'doctor sends no token to an address that a file names',
    async (place) => {
      const { program } = place;
      const { port } = await targetFor(program, []);
      const file = join(place.home, 'share/waymark/servers/1.json');
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(
        file,
        JSON.stringify({ pid: 1, url: `http://127.0.0.1:${port}/\u001b[31mmcp`, version: '1' }),
      );
      const { stdout, stderr } = await runProgram(place, ['doctor']);
      return (stdout + stderr).includes('\u001b[31mmcp') ? 'its text reaches the terminal' : undefined;
    },
  ),
  ...REPOSITORY_SETTINGS.map(([key, value]) =>
    startAttack(
      `a repository sets ${key}`,
      'a repository is not trusted with addresses, paths of ours or secrets',
      async (place) => {
        mkdirSync(join(place.folder, '.git'));
        writeFileSync(join(place.folder, '.git/HEAD'), 'ref: refs/heads/main\n');
        writeFileSync(join(place.folder, '.waymark.json'), JSON.stringify({ [key]: value }));
        const { stdout, stderr } = await runProgram(place, ['config', 'show', '--json']);
        if (
          /"kind":\s*"project_file"/.test(stdout) ||
          new RegExp(`"${key}"[^}]*\\.waymark\\.json`).test(stdout)
        )
          return 'it was taken';
        return stderr.includes('inside Waymark') ? 'it ends with an internal error' : undefined;
      },
    ),
  ),
];
