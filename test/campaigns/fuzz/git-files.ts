/** Files of a git directory, damaged or forged, through everything that reads them. */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { systemClock } from '../../../src/platform/index.ts';
import {
  createIndexCache,
  findGitDir,
  findGlobalExcludes,
  isGitBusy,
  isGitRoot,
  readChangedFiles,
  readFileHistory,
  readGitIdentity,
  readPlace,
  readUncommitted,
} from '../../../src/workspace/index.ts';
import type { Random } from '../http/seeded-random.ts';
import { damage } from './damage.ts';
import { forgeIndex } from './forged-index.ts';
import type { FuzzKind } from './fuzz-kind.ts';
import { makeGitSeeds } from './git-seeds.ts';

const WORDS = [
  'ref: refs/heads/main',
  'ref: refs/heads/../../config',
  'ref: refs/heads/.invalid',
  'gitdir: ../project/.git',
  'gitdir: /',
  '../..',
  '[core]\n',
  '[remote "origin"]\n',
  '[include]\n\tpath = /etc/passwd\n',
  '[includeIf "gitdir:/"]\n\tpath = config\n',
  'url = https://a:b@c/d\n',
  'worktree = ../../../vendor/library\n',
  '\\\n',
  '\\',
  '"',
  '#',
  '\r\n',
  '\n',
  '\0',
  '\uFEFF',
  '^',
  'f'.repeat(40),
  '0'.repeat(64),
  ' refs/heads/topic\n',
  '*a'.repeat(30),
] as const;
const HISTORY_LIMITS = { ms: 500, commits: 2_000 } as const;
const CHANGE_LIMITS = { most: 60, budgetMs: 200 } as const;

export const GIT_FILES: FuzzKind = {
  name: 'git',
  rooms: ['src/workspace/git'],
  async open(folder) {
    const { root, worktree, submodule, indexes } = makeGitSeeds(folder);
    const gitDir = join(root, '.git');
    const home = join(folder, 'home');
    mkdirSync(home);
    const targets = [
      ...filesBelow(gitDir).filter(
        (path) => !/\/(?:hooks|logs\/refs|modules\/.*\/hooks)\/|description$|\/index$/.test(path),
      ),
      join(worktree, '.git'),
      join(submodule, '.git'),
    ];
    const objects = targets.filter(
      (path) => path.includes('/objects/') && !path.startsWith(join(gitDir, 'modules')),
    );
    const texts = targets.filter((path) => !path.includes('/objects/'));
    const userConfig = join(home, '.gitconfig');
    const kept = new Map(targets.map((path) => [path, readFileSync(path)]));
    const index = join(gitDir, 'index');
    kept.set(index, readFileSync(index));
    let touched = '';
    const put = (path: string, bytes: Uint8Array): void => {
      touched = path;
      // Objects are read-only files.
      if (kept.has(path)) rmSync(path, { force: true });
      writeFileSync(path, bytes);
    };
    const choose = (random: Random): { readonly path: string; readonly bytes: Buffer } => {
      const which = random.below(10);
      if (which < 3)
        return {
          path: index,
          bytes: damage(pickFrom(indexes, random), random, {
            words: WORDS,
            other: pickFrom(indexes, random),
          }),
        };
      if (which < 5)
        return {
          path: index,
          bytes: random.chance(0.3) ? damage(forgeIndex(random), random) : forgeIndex(random),
        };
      if (which < 7) {
        const path = pickFrom(objects, random);
        const isLoose = !path.includes('/pack/');
        return {
          path,
          bytes:
            isLoose && random.chance(0.7)
              ? forgeObject(random)
              : damage(kept.get(path) ?? Buffer.alloc(0), random),
        };
      }
      if (which === 7)
        return {
          path: userConfig,
          bytes: damage(kept.get(join(gitDir, 'config')) ?? Buffer.alloc(0), random, { words: WORDS }),
        };
      const path = pickFrom(texts, random);
      return { path, bytes: damage(kept.get(path) ?? Buffer.alloc(0), random, { words: WORDS }) };
    };
    return {
      make(random) {
        const { path, bytes } = choose(random);
        return {
          name: path.slice(folder.length + 1),
          bytes,
          async run() {
            put(path, bytes);
            if (path === userConfig) {
              findGlobalExcludes({ home, configHome: undefined });
              return undefined;
            }
            const around = path.includes('/modules/') || path.startsWith(submodule) ? submodule : worktree;
            return (await readAll(root)) ?? (path === index ? undefined : await readAll(around));
          },
        };
      },
      async restore() {
        const bytes = kept.get(touched);
        if (bytes !== undefined) put(touched, bytes);
        // A cut pack must not stay in the way of the next case under another name.
        else rmSync(touched, { force: true });
      },
      async close() {},
    };
  },
};

