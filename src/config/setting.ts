/** What one setting is: the shape of an entry in the definition list, and the type of the value it yields. */

/** Where a flag is offered: on every command, or on the named ones. */
export type FlagPlace = 'global' | 'serve' | 'mcp' | 'index' | 'search';

export type SettingGroup = 'Logging' | 'Storage' | 'Server' | 'Encoder' | 'Project';

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

export interface StringSetting extends Valued {
  readonly kind: 'string';
  readonly default: string | undefined;
}

export interface BooleanSetting extends SettingFacts {
  readonly kind: 'boolean';
  readonly default: boolean;
}

export interface IntegerSetting extends Valued {
  readonly kind: 'integer';
  readonly min: number;
  readonly max: number;
  readonly default: number;
}

export interface ChoiceSetting extends Valued {
  readonly kind: 'choice';
  readonly values: readonly string[];
  readonly default: string;
}

export interface PathSetting extends Valued {
  readonly kind: 'path';
  readonly default: XdgDefault | undefined;
}

export interface ListSetting extends Valued {
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
