/** Attacks by what is installed, and by what lies where the program is run: code of others that would run as the user. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import type { Attack, AttackPlace } from './attack.ts';
import { runProgram } from './target.ts';

interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
}

interface Manifest {
  readonly name: string;
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const rootOf = ({ program }: AttackPlace): string => dirname(dirname(program));
// Files of ours, or of npm: the asker names the part of their shape that it reads.
const readJson = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T;

function supplyAttack(
  name: string,
  stands: string,
  run: (place: AttackPlace) => string | undefined | Promise<string | undefined>,
): Attack {
  return { name, area: 'supply', stands, run: async (place) => run(place) };
}

function productionTree(place: AttackPlace): readonly (readonly [string, Locked])[] {
  const lock = readJson<{ packages: Record<string, Locked> }>(join(rootOf(place), 'package-lock.json'));
  return Object.entries(lock.packages).filter(([path, { dev }]) => path !== '' && dev !== true);
}

function builtFiles(place: AttackPlace): readonly string[] {
  return readdirSync(dirname(place.program), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !join(entry.parentPath, entry.name).includes('/.build'))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Its install script looks for the binary that is in the package; nothing else comes of it. */
const SCRIPTS_WITHOUT_EFFECT = ['node_modules/@photostructure/sqlite'];
const LIFECYCLE = [
  'preinstall',
  'install',
  'postinstall',
  'prepare',
  'preprepare',
  'postprepare',
  'prepublish',
  'prepack',
  'postpack',
  'dependencies',
];

