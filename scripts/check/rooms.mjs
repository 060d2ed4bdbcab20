/** The house plan: what each room in src/ is for, which rooms it may see, and which modules only it may touch. */

/**
 * @typedef {object} Room
 * @property {string} job
 * @property {readonly string[]} mayImport  Rooms whose index.ts it may import. Not transitive: nothing else is visible.
 * @property {readonly string[]} [mayImportTypes]  Rooms it may name in `import type` only.
 * @property {readonly string[]} [owns]  Modules that only the rooms that own them may import, types included; `x/*` means every package in x.
 * @property {boolean} [pure]  No Node module at all: the same input gives the same output anywhere.
 */

/** @type {Readonly<Record<string, Room>>} */
export const ROOMS = {
  core: { job: 'vocabulary: types, errors, clock and logger as values', mayImport: [], pure: true },
  kernel: { job: 'loops over text and numbers, in WebAssembly', mayImport: ['core'], pure: true },
  text: {
    job: 'pure text work that several rooms need',
    mayImport: ['core', 'kernel'],
    pure: true,
    owns: ['jsonc-parser'],
  },
  platform: {
    job: 'the machine: processes, threads, private files, time, randomness, the log sink',
    mayImport: ['core'],
    owns: [
      'node:fs',
      'node:fs/promises',
      'node:child_process',
      'node:worker_threads',
      'node:cluster',
      'node:os',
    ],
  },
  workspace: {
    job: "a project's tree as it is on disk: git, ignore rules, listing, watching, reading",
    mayImport: ['core', 'platform'],
    owns: ['node:fs', 'node:fs/promises'],
  },
  languages: {
    job: 'what a language is: table, fast outline, exact syntax, facts, imports',
    mayImport: ['core', 'text', 'platform'],
    owns: ['web-tree-sitter'],
  },
  config: {
    job: 'flags, environment and files become one frozen Config',
    mayImport: ['core', 'text', 'platform'],
  },
  storage: {
    job: 'ports and the engines behind them; all SQL',
    mayImport: ['core', 'platform'],
    owns: ['node:sqlite', '@photostructure/sqlite', 'pg'],
  },
  embedding: {
    job: 'text to vectors, and the vector scan',
    mayImport: ['core', 'kernel', 'text', 'platform'],
  },
  project: { job: 'which project is this?', mayImport: ['core', 'platform', 'workspace'] },
  indexing: {
    job: 'files become committed chunks',
    mayImport: ['core', 'kernel', 'text', 'platform', 'workspace', 'languages', 'storage', 'embedding'],
    mayImportTypes: ['project'],
  },
  search: {
    job: 'a query becomes ranked hits',
    mayImport: ['core', 'kernel', 'text', 'storage', 'embedding'],
  },
  structure: {
    job: 'who uses what: names resolved from the facts of all files, when asked',
    mayImport: ['core', 'text', 'languages', 'storage'],
  },
  capture: {
    job: 'what a session of another program tells: its transcript becomes what is worth remembering',
    mayImport: ['core', 'text'],
    pure: true,
  },
  memory: {
    job: 'what was learned: save, recall, revise, forget',
    mayImport: ['core', 'text', 'storage', 'embedding'],
  },
  engine: {
    job: 'hosts stores, indexing, search, structure and memory behind one port: in this thread, or in one of its own',
    mayImport: [
      'core',
      'text',
      'platform',
      'config',
      'storage',
      'embedding',
      'workspace',
      'languages',
      'project',
      'indexing',
      'search',
      'structure',
      'memory',
    ],
  },
  transport: { job: 'what an exchange is: a request and its reply', mayImport: ['core'], pure: true },
  tools: {
    job: 'one file per MCP tool, and how one is called; knows no transport',
    mayImport: ['core', 'text', 'project', 'indexing', 'search', 'structure', 'memory'],
    mayImportTypes: ['engine'],
  },
  mcp: {
    job: 'the protocol edge: server, calls, transports',
    mayImport: ['core', 'text', 'transport', 'tools', 'project'],
    owns: ['@modelcontextprotocol/*'],
  },
  rest: {
    job: 'the tools as plain HTTP: one table of addresses',
    mayImport: ['core', 'text', 'transport', 'project', 'tools'],
    mayImportTypes: ['engine'],
  },
  push: {
    job: "an index goes to a server: what is said on the way, and the server's side of it",
    mayImport: ['core', 'text', 'transport'],
    mayImportTypes: ['engine', 'tools'],
  },
  dashboard: {
    job: 'the page for a browser on this machine, and its API',
    mayImport: ['core', 'text', 'transport', 'tools'],
    mayImportTypes: ['engine', 'project', 'search'],
  },
  auth: {
    job: 'whose token is it, and what does it allow?',
    mayImport: ['core', 'text', 'platform', 'transport'],
    owns: ['jose'],
  },
  operations: {
    job: 'what operators ask of a server: its figures, and who wrote what',
    mayImport: ['core', 'text', 'transport'],
    mayImportTypes: ['tools'],
  },
  http: {
    job: 'the listener: checks, limits, routes',
    mayImport: ['core', 'text', 'transport'],
    owns: ['node:http', 'node:https', 'node:http2', 'node:net', 'node:tls'],
  },
  clients: {
    job: 'what each MCP client reads: detection, setup, doctor',
    mayImport: ['core', 'text', 'platform', 'workspace', 'languages', 'config', 'storage', 'project'],
    owns: ['smol-toml', 'yaml'],
  },
  cli: {
    job: 'one file per command; prints, no logic',
    mayImport: [
      'core',
      'text',
      'config',
      'platform',
      'storage',
      'embedding',
      'workspace',
      'languages',
      'project',
      'indexing',
      'search',
      'structure',
      'memory',
      'capture',
      'engine',
      'tools',
      'mcp',
      'auth',
      'operations',
      'http',
      'push',
      'clients',
    ],
    owns: ['commander'],
  },
};

