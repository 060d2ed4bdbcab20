/** What `waymark config show` says: every value and where it came from, for people and for programs. Secrets stay hidden. */
import { escapeControl } from '../text/index.ts';
import type { ConfigFileState } from './config-file.ts';
import { SETTINGS } from './definitions.ts';
import type { ResolvedConfig } from './resolve-config.ts';
import { renderOrigin, type Origin, type Setting, type SettingValue } from './setting.ts';

const WIDTH = 80;
const GAP = '  ';
const HIDDEN = '(set)';

/** One row per setting in three columns; an origin that does not fit stands on a line of its own below its value. */
export function renderConfig(resolved: ResolvedConfig, settings: readonly Setting[] = SETTINGS): string {
  const rows = settings.map((setting) => ({
    key: setting.key,
    value: renderValue(setting, valueOf(resolved, setting)),
    origin: escapeControl(renderOrigin(originOf(resolved, setting))),
  }));
  const keyWidth = Math.max(0, ...rows.map(({ key }) => key.length));
  const room = WIDTH - keyWidth - 2 * GAP.length;
  const fitting = rows.filter(({ value, origin }) => value.length + origin.length <= room);
  const valueWidth = Math.max(0, ...fitting.map(({ value }) => value.length));
  const lines = rows.map(({ key, value, origin }) => {
    const start = `${key.padEnd(keyWidth)}${GAP}`;
    const aligned = `${start}${value.padEnd(valueWidth)}${GAP}${origin}`;
    if (aligned.length <= WIDTH) return aligned;
    const tight = `${start}${value}${GAP}${origin}`;
    return tight.length <= WIDTH ? tight : `${start}${value}\n${' '.repeat(start.length)}${origin}`;
  });
  return [
    ...lines,
    '',
    ...renderFile('User file:', resolved.files.user),
    ...renderFile('Project file:', resolved.files.project),
  ].join('\n');
}

interface ConfigValue {
  readonly settings: Readonly<
    Record<string, { readonly value: SettingValue | null; readonly origin: Origin }>
  >;
  readonly files: ResolvedConfig['files'];
  readonly warnings: readonly string[];
}

/** The same as a plain value for JSON; a setting without a value is null. */
export function renderConfigValue(resolved: ResolvedConfig): ConfigValue {
  const entries = SETTINGS.map((setting) => {
    const value = valueOf(resolved, setting) ?? null;
    const shown = setting.secret === true && value !== null ? HIDDEN : value;
    return [setting.key, { value: shown, origin: originOf(resolved, setting) }] as const;
  });
  return { settings: Object.fromEntries(entries), files: resolved.files, warnings: resolved.warnings };
}

function renderValue(setting: Setting, value: SettingValue): string {
  if (value === undefined) return '(not set)';
  if (setting.secret === true) return HIDDEN;
  if (typeof value !== 'object') return escapeControl(String(value));
  return value.length === 0 ? '(empty)' : escapeControl(value.join(', '));
}

function renderFile(title: string, state: ConfigFileState | undefined): string[] {
  if (state === undefined) return [];
  return [`${title} ${escapeControl(state.file)}${state.present ? '' : ' (not there)'}`];
}

function valueOf({ config }: ResolvedConfig, { key }: Setting): SettingValue {
  const values: Readonly<Record<string, SettingValue>> = config;
  return values[key];
}

function originOf({ origins }: ResolvedConfig, { key }: Setting): Origin {
  const known: Readonly<Record<string, Origin>> = origins;
  return known[key] ?? { kind: 'default' };
}