/** A repository with this in it; whatever runs it makes the canary. */
function plantedCode(
  name: string,
  plant: (folder: string, canary: string) => Readonly<Record<string, string>>,
  args: readonly string[] = ['index'],
): Attack {
  return supplyAttack(`a repository brings ${name}`, 'no code of a repository is run', async (place) => {
    const canary = join(place.home, 'canary');
    const files = {
      '.git/HEAD': 'ref: refs/heads/main\n',
      'src/a.ts': 'export const a = 1;\n',
      ...plant(place.folder, canary),
    };
    for (const [path, text] of Object.entries(files)) {
      const file = join(place.folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      chmodSync(file, 0o755);
    }
    const { code, stderr } = await runProgram(place, args);
    if (existsSync(canary)) return 'it ran';
    return code === 0 ? undefined : `the command ended with ${code ?? '-'}: ${stderr.slice(0, 200)}`;
  });
}

const js = (canary: string): string => `require('node:fs').writeFileSync(${JSON.stringify(canary)}, '')`;
const mjs = (canary: string): string =>
  `import fs from 'node:fs'; fs.writeFileSync(${JSON.stringify(canary)}, ''); export default {}; export class DatabaseSync {}`;
const sh = (canary: string): string => `#!/bin/sh\ntouch ${canary}\n`;

const PLANTED: readonly Attack[] = [
  ...[
    '@photostructure/sqlite',
    'commander',
    '@modelcontextprotocol/server',
    'zod',
    'web-tree-sitter',
    'node-gyp-build',
  ].map((name) =>
    plantedCode(
      `node_modules/${name}`,
      (_folder, canary) => ({
        [`node_modules/${name}/package.json`]: `{"name":"${name}","version":"99.0.0","type":"module","main":"index.js","exports":"./index.js"}`,
        [`node_modules/${name}/index.js`]: mjs(canary),
      }),
      ['search', 'a'],
    ),
  ),
  plantedCode('a package.json with scripts', (_folder, canary) => ({
    'package.json': JSON.stringify({
      name: 'x',
      scripts: Object.fromEntries(LIFECYCLE.map((name) => [name, `touch ${canary}`])),
    }),
  })),
  plantedCode('an .npmrc', (_folder, canary) => ({
    '.npmrc': `node-options=--require=${canary}.js\nscript-shell=${canary}\n`,
    'canary.js': js(canary),
  })),
  plantedCode('an .env with NODE_OPTIONS', (folder, canary) => ({
    '.env': `NODE_OPTIONS=--require=${folder}/evil.cjs\n`,
    'evil.cjs': js(canary),
  })),
  plantedCode('a program called git', (_folder, canary) => ({
    git: sh(canary),
    'node_modules/.bin/git': sh(canary),
    'bin/git': sh(canary),
  })),
  plantedCode(
    'a git configuration with programs',
    (_folder, canary) => ({
      '.git/config': `[core]\n\tfsmonitor = touch ${canary}\n\thooksPath = .hooks\n\tpager = touch ${canary}\n\tsshCommand = touch ${canary}\n[diff]\n\texternal = touch ${canary}\n[alias]\n\tstatus = !touch ${canary}\n`,
      '.hooks/post-checkout': sh(canary),
    }),
    ['status'],
  ),
  plantedCode('git hooks', (_folder, canary) =>
    Object.fromEntries(
      ['post-checkout', 'pre-commit', 'fsmonitor-watchman', 'post-index-change'].map((hook) => [
        `.git/hooks/${hook}`,
        sh(canary),
      ]),
    ),
  ),
  plantedCode('filters in .gitattributes', (_folder, canary) => ({
    '.gitattributes': '* filter=evil diff=evil textconv=evil\n',
    '.git/config': `[filter "evil"]\n\tclean = touch ${canary}\n\tsmudge = touch ${canary}\n[diff "evil"]\n\ttextconv = touch ${canary}\n`,
  })),
  plantedCode('configuration files that are programs', (_folder, canary) =>
    Object.fromEntries(
      [
        '.waymark.js',
        'waymark.config.js',
        '.waymark.cjs',
        '.waymarkrc',
        'vitest.config.ts',
        '.mocharc.js',
        'tree-sitter.json',
      ].map((name) => [name, js(canary)]),
    ),
  ),
  plantedCode('a grammar of its own', () => ({
    'grammars/typescript.wasm': 'evil',
    'tree-sitter-typescript.wasm': 'evil',
  })),
  plantedCode('a package.json that is no JSON', () => ({
    'package.json': '{"type":"module", "imports": {"#x": "./evil.js"}, ',
  })),
  plantedCode('an import map of its own', (_folder, canary) => ({
    'package.json':
      '{"type":"module","imports":{"node:fs":"./evil.js","#engine":"./evil.js"},"exports":"./evil.js"}',
    'evil.js': mjs(canary),
  })),
];

export const supplyAttacks: readonly Attack[] = [
  supplyAttack(
    'a package whose bytes changed',
    'every package of the production tree is locked by its hash',
    (place) => {
      const loose = productionTree(place).filter(
        ([, { integrity, link }]) => link === true || integrity?.startsWith('sha512-') !== true,
      );
      return loose.length === 0 ? undefined : `without a hash: ${loose.map(([path]) => path).join(', ')}`;
    },
  ),
  supplyAttack('a package from elsewhere', 'packages come from the registry alone', (place) => {
    const foreign = productionTree(place).filter(([, { resolved }]) =>
      /^(?:git|http:|file:|github:)/.test(resolved ?? ''),
    );
    return foreign.length === 0 ? undefined : `from elsewhere: ${foreign.map(([path]) => path).join(', ')}`;
  }),
  supplyAttack(
    'an install script of a dependency',
    'no package of the production tree needs its install script',
    (place) => {
      const scripted = productionTree(place).filter(
        ([path, { hasInstallScript }]) => hasInstallScript === true && !SCRIPTS_WITHOUT_EFFECT.includes(path),
      );
      return scripted.length === 0
        ? undefined
        : `with a script: ${scripted.map(([path]) => path).join(', ')}`;
    },
  ),
  supplyAttack(
    'the one install script does more than look',
    'no package of the production tree needs its install script',
    (place) => {
      const { scripts } = readJson<Manifest>(
        join(rootOf(place), 'node_modules/@photostructure/sqlite/package.json'),
      );
      return scripts['install'] === 'node-gyp-build' &&
        scripts['postinstall'] === undefined &&
        scripts['preinstall'] === undefined
        ? undefined
        : `it is ${scripts['install'] ?? 'none'}`;
    },
  ),
  supplyAttack('the production tree grows unseen', 'each package is one that a decision names', (place) => {
    const count = productionTree(place).length;
    return count <= 12 ? undefined : `${count} packages`;
  }),
  supplyAttack('a version that floats', 'versions are exact', (place) => {
    const { dependencies, devDependencies } = readJson<Manifest>(join(rootOf(place), 'package.json'));
    const floating = Object.entries({ ...dependencies, ...devDependencies }).filter(
      ([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version),
    );
    return floating.length === 0
      ? undefined
      : floating.map(([name, version]) => `${name} ${version}`).join(', ');
  }),
  supplyAttack('an install script of our own', 'installing Waymark runs nothing', (place) => {
    const { scripts } = readJson<Manifest>(join(rootOf(place), 'package.json'));
    const found = LIFECYCLE.filter((name) => scripts[name] !== undefined);
    return found.length === 0 ? undefined : found.join(', ');
  }),
  supplyAttack(
    'compiled code in the package',
    'the package holds text that can be read, and the grammars',
    (place) => {
      const odd = builtFiles(place).filter(
        (file) => !/\.(?:js|json|txt|d\.ts|wasm\.gz|html|css|svg)$/.test(file),
      );
      return odd.length === 0 ? undefined : odd.slice(0, 5).join(', ');
    },
  ),
  supplyAttack('paths of the machine that built it', 'the package tells nothing of its builder', (place) => {
    const root = rootOf(place);
    const telling = builtFiles(place).filter(
      (file) => file.endsWith('.js') && readFileSync(file, 'utf8').includes(root),
    );
    return telling.length === 0 ? undefined : telling.slice(0, 5).join(', ');
  }),
  supplyAttack('code made from text', 'the program makes no code from text', (place) => {
    const bad = builtFiles(place).filter(
      (file) => file.endsWith('.js') && /[^.\w](?:eval\(|vm\.runIn)/.test(readFileSync(file, 'utf8')),
    );
    return bad.length === 0 ? undefined : bad.join(', ');
  }),
  supplyAttack(
    'a package that is not declared',
    'what the program imports is built in or locked',
    (place) => {
      const { dependencies } = readJson<Manifest>(join(rootOf(place), 'package.json'));
      const names = builtFiles(place)
        .filter((file) => file.endsWith('.js'))
        .flatMap((file) =>
          [
            ...readFileSync(file, 'utf8').matchAll(
              // Names of packages alone: `from` stands before other texts, too.
              /^(?:import|export)\b[^;'"]*?from\s*["']([@\w][\w@./:-]*)["']|^import\s*["']([@\w][\w@./:-]*)["']/gm,
            ),
          ].map((match) => match[1] ?? match[2] ?? ''),
        );
      const unknown = [...new Set(names)].filter(
        (name) =>
          !name.startsWith('node:') &&
          !builtinModules.includes(name) &&
          !Object.keys(dependencies).some((known) => name === known || name.startsWith(`${known}/`)),
      );
      return unknown.length === 0 ? undefined : unknown.join(', ');
    },
  ),
  supplyAttack(
    'files in the tarball that do not belong there',
    'the tarball holds the program and nothing of the workshop',
    (place) => {
      const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
        cwd: rootOf(place),
        encoding: 'utf8',
      });
      // What npm prints with --json.
      const [packed] = JSON.parse(stdout) as readonly {
        readonly files: readonly { readonly path: string }[];
      }[];
      const odd = (packed?.files ?? []).filter(
        ({ path }) =>
          !/^(?:dist|assets)\/[^.]|^(?:README\.md|LICENSE|CHANGELOG\.md|package\.json)$/.test(path) ||
          /(?:^|\/)\.|\.(?:map|pem|key|env|tgz|node)$|(?:^|\/)tests?\/|\.test\./.test(path),
      );
      return packed !== undefined && odd.length === 0
        ? undefined
        : `${odd
            .map(({ path }) => path)
            .slice(0, 5)
            .join(', ')}`;
    },
  ),
  supplyAttack(
    'a git of the repository, first in an open PATH',
    'no program is looked for in the working directory',
    async (place) => {
      const canary = join(place.home, 'canary');
      writeFileSync(join(place.folder, 'git'), sh(canary), { mode: 0o755 });
      mkdirSync(join(place.folder, '.git'));
      await runProgram(place, ['status'], {
        env: { PATH: ['', '.', process.env['PATH'] ?? ''].join(delimiter) },
      });
      return existsSync(canary) ? 'it ran' : undefined;
    },
  ),
  ...PLANTED,
];