const EVERY_ROOM = Object.keys(ROOMS);

/**
 * The files directly in src/. No room imports them, except where `mayImportFiles` says so.
 * @type {Readonly<Record<string, { job: string, mayImport: readonly string[], mayImportFiles: readonly string[] }>>}
 */
export const ROOT_FILES = {
  'src/main.ts': {
    job: 'the bin',
    mayImport: [],
    mayImportFiles: ['src/hook.ts', 'src/program.ts'],
  },
  'src/hook.ts': {
    job: 'what hooks of clients load',
    mayImport: ['cli'],
    mayImportFiles: [],
  },
  'src/program.ts': {
    job: 'arguments to command; signals; exit',
    mayImport: ['core', 'config', 'cli', 'platform', 'text'],
    mayImportFiles: ['src/app.ts', 'src/front.ts'],
  },
  'src/app.ts': {
    job: 'wires everything in this thread',
    mayImport: EVERY_ROOM,
    mayImportFiles: ['src/front.ts'],
  },
  'src/front.ts': {
    job: 'wires detection, edges and listener around an engine',
    mayImport: [
      'core',
      'text',
      'config',
      'platform',
      'project',
      'engine',
      'transport',
      'mcp',
      'http',
      'dashboard',
    ],
    mayImportFiles: [
      'src/front-http.ts',
      'src/front-operations.ts',
      'src/front-servers.ts',
      'src/front-tell.ts',
    ],
  },
  'src/front-http.ts': {
    job: 'wires what is served over HTTP',
    mayImport: EVERY_ROOM,
    mayImportFiles: [
      'src/front-auth.ts',
      'src/front-connect.ts',
      'src/front-operations.ts',
      'src/front-servers.ts',
    ],
  },
  'src/front-connect.ts': {
    job: 'wires how a client is told to connect',
    mayImport: EVERY_ROOM,
    mayImportFiles: [],
  },
  'src/front-auth.ts': {
    job: 'wires who may ask a server over HTTP',
    mayImport: EVERY_ROOM,
    mayImportFiles: [],
  },
  'src/front-operations.ts': {
    job: "wires a server's figures and its log of writes",
    mayImport: EVERY_ROOM,
    mayImportFiles: [],
  },
  'src/front-servers.ts': {
    job: 'wires the maker of MCP servers',
    mayImport: EVERY_ROOM,
    mayImportFiles: [],
  },
  'src/front-tell.ts': {
    job: 'wires how calls over stdio are told to the page of a server',
    mayImport: EVERY_ROOM,
    mayImportFiles: [],
  },
  'src/index.ts': {
    job: 'the public library surface',
    mayImport: EVERY_ROOM,
    mayImportFiles: ['src/app.ts'],
  },
  'src/version.d.ts': { job: 'declares the version the build puts in', mayImport: [], mayImportFiles: [] },
};

