/**
 * The one list of settings. Flags, environment names, file keys, types, --help, the JSON schemas and the reference page
 * all derive from it: a new setting is one entry here, in server-settings.ts or in terminal-settings.ts, and `npm run reference`.
 */
import { LOG_LEVELS } from '../core/index.ts';
import { SERVER_SETTINGS } from './server-settings.ts';
import type { Setting, ValueOf } from './setting.ts';
import { TERMINAL_SETTINGS } from './terminal-settings.ts';

const LOGGING = { scope: 'user', group: 'Logging', places: ['global'] } as const;
const STORAGE = { scope: 'user', group: 'Storage', places: ['global'] } as const;

/** Of every command: what is logged, and where things are kept. */
const MACHINE_SETTINGS = [
  {
    key: 'logLevel',
    kind: 'choice',
    values: LOG_LEVELS,
    default: 'warn',
    flag: '--log-level',
    valueName: 'level',
    env: 'WAYMARK_LOG_LEVEL',
    description: 'The least serious kind of record that is logged.',
    ...LOGGING,
  },
  {
    key: 'logFile',
    kind: 'path',
    default: undefined,
    flag: '--log-file',
    valueName: 'file',
    env: 'WAYMARK_LOG_FILE',
    description:
      'The file that log records are appended to, instead of standard error; at 10 MB a new one begins, and three older ones stay.',
    ...LOGGING,
  },
  {
    key: 'logFormat',
    kind: 'choice',
    values: ['text', 'json'],
    default: 'text',
    flag: '--log-format',
    valueName: 'format',
    env: 'WAYMARK_LOG_FORMAT',
    description: 'Whether a log record is a line of text or a JSON object.',
    ...LOGGING,
  },
  {
    key: 'dataDir',
    kind: 'path',
    default: { variable: 'XDG_DATA_HOME', fallback: '.local/share' },
    flag: '--data-dir',
    valueName: 'dir',
    env: 'WAYMARK_DATA_DIR',
    description: 'The directory for what must not be lost: memory and the catalogue of projects.',
    ...STORAGE,
  },
  {
    key: 'cacheDir',
    kind: 'path',
    default: { variable: 'XDG_CACHE_HOME', fallback: '.cache' },
    flag: '--cache-dir',
    valueName: 'dir',
    env: 'WAYMARK_CACHE_DIR',
    description: 'The directory for what can be made again: the indexes.',
    ...STORAGE,
  },
  {
    key: 'storage',
    kind: 'string',
    default: undefined,
    flag: '--storage',
    valueName: 'url',
    env: 'WAYMARK_STORAGE',
    description:
      'A PostgreSQL database for indexes and memory, as postgres://user@host/name, instead of files of this user; other users see a flag in the list of processes, so give a password in the variable.',
    ...STORAGE,
    secret: true,
  },
  {
    key: 'cacheLimitMb',
    kind: 'integer',
    min: 0,
    max: 10_000_000,
    default: 4_096,
    flag: '--cache-limit-mb',
    valueName: 'megabytes',
    env: 'WAYMARK_CACHE_LIMIT_MB',
    description: 'How large all indexes together may grow before the least used ones go; 0 means no limit.',
    scope: 'user',
    group: 'Storage',
    places: ['serve', 'mcp', 'index', 'search'],
  },
  {
    key: 'searchMemoryMb',
    kind: 'integer',
    min: 1,
    max: 1_000_000,
    default: 256,
    flag: '--search-memory-mb',
    valueName: 'megabytes',
    env: 'WAYMARK_SEARCH_MEMORY_MB',
    description:
      'How much memory the indexes that were searched may take together before the least recently used ones are unloaded.',
    scope: 'user',
    group: 'Storage',
    places: ['serve', 'mcp'],
  },
] as const satisfies readonly Setting[];

const ENCODER = { scope: 'user', group: 'Encoder', places: ['serve', 'mcp', 'index', 'search'] } as const;

/** What turns code into vectors. A repository may set none of them: it must not send code anywhere. */
const ENCODER_SETTINGS = [
  {
    key: 'encoder',
    kind: 'choice',
    values: ['static', 'none', 'http'],
    default: 'static',
    flag: '--encoder',
    valueName: 'which',
    env: 'WAYMARK_ENCODER',
    description:
      'What makes the vectors that search compares: the model in the package, nothing, or a service that gets the text of your code.',
    ...ENCODER,
  },
  {
    key: 'encoderUrl',
    kind: 'string',
    default: undefined,
    flag: '--encoder-url',
    valueName: 'url',
    env: 'WAYMARK_ENCODER_URL',
    description: 'The base address of the service: https, or http on this machine.',
    ...ENCODER,
  },
  {
    key: 'encoderModel',
    kind: 'string',
    default: undefined,
    flag: '--encoder-model',
    valueName: 'name',
    env: 'WAYMARK_ENCODER_MODEL',
    description: 'The name of the model, as the service knows it.',
    ...ENCODER,
  },
  {
    key: 'encoderApi',
    kind: 'choice',
    values: ['openai', 'ollama'],
    default: 'openai',
    flag: '--encoder-api',
    valueName: 'style',
    env: 'WAYMARK_ENCODER_API',
    description:
      'How the service is spoken to: `/embeddings` as OpenAI has it, or `/api/embed` as Ollama has it.',
    ...ENCODER,
  },
  {
    key: 'encoderDimensions',
    kind: 'integer',
    min: 0,
    max: 8_192,
    default: 0,
    flag: '--encoder-dimensions',
    valueName: 'number',
    env: 'WAYMARK_ENCODER_DIMENSIONS',
    description:
      'How many numbers a vector must have, which the service is asked for; 0 takes what the model gives.',
    ...ENCODER,
  },
  {
    key: 'encoderKey',
    kind: 'string',
    default: undefined,
    flag: '--encoder-key',
    valueName: 'key',
    env: 'WAYMARK_ENCODER_KEY',
    description: 'The key that is sent to the service as a bearer token.',
    scope: 'user',
    secret: true,
    group: 'Encoder',
    // No flag: every user of the machine can read a command line.
    places: [],
  },
] as const satisfies readonly Setting[];

