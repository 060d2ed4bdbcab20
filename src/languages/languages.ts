/** The languages we know by name: how their files are recognised and how they write a comment. */

export type LanguageKind = 'code' | 'markup' | 'config' | 'doc';

export interface Language {
  /** As people write it. */
  readonly name: string;
  readonly kind: LanguageKind;
  /** Lower case, without the dot. */
  readonly extensions: readonly string[];
  /** Whole file names, lower case; a trailing `.` means "this name and anything after a dot". */
  readonly fileNames?: readonly string[];
  /** Interpreters on a first line, without a version. */
  readonly shebangs?: readonly string[];
  readonly comments: CommentSyntax;
}

export interface CommentSyntax {
  readonly line?: readonly string[];
  readonly block?: readonly [open: string, close: string];
}

const SLASHES: CommentSyntax = { line: ['//'], block: ['/*', '*/'] };
const HASH: CommentSyntax = { line: ['#'] };
const ANGLES: CommentSyntax = { block: ['<!--', '-->'] };
const NONE: CommentSyntax = {};

// Where two languages share an extension the first one here has it.
export const LANGUAGES = {
  typescript: { name: 'TypeScript', kind: 'code', extensions: ['ts', 'mts', 'cts'], comments: SLASHES },
  tsx: { name: 'TSX', kind: 'code', extensions: ['tsx'], comments: SLASHES },
  javascript: {
    name: 'JavaScript',
    kind: 'code',
    extensions: ['js', 'mjs', 'cjs', 'jsx'],
    fileNames: ['jakefile'],
    shebangs: ['node', 'bun', 'deno'],
    comments: SLASHES,
  },
  python: {
    name: 'Python',
    kind: 'code',
    extensions: ['py', 'pyi', 'pyw', 'pyx', 'bzl', 'star'],
    fileNames: ['build.bazel', 'sconstruct', 'wscript', 'tiltfile'],
    shebangs: ['python', 'pypy', 'uv'],
    comments: HASH,
  },
  go: { name: 'Go', kind: 'code', extensions: ['go'], comments: SLASHES },
  rust: { name: 'Rust', kind: 'code', extensions: ['rs'], comments: SLASHES },
  java: { name: 'Java', kind: 'code', extensions: ['java'], comments: SLASHES },
  kotlin: { name: 'Kotlin', kind: 'code', extensions: ['kt', 'kts'], comments: SLASHES },
  scala: { name: 'Scala', kind: 'code', extensions: ['scala', 'sc', 'sbt'], comments: SLASHES },
  groovy: {
    name: 'Groovy',
    kind: 'code',
    extensions: ['groovy', 'gradle'],
    fileNames: ['jenkinsfile'],
    shebangs: ['groovy'],
    comments: SLASHES,
  },
  c: { name: 'C', kind: 'code', extensions: ['c', 'h'], comments: SLASHES },
  cpp: {
    name: 'C++',
    kind: 'code',
    extensions: [
      'cpp',
      'cc',
      'cxx',
      'c++',
      'hpp',
      'hh',
      'hxx',
      'h++',
      'ipp',
      'tpp',
      'inl',
      'cu',
      'cuh',
      'ino',
    ],
    comments: SLASHES,
  },
  csharp: { name: 'C#', kind: 'code', extensions: ['cs', 'csx'], comments: SLASHES },
  swift: { name: 'Swift', kind: 'code', extensions: ['swift'], shebangs: ['swift'], comments: SLASHES },
  ruby: {
    name: 'Ruby',
    kind: 'code',
    extensions: ['rb', 'rake', 'gemspec', 'ru', 'podspec'],
    fileNames: ['gemfile', 'rakefile', 'podfile', 'vagrantfile', 'fastfile', 'brewfile', 'guardfile'],
    shebangs: ['ruby', 'jruby'],
    comments: HASH,
  },
  php: {
    name: 'PHP',
    kind: 'code',
    extensions: ['php', 'phtml', 'php5', 'php7', 'php8'],
    shebangs: ['php'],
    comments: { line: ['//', '#'], block: ['/*', '*/'] },
  },
  elixir: { name: 'Elixir', kind: 'code', extensions: ['ex', 'exs'], shebangs: ['elixir'], comments: HASH },
  erlang: {
    name: 'Erlang',
    kind: 'code',
    extensions: ['erl', 'hrl'],
    fileNames: ['rebar.config'],
    shebangs: ['escript'],
    comments: { line: ['%'] },
  },
  haskell: {
    name: 'Haskell',
    kind: 'code',
    extensions: ['hs', 'lhs', 'hsc'],
    shebangs: ['runghc', 'runhaskell'],
    comments: { line: ['--'], block: ['{-', '-}'] },
  },
  ocaml: {
    name: 'OCaml',
    kind: 'code',
    extensions: ['ml', 'mli'],
    shebangs: ['ocaml'],
    comments: { block: ['(*', '*)'] },
  },
  lua: {
    name: 'Lua',
    kind: 'code',
    extensions: ['lua', 'luau', 'rockspec'],
    shebangs: ['lua', 'luajit'],
    comments: { line: ['--'], block: ['--[[', ']]'] },
  },
  zig: { name: 'Zig', kind: 'code', extensions: ['zig', 'zon'], comments: { line: ['//'] } },
  bash: {
    name: 'Bash',
    kind: 'code',
    extensions: ['sh', 'bash', 'zsh', 'ksh', 'bats'],
    fileNames: ['.bashrc', '.bash_profile', '.profile', '.zshrc', 'pkgbuild'],
    shebangs: ['sh', 'bash', 'zsh', 'ksh', 'dash', 'ash', 'bats'],
    comments: HASH,
  },
  powershell: {
    name: 'PowerShell',
    kind: 'code',
    extensions: ['ps1', 'psm1', 'psd1'],
    shebangs: ['pwsh', 'powershell'],
    comments: { line: ['#'], block: ['<#', '#>'] },
  },
  dart: { name: 'Dart', kind: 'code', extensions: ['dart'], shebangs: ['dart'], comments: SLASHES },
  r: {
    name: 'R',
    kind: 'code',
    extensions: ['r'],
    fileNames: ['.rprofile'],
    shebangs: ['rscript'],
    comments: HASH,
  },
  julia: {
    name: 'Julia',
    kind: 'code',
    extensions: ['jl'],
    shebangs: ['julia'],
    comments: { line: ['#'], block: ['#=', '=#'] },
  },
  perl: {
    name: 'Perl',
    kind: 'code',
    extensions: ['pl', 'pm', 't', 'psgi'],
    fileNames: ['cpanfile'],
    shebangs: ['perl'],
    comments: HASH,
  },
  sql: {
    name: 'SQL',
    kind: 'code',
    extensions: ['sql', 'ddl', 'pgsql', 'psql'],
    comments: { line: ['--'], block: ['/*', '*/'] },
  },
  graphql: { name: 'GraphQL', kind: 'code', extensions: ['graphql', 'gql', 'graphqls'], comments: HASH },
  protobuf: { name: 'Protobuf', kind: 'code', extensions: ['proto'], comments: SLASHES },
  html: { name: 'HTML', kind: 'markup', extensions: ['html', 'htm', 'xhtml'], comments: ANGLES },
  css: { name: 'CSS', kind: 'markup', extensions: ['css'], comments: { block: ['/*', '*/'] } },
  scss: { name: 'SCSS', kind: 'markup', extensions: ['scss', 'less'], comments: SLASHES },
  vue: { name: 'Vue', kind: 'markup', extensions: ['vue'], comments: ANGLES },
  svelte: { name: 'Svelte', kind: 'markup', extensions: ['svelte', 'astro'], comments: ANGLES },
  xml: {
    name: 'XML',
    kind: 'markup',
    extensions: ['xml', 'xsd', 'xsl', 'xslt', 'csproj', 'fsproj', 'props', 'targets', 'plist', 'xaml'],
    comments: ANGLES,
  },
  json: {
    name: 'JSON',
    kind: 'config',
    extensions: ['json', 'jsonc', 'json5', 'webmanifest'],
    fileNames: ['.babelrc', '.eslintrc', '.prettierrc', '.swcrc'],
    comments: SLASHES,
  },
  yaml: {
    name: 'YAML',
    kind: 'config',
    extensions: ['yaml', 'yml'],
    fileNames: ['.clang-format', '.clang-tidy'],
    comments: HASH,
  },
  toml: { name: 'TOML', kind: 'config', extensions: ['toml'], fileNames: ['pipfile'], comments: HASH },
  ini: {
    name: 'INI',
    kind: 'config',
    extensions: ['ini', 'cfg', 'conf', 'properties'],
    fileNames: ['.editorconfig', '.gitconfig', '.npmrc', '.pylintrc'],
    comments: { line: ['#', ';'] },
  },
  dockerfile: {
    name: 'Dockerfile',
    kind: 'config',
    extensions: ['dockerfile', 'containerfile'],
    fileNames: ['dockerfile', 'dockerfile.', 'containerfile', 'containerfile.'],
    comments: HASH,
  },
  makefile: {
    name: 'Makefile',
    kind: 'config',
    extensions: ['mk', 'mak'],
    fileNames: ['makefile', 'makefile.', 'gnumakefile', 'justfile'],
    shebangs: ['make'],
    comments: HASH,
  },
  hcl: {
    name: 'HCL',
    kind: 'config',
    extensions: ['tf', 'tfvars', 'hcl', 'nomad'],
    comments: { line: ['#', '//'], block: ['/*', '*/'] },
  },
  nix: { name: 'Nix', kind: 'config', extensions: ['nix'], comments: { line: ['#'], block: ['/*', '*/'] } },
  markdown: {
    name: 'Markdown',
    kind: 'doc',
    extensions: ['md', 'markdown', 'mdx', 'mkd', 'qmd', 'rmd'],
    comments: ANGLES,
  },
  rst: { name: 'reStructuredText', kind: 'doc', extensions: ['rst', 'rest'], comments: { line: ['.. '] } },
  text: {
    name: 'Text',
    kind: 'doc',
    extensions: ['txt', 'adoc', 'asciidoc', 'org', 'tex'],
    fileNames: ['readme', 'license', 'licence', 'copying', 'authors', 'changelog', 'notice', 'codeowners'],
    comments: NONE,
  },
} as const satisfies Readonly<Record<string, Language>>;

export type LanguageId = keyof typeof LANGUAGES;