/**
 * Folders inside a room, each with its job in one line.
 * @type {Readonly<Record<string, string>>}
 */
export const FOLDERS = {
  'cli/commands': 'one file per command',
  'dashboard/answers': 'one file per screen: what it asks for',
  'cli/doctor': 'how the doctor looks, shows and reports',
  'cli/look': 'how text looks on a terminal: width, colours, tables, times, pager',
  'cli/hooks': "what the hooks of clients run: a session's start and its capture",
  'cli/push': 'what the commands of a team load when they run: pushing, and administering a database',
  'cli/setup': 'how setup asks, shows and reports',
  'clients/doctor': 'one file per part of the machine that is examined',
  'clients/edit': 'one entry into a file or out of it, every other byte kept; text in, text out',
  'clients/table': 'what is known of each client',
  'languages/facts':
    'what structure is resolved from, by language: scopes, definitions, uses, imports; packed',
  'languages/facts/c': 'facts of C and C++',
  'languages/facts/csharp': 'facts of C#',
  'languages/facts/go': 'facts of Go',
  'languages/facts/java': 'facts of Java',
  'languages/facts/kotlin': 'facts of Kotlin',
  'languages/facts/php': 'facts of PHP',
  'languages/facts/python': 'facts of Python',
  'languages/facts/ruby': 'facts of Ruby',
  'languages/facts/rust': 'facts of Rust',
  'languages/facts/scala': 'facts of Scala',
  'languages/facts/script': 'facts of TypeScript and JavaScript',
  'languages/facts/swift': 'facts of Swift',
  'languages/imports': 'what an import names: which file of the project, by language',
  'languages/outline': 'what a file defines, by language family; lines in, definitions out',
  'languages/syntax': 'exact definitions, references and imports, from grammars in child processes',
  'languages/syntax/rules': 'one language or family per file: which nodes define, refer and import',
  'mcp/http': 'MCP over HTTP: classification, sessions, streams; no sockets',
  'memory/transfer': 'entries as files that people and git can read, and back',
  'search/query': 'a query as written becomes words, names, filters and the files they let through',
  'search/rank': 'candidates, their features, one score per file',
  'search/show': 'what is shown of a ranked file, and why it stands where it does',
  'search/view': 'the index as search holds it in memory',
  'storage/postgres': 'the shared engine: every port on PostgreSQL',
  'storage/sqlite': 'the embedded engine: every port on SQLite',
  'storage/sqlite/repair':
    'checks, backups and rescue: what is read from a store that may be damaged, with SQLite and without',
  'text/redact': 'tables of secrets, and how they are found and taken out of text',
  'tools/memory': 'one file per tool of the memory, and what they share',
  'tools/structure': 'who uses what: the tools that answer from facts',
  'workspace/git': "what git's own files tell, read without git",
  'workspace/ignore': 'ignore rules as git reads them: patterns, rule files, which one decides',
  'workspace/listing': 'which files of a project are listed, and why the others are not',
  'workspace/reading': 'files of a project, read beneath its root and nowhere else',
  'workspace/watching': 'being told when files change, and where the system cannot tell',
};