const RERANKER = { scope: 'user', group: 'Reranker', places: ['serve', 'mcp', 'search'] } as const;

/** A service that puts the first hits in another order. Off unless the user names one; a repository may set none of it. */
const RERANKER_SETTINGS = [
  {
    key: 'rerankerUrl',
    kind: 'string',
    default: undefined,
    flag: '--reranker-url',
    valueName: 'url',
    env: 'WAYMARK_RERANKER_URL',
    description:
      'The base address of a service that reorders the first hits of a search, and gets their text: https, or http on this machine.',
    ...RERANKER,
  },
  {
    key: 'rerankerModel',
    kind: 'string',
    default: undefined,
    flag: '--reranker-model',
    valueName: 'name',
    env: 'WAYMARK_RERANKER_MODEL',
    description: 'The name of the model, as the service knows it; not needed where the service has only one.',
    ...RERANKER,
  },
  {
    key: 'rerankerApi',
    kind: 'choice',
    values: ['cohere', 'tei'],
    default: 'cohere',
    flag: '--reranker-api',
    valueName: 'style',
    env: 'WAYMARK_RERANKER_API',
    description:
      'How the service is spoken to: `/rerank` as Cohere, Jina and vLLM have it, or as text-embeddings-inference has it.',
    ...RERANKER,
  },
  {
    key: 'rerankerKey',
    kind: 'string',
    default: undefined,
    flag: '--reranker-key',
    valueName: 'key',
    env: 'WAYMARK_RERANKER_KEY',
    description: 'The key that is sent to the reranker as a bearer token.',
    scope: 'user',
    secret: true,
    group: 'Reranker',
    // No flag: every user of the machine can read a command line.
    places: [],
  },
] as const satisfies readonly Setting[];

const PROJECT = { scope: 'project', group: 'Project', places: ['serve', 'mcp', 'index'] } as const;

/** What a project may set in its own `.waymark.json`. */
const PROJECT_SETTINGS = [
  {
    key: 'include',
    kind: 'list',
    of: 'glob',
    default: [],
    flag: '--include',
    valueName: 'glob',
    env: 'WAYMARK_INCLUDE',
    description: 'Only files that match one of these globs are indexed; an empty list means every file.',
    ...PROJECT,
  },
  {
    key: 'exclude',
    kind: 'list',
    of: 'glob',
    default: [],
    flag: '--exclude',
    valueName: 'glob',
    env: 'WAYMARK_EXCLUDE',
    description: 'Files that match one of these globs are not indexed.',
    ...PROJECT,
  },
  {
    key: 'languages',
    kind: 'list',
    of: 'string',
    default: [],
    flag: '--language',
    valueName: 'name',
    env: 'WAYMARK_LANGUAGES',
    description: 'Only files in these languages are indexed; an empty list means every language.',
    ...PROJECT,
  },
  {
    key: 'guides',
    kind: 'list',
    of: 'path',
    default: [],
    flag: '--guide',
    valueName: 'path',
    env: 'WAYMARK_GUIDES',
    description: 'Files or directories of guides that belong to the project.',
    ...PROJECT,
  },
] as const satisfies readonly Setting[];

const LIST = [
  ...MACHINE_SETTINGS,
  ...TERMINAL_SETTINGS,
  ...SERVER_SETTINGS,
  ...ENCODER_SETTINGS,
  ...RERANKER_SETTINGS,
  ...PROJECT_SETTINGS,
] as const;

type Entry = (typeof LIST)[number];

export const SETTINGS: readonly Setting[] = LIST;

export type SettingKey = Entry['key'];

/** Every setting with its final value. */
export type Config = { readonly [S in Entry as S['key']]: ValueOf<S> };

/** `WAYMARK_…` variables that are read but are no setting: they cause no warning. */
export const OTHER_ENV = [
  { name: 'WAYMARK_CONFIG', description: 'The user file to read, as `--config` says it.' },
  { name: 'WAYMARK_PROJECT', description: 'The directory of the project, if the client cannot tell it.' },
] as const;