/** Everything that reads of a git directory, and what must hold of it however it looks. */
async function readAll(root: string): Promise<string | undefined> {
  const identity = readGitIdentity(root);
  isGitRoot(root);
  isGitBusy(root);
  const gitDir = findGitDir(root);
  const place = readPlace(root, root);
  const options = {
    ...CHANGE_LIMITS,
    clock: systemClock,
    list: () => ({ gitDir }),
    cache: createIndexCache(),
  };
  const { files } = await readUncommitted(place, options);
  const told = await readChangedFiles(place, 'topic', options);
  const again = await readChangedFiles(place, undefined, options);
  const history = readFileHistory({
    commonDir: place.identity,
    folder: '',
    head: place.commit ?? '',
    known: [],
    clock: systemClock,
    limits: HISTORY_LIMITS,
  });
  const changes = [...history.commits].flatMap((commit) => commit.changes);
  history.close();
  const paths = [
    ...changes.map(({ path }) => path),
    ...files.map(({ path }) => path),
    ...[told, again].flatMap((one) => (one.kind === 'told' ? one.paths : [])),
  ];
  const out = paths.find((path) => path.startsWith('/') || path.split('/').includes('..'));
  if (out !== undefined) return `a path that leads out: ${JSON.stringify(out.slice(0, 80))}`;
  const own = paths.find((path) => path.split('/')[0] === '.git');
  if (own !== undefined) return `a path of the git directory: ${JSON.stringify(own.slice(0, 80))}`;
  return /secret/.test(identity?.remote ?? '') ? 'a remote with its password' : undefined;
}

/** A loose object that unpacks well and says odd things. */
function forgeObject(random: Random): Buffer {
  const type = random.pick(['commit', 'tree', 'blob', 'tag', '']);
  const hash = random.pick(['f'.repeat(40), '0'.repeat(40), 'x']);
  const body =
    type === 'commit'
      ? `tree ${hash}\n${`parent ${hash}\n`.repeat(random.pick([0, 1, 2, 5_000]))}committer a <a> ${random.pick(['1', '-1', '9'.repeat(30)])} +0000\n\nm`
      : `${random.pick(['40000', '100644', '', '999'])} ${random.pick(['src', '..', 'a/b', ''])}\0${'h'.repeat(20)}`.repeat(
          random.pick([1, 3, 20_000]),
        );
  const length = random.chance(0.8) ? body.length : random.pick([0, -1, 1e12]);
  const bomb = random.below(200) === 0 ? Buffer.alloc(64 * 1024 * 1024) : Buffer.alloc(0);
  const packed = deflateSync(Buffer.concat([Buffer.from(`${type} ${length}\0${body}`), bomb]), { level: 1 });
  return random.chance(0.8) ? packed : damage(packed, random);
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .toSorted();
}

function pickFrom<T>(choices: readonly T[], random: Random): T {
  const chosen = choices[random.below(choices.length)];
  if (chosen === undefined) throw new Error('There is nothing to pick from.');
  return chosen;
}
