import { mkdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { decideProject, createDetector } from './detector.ts';
import { resolveNamedDirectory, findPlaces } from './identity.ts';
import { reportCwd, reportEnv, reportPwd } from './process-sources.ts';

const HOME = '/home/not-there';
const PLACES = findPlaces(HOME, {});

describe('the chain', () => {
  test('takes the most trusted source that found something and keeps what the others said', () => {
    const env = {
      kind: 'found',
      source: 'env',
      project: { root: '/b', name: 'b' },
      via: 'WAYMARK_PROJECT',
      weak: false,
      vcs: false,
    } as const;
    const roots = { kind: 'nothing', source: 'roots', reason: 'none' } as const;
    const cwd = {
      kind: 'found',
      source: 'cwd',
      project: { root: '/c', name: 'c' },
      via: '.git',
      weak: true,
      vcs: true,
    } as const;

    const detection = decideProject([cwd, env, roots]);

    expect(detection).toEqual({
      kind: 'found',
      project: env.project,
      source: 'env',
      via: 'WAYMARK_PROJECT',
      weak: false,
      vcs: false,
      reports: [roots, env, cwd],
      disagreements: [{ winner: env, loser: cwd }],
    });
  });

  test('finds nothing when no source does', () => {
    expect(decideProject([{ kind: 'nothing', source: 'cwd', reason: 'x' }]).kind).toBe('none');
  });
});

describe('the environment', () => {
  test('R058 takes the first variable that names an existing absolute directory', () => {
    const a = tempFolder();
    const b = tempFolder();

    const env = {
      WAYMARK_PROJECT: '/does/not/exist',
      CLAUDE_PROJECT_DIR: a.path,
      CURSOR_PROJECT_DIR: b.path,
    };

    const report = reportEnv({ env, transport: 'stdio', places: PLACES });

    expect(report).toMatchObject({ kind: 'found', via: 'CLAUDE_PROJECT_DIR', project: { root: a.path } });
  });

  test.each(['${workspaceFolder}', '', 'relative/path', '/does/not/exist'])(
    'R058 passes over %j',
    (value) => {
      expect(reportEnv({ env: { WAYMARK_PROJECT: value }, transport: 'stdio', places: PLACES }).kind).toBe(
        'nothing',
      );
    },
  );

  test('R058 takes the first entry of a list of folders', () => {
    const a = tempFolder();

    const env = { WORKSPACE_FOLDER_PATHS: `${a.path},/elsewhere` };

    const report = reportEnv({ env, transport: 'stdio', places: PLACES });

    expect(report).toMatchObject({ kind: 'found', project: { root: a.path } });
  });

  test('R058 does not take half of a folder whose name has a comma for another project', () => {
    const folder = tempFolder({ 'web/x': '', 'web,shop/x': '' });
    const env = { WORKSPACE_FOLDER_PATHS: folder.join('web,shop') };

    const report = reportEnv({ env, transport: 'stdio', places: PLACES });

    expect(report).toMatchObject({ kind: 'found', project: { root: folder.join('web,shop') } });
  });

  test('R058 the variables count in their order, those of CocoSearch included', () => {
    const names = [
      'WAYMARK_PROJECT',
      'COCOSEARCH_PROJECT_PATH',
      'COCOSEARCH_PROJECT',
      'CLAUDE_PROJECT_DIR',
      'CURSOR_PROJECT_DIR',
      'WORKSPACE_FOLDER_PATHS',
    ];
    const folder = tempFolder(Object.fromEntries(names.map((name) => [`${name}/x`, ''])));
    const viaOf = (set: readonly string[], transport: 'stdio' | 'http') => {
      const env = Object.fromEntries(set.map((name) => [name, folder.join(name)]));
      const report = reportEnv({ env, transport, places: PLACES });
      return report.kind === 'found' ? [report.via, report.project.root] : [report.kind];
    };

    const left = names.map((_, index) => names.slice(index));

    expect(left.map((set) => viaOf(set, 'stdio'))).toEqual(names.map((name) => [name, folder.join(name)]));
    expect(left.map((set) => viaOf(set, 'http'))).toEqual(names.map((name) => [name, folder.join(name)]));
  });
});

describe('the working directory', () => {
  test('R016 is not used over HTTP without the flag', () => {
    const folder = tempFolder({ 'package.json': '{}' });
    const facts = { cwd: folder.path, projectFromCwd: false, places: PLACES };

    expect(reportCwd({ ...facts, transport: 'http' }).kind).toBe('nothing');
    expect(reportCwd({ ...facts, transport: 'stdio' })).toMatchObject({ kind: 'found', via: 'package.json' });
    expect(reportCwd({ ...facts, transport: 'http', projectFromCwd: true })).toMatchObject({
      via: '--project-from-cwd',
    });
  });

  test.each(['.', '..', './foo', 'foo', ''])('R017 rejects PWD=%j', (pwd) => {
    expect(reportPwd({ pwd, cwd: undefined, transport: 'stdio', places: PLACES }).kind).toBe('nothing');
  });
});

describe('a call that only wants its project', () => {
  function lookedAt() {
    const folder = tempFolder({ 'a/.git/HEAD': '', 'b/.git/HEAD': '', 'c/.git/HEAD': '' });
    const lines: string[] = [];
    const note = (message: string, fields = {}) => void lines.push(`${message} ${JSON.stringify(fields)}`);
    const logger = { debug: note, info: note, warn: note, error: note, child: () => logger };
    let env: Record<string, string> = {};
    const detector = createDetector({
      environment: () => env,
      projectFromCwd: false,
      cwd: () => folder.join('c'),
      logger,
    });
    return { folder, detector, lines, setEnv: (next: Record<string, string>) => (env = next) };
  }

  test('R005 asks less trusted sources while they may have something new to disagree about, and then no more', async () => {
    const { folder, detector, lines, setEnv } = lookedAt();
    const request = { transport: 'stdio', argument: folder.join('a') } as const;
    const notAsked = async (more = {}) => {
      const { reports } = await detector.detect({ ...request, ...more });
      return reports.filter((report) => report.kind === 'nothing' && report.reason.startsWith('not asked'));
    };

    const first = await notAsked();
    const second = await notAsked();
    setEnv({ WAYMARK_PROJECT: folder.join('b') });
    const afterChange = await notAsked();
    const explained = await notAsked({ explain: true });

    expect(
      [first, second, afterChange, explained].map((reports) => reports.map(({ source }) => source)),
    ).toEqual([['roots'], ['switched', 'roots', 'client_meta', 'env', 'cwd', 'pwd'], ['roots'], ['roots']]);
    expect(lines).toEqual([
      expect.stringContaining(`"loser":"cwd","loserPath":"${folder.join('c')}"`),
      expect.stringContaining(`"loser":"env","loserPath":"${folder.join('b')}"`),
    ]);
  });

  test('R005 however many disagreements there were, a new one has its line', async () => {
    const { folder, detector, lines, setEnv } = lookedAt();
    const many = 600;
    for (let turn = 0; turn < many; turn++) {
      mkdirSync(folder.join(`w${turn}`));
      setEnv({ WAYMARK_PROJECT: folder.join(`w${turn}`) });
      await detector.detect({ transport: 'stdio', argument: folder.join('a') });
    }

    const said = lines.filter((line) => line.includes('"loser":"env"'));
    expect(new Set(said).size).toBe(many);
    expect(said).toHaveLength(many);
  });

  test('R051 hears of a bad URL even where the project is settled', async () => {
    const { folder, detector } = lookedAt();
    const roots = async () => ({ kind: 'roots', uris: [`file://${folder.join('a')}`] }) as const;
    const request = { transport: 'http', roots, query: '/does/not/exist' } as const;

    const kinds = [await detector.detect(request), await detector.detect(request)].map(({ kind }) => kind);

    expect(kinds).toEqual(['refused', 'refused']);
  });
});

test('R020 a PWD that the process does not stand in is good enough to read from, not to write to', () => {
  const folder = tempFolder({ 'repo/.git/HEAD': '', 'repo/src/x': '' });
  const facts = { pwd: folder.join('repo'), transport: 'stdio', places: PLACES } as const;

  expect(reportPwd({ ...facts, cwd: '/' })).toMatchObject({ kind: 'found', vcs: false });
  expect(reportPwd({ ...facts, cwd: folder.join('repo/src') })).toMatchObject({ kind: 'found', vcs: true });
});

describe('identity', () => {
  test('R021 is the real path, whichever link was named', async () => {
    const { symlinkSync } = await import('node:fs');
    const folder = tempFolder();
    mkdirSync(folder.join('real'));
    symlinkSync(folder.join('real'), folder.join('link'));

    const named = resolveNamedDirectory(folder.join('link'), PLACES);

    expect(named).toMatchObject({ kind: 'project', project: { root: folder.join('real'), name: 'real' } });
  });

  test.each([
    ['relative', 'a/b', 'must be absolute'],
    ['missing', '/does/not/exist', 'does not exist'],
    ['NUL', '/a\0b', 'NUL'],
    ['root', '/', 'never a project'],
  ])('says why a %s path is no project', (_what, path, reason) => {
    expect(resolveNamedDirectory(path, PLACES)).toMatchObject({
      kind: 'unusable',
      message: expect.stringContaining(reason),
    });
  });
});
