/** What one setting is, the type of its value, and where a value came from. */

/** Where a flag is offered: on every command, or on the named ones. */
export type FlagPlace = 'global' | 'serve' | 'mcp' | 'index' | 'search' | 'push';

type SettingGroup = 'Logging' | 'Terminal' | 'Storage' | 'Server' | 'Encoder' | 'Reranker' | 'Project';

/** A default that depends on the machine: `$variable/waymark`, or `~/fallback/waymark` if the variable is unset. */
export interface XdgDefault {
  readonly variable: 'XDG_DATA_HOME' | 'XDG_CACHE_HOME';
  readonly fallback: string;
}

interface SettingFacts {
  /** The name in files and in Config. */
  readonly key: string;
  /** The long flag; a boolean also has its `--no-` form, a list may be given several times. */
  readonly flag: `--${string}`;
  readonly env: `WAYMARK_${string}`;
  /** One sentence; it is the text in --help, in the JSON schema and in the reference page. */
  readonly description: string;
  /** `project`: a repository's own file may set it. `user`: it may not, because a repository is not trusted. */
  readonly scope: 'user' | 'project';
  /** Its value is never printed, neither by `config show` nor in an error. */
  readonly secret?: true;
  readonly group: SettingGroup;
  readonly places: readonly FlagPlace[];
}

interface Valued extends SettingFacts {
  /** Stands for the value in help: `--port <port>`. */
  readonly valueName: string;
}

interface StringSetting extends Valued {
  readonly kind: 'string';
  readonly default: string | undefined;
}

interface BooleanSetting extends SettingFacts {
  readonly kind: 'boolean';
  readonly default: boolean;
}

interface IntegerSetting extends Valued {
  readonly kind: 'integer';
  readonly min: number;
  readonly max: number;
  readonly default: number;
}

interface ChoiceSetting extends Valued {
  readonly kind: 'choice';
  readonly values: readonly string[];
  readonly default: string;
}

interface PathSetting extends Valued {
  readonly kind: 'path';
  readonly default: XdgDefault | undefined;
}

interface ListSetting extends Valued {
  readonly kind: 'list';
  readonly of: 'string' | 'glob' | 'path';
  readonly default: readonly string[];
}

export type Setting =
  | StringSetting
  | BooleanSetting
  | IntegerSetting
  | ChoiceSetting
  | PathSetting
  | ListSetting;

/** Any value a setting can have; undefined is a setting without value or default. */
export type SettingValue = string | number | boolean | readonly string[] | undefined;

/** The precise type of one entry's value. */
export type ValueOf<S extends Setting> = S extends BooleanSetting
  ? boolean
  : S extends IntegerSetting
    ? number
    : S extends { readonly kind: 'choice'; readonly values: readonly (infer V)[] }
      ? V
      : S extends ListSetting
        ? readonly string[]
        : S extends { readonly default: undefined }
          ? string | undefined
          : string;

export type Origin =
  | { readonly kind: 'flag'; readonly flag: string }
  | { readonly kind: 'env'; readonly name: string }
  | { readonly kind: 'project_file'; readonly file: string; readonly line: number }
  | { readonly kind: 'user_file'; readonly file: string; readonly line: number }
  | { readonly kind: 'default' };

/** A value and where it came from. */
export interface SettingEntry {
  readonly value: SettingValue;
  readonly origin: Origin;
}

/** Strongest first. */
const PRECEDENCE = [
  'flag',
  'env',
  'project_file',
  'user_file',
  'default',
] as const satisfies readonly Origin['kind'][];

export function outranks(a: Origin, b: Origin): boolean {
  return PRECEDENCE.indexOf(a.kind) < PRECEDENCE.indexOf(b.kind);
}

export function renderOrigin(origin: Origin): string {
  switch (origin.kind) {
    case 'flag':
      return origin.flag;
    case 'env':
      return origin.name;
    case 'project_file':
    case 'user_file':
      return `${origin.file}:${origin.line}`;
    case 'default':
      return 'default';
  }
}
