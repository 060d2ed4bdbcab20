/**
 * What is left out unless the user says otherwise, by name alone.
 *
 * `build`, `dist`, `out`, `target`, `bin`, `vendor`, `coverage` and their like are output in one project and source in the
 * next (build scripts, a linker's targets, an entity called vendor, the coverage library itself). Git's own answer is the
 * best one: output is ignored, and then nothing here is asked. For the rest a name is not enough; it needs a witness: a file
 * beside the folder that makes the name mean output, or a file inside that only a tool writes.
 *
 * A negated line in `.waymarkignore` or `.ignore`, or an `include` glob that names the folder, brings a folder back.
 */

/** Never entered, whatever anybody says: their content is not the project's. */
export const VERSION_CONTROL: ReadonlySet<string> = new Set([
  '.git',
  '.hg',
  '.svn',
  '.jj',
  '.bzr',
  '.sl',
  '_darcs',
  '.fslckout',
  '_FOSSIL_',
  '.pijul',
  'CVS',
]);

/** Folders that no project writes its source into. */
export const EXCLUDED_FOLDERS: ReadonlyMap<string, string> = new Map([
  ...named('installed packages', [
    'node_modules',
    'bower_components',
    'jspm_packages',
    '.pnpm-store',
    '.yarn',
    'site-packages',
    '.venv',
    '.virtualenv',
    '.bundle',
    'Pods',
    'Carthage',
    '.pub-cache',
    'elm-stuff',
    '.cargo-home',
    '.eggs',
  ]),
  ...named('vendored code', ['third_party', 'thirdparty', 'third-party', '3rdparty', '3rd_party']),
  ...named('build output', [
    '.next',
    '.nuxt',
    '.output',
    '.svelte-kit',
    '.astro',
    '.docusaurus',
    '.vercel',
    '.netlify',
    '.serverless',
    '.build',
    '.swiftpm',
    'DerivedData',
    'dist-newstyle',
    '.stack-work',
    'zig-out',
    'CMakeFiles',
    '.cxx',
    '.dart_tool',
    '.aws-sam',
    'cdk.out',
  ]),
  ...named('tool cache', [
    '__pycache__',
    '.cache',
    '.parcel-cache',
    '.turbo',
    '.nx',
    '.angular',
    '.vite',
    '.gradle',
    '.kotlin',
    '.bloop',
    '.metals',
    '.bsp',
    '.mypy_cache',
    '.pytest_cache',
    '.ruff_cache',
    '.hypothesis',
    '.tox',
    '.nox',
    '.ipynb_checkpoints',
    '.terraform',
    '.terragrunt-cache',
    '.zig-cache',
    'zig-cache',
    '.elixir_ls',
    '.sass-cache',
    '.eslintcache',
    '.direnv',
    '.devenv',
    '.ccls-cache',
    '.clangd',
    '.nyc_output',
    'htmlcov',
  ]),
  ...named('editor files', ['.idea', '.vs', '.fleet']),
]);

/** Beginnings and endings of such names. */
export const EXCLUDED_FOLDER_AFFIXES: readonly { prefix: string; suffix: string; why: string }[] = [
  { prefix: 'cmake-build-', suffix: '', why: 'build output' },
  { prefix: '', suffix: '.egg-info', why: 'build output' },
  { prefix: '', suffix: '.dist-info', why: 'installed packages' },
];

export interface Witnesses {
  readonly why: string;
  /** Any of these beside the folder; `*.csproj` is an ending. */
  readonly beside: readonly string[];
  /** Any of these directly inside it. */
  readonly inside: readonly string[];
}

/** Names that are output only where a witness says so. */
export const WITNESSED_FOLDERS: ReadonlyMap<string, Witnesses> = new Map<string, Witnesses>([
  [
    'vendor',
    {
      why: 'vendored code',
      beside: ['go.mod', 'composer.json', 'Gopkg.toml', 'glide.yaml'],
      inside: ['modules.txt', 'autoload.php', 'bundle'],
    },
  ],
  ['target', output(['Cargo.toml', 'pom.xml', 'build.sbt', 'project.clj'], ['.rustc_info.json'])],
  [
    'build',
    output(
      ['build.gradle', 'build.gradle.kts', 'pubspec.yaml'],
      [
        'CMakeCache.txt',
        'build.ninja',
        'meson-info',
        'asset-manifest.json',
        'intermediates',
        'bdist.linux-x86_64',
        'temp.linux-x86_64',
        'XCBuildData',
      ],
    ),
  ],
  ['dist', output(['package.json', 'setup.py', 'pyproject.toml'], [])],
  ['out', output([], ['_next', 'build.ninja', 'args.gn', 'production', 'artifacts'])],
  ['bin', output(['*.csproj', '*.fsproj', '*.vbproj', '*.vcxproj'], ['Debug', 'Release'])],
  ['obj', output(['*.csproj', '*.fsproj', '*.vbproj', '*.vcxproj'], ['project.assets.json'])],
  ['_build', output(['mix.exs', 'rebar.config', 'dune-project'], ['doctrees'])],
  ['deps', { why: 'installed packages', beside: ['mix.exs'], inside: [] }],
  ['public', output([], ['build-manifest.json', 'page-data'])],
  [
    'coverage',
    output([], ['lcov.info', 'lcov-report', 'coverage-final.json', 'clover.xml', 'cobertura-coverage.xml']),
  ],
]);

/** A folder with one of these inside is what it says, under any name. */
export const TELLING_ENTRIES: ReadonlyMap<string, string> = new Map([
  ['pyvenv.cfg', 'installed packages'],
  ['conda-meta', 'installed packages'],
  ['CACHEDIR.TAG', 'tool cache'],
]);

function output(beside: readonly string[], inside: readonly string[]): Witnesses {
  return { why: 'build output', beside, inside };
}

function named(why: string, names: readonly string[]): [string, string][] {
  return names.map((name) => [name, why]);
}
