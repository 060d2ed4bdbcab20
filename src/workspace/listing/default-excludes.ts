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

/** Never entered, whatever rules and settings say: their content is not the project's. */
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

export const LOCK_FILES: ReadonlySet<string> = new Set([
  'package-lock.json',
  'npm-shrinkwrap.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'bun.lock',
  'bun.lockb',
  'deno.lock',
  'cargo.lock',
  'gemfile.lock',
  'composer.lock',
  'poetry.lock',
  'pipfile.lock',
  'pdm.lock',
  'uv.lock',
  'pixi.lock',
  'conda-lock.yml',
  'go.sum',
  'go.work.sum',
  'mix.lock',
  'rebar.lock',
  'pubspec.lock',
  'podfile.lock',
  'package.resolved',
  'cartfile.resolved',
  'flake.lock',
  'packages.lock.json',
  'project.assets.json',
  'paket.lock',
  'gradle.lockfile',
  'buildscript-gradle.lockfile',
  '.terraform.lock.hcl',
  'module.bazel.lock',
  'stack.yaml.lock',
  'cabal.project.freeze',
  'shard.lock',
  'renv.lock',
]);

/** Extensions without their dot. `ts`, `svg`, `key` and `dat` are not here: they are text too often. */
export const BINARY_EXTENSIONS: ReadonlySet<string> = new Set(
  [
    // Pictures, fonts, sound, film.
    'png jpg jpeg gif bmp ico icns tif tiff webp avif heic psd xcf sketch cr2 nef tga dds ktx hdr exr',
    'woff woff2 ttf otf eot ttc mp3 mp4 m4a m4v mov avi mkv webm wav flac ogg oga ogv opus aac wma wmv flv mid midi',
    // Archives and installers.
    'zip gz tgz bz2 tbz2 xz txz zst lz4 lzma 7z rar tar jar war ear aar apk aab ipa xapk dmg iso img deb rpm msi cab',
    'whl egg gem nupkg snupkg crate vsix xpi crx',
    // Programs and what compilers leave.
    'exe dll so dylib a lib o ko pdb ilk class pyc pyo pyd elc beam wasm rlib rmeta dex swf',
    // Documents.
    'pdf doc docx xls xlsx ppt pptx odt ods odp rtf epub mobi djvu',
    // Stored values and models.
    'db db3 sqlite sqlite3 mdb accdb ibd dbf rdb parquet avro orc feather arrow npy npz h5 hdf5 pkl pickle joblib',
    'onnx pt pth ckpt safetensors gguf ggml tflite pb caffemodel mlmodel bin db-wal db-shm realm rdata rds',
    // Scenes and maps.
    'blend fbx glb 3ds unitypackage uasset umap pak pbf mbtiles shp shx',
  ].flatMap((line) => line.split(' ')),
);

export const MINIFIED_ENDINGS: readonly string[] = [
  '.min.js',
  '.min.mjs',
  '.min.cjs',
  '.min.css',
  '.min.html',
  '-min.js',
  '-min.css',
];

export const GENERATED_ENDINGS: readonly string[] = [
  '.js.map',
  '.mjs.map',
  '.cjs.map',
  '.css.map',
  '.ts.map',
  '.pb.go',
  '.pb.gw.go',
  '.pb.cc',
  '.pb.h',
  '.pb.swift',
  '.pb.dart',
  '.pbenum.dart',
  '.pbjson.dart',
  '.pbgrpc.dart',
  '.grpc.swift',
  '_pb2.py',
  '_pb2.pyi',
  '_pb2_grpc.py',
  '_pb.js',
  '_pb.d.ts',
  '_pb.rb',
  '_grpc_pb.js',
  '.g.dart',
  '.freezed.dart',
  '.gr.dart',
  '.mocks.dart',
  '.designer.cs',
  '.designer.vb',
  '.g.cs',
  '.g.i.cs',
  '.snap',
];
