/** The settings as flags: all that a command-line parser, its help and its completions need to know. */
import { SETTINGS } from './definitions.ts';
import { describeExpected } from './parse-value.ts';
import type { FlagPlace, Setting } from './setting.ts';

export interface FlagSpec {
  /** The setting it gives a value to. */
  readonly key: string;
  /** With its dashes: `--log-level`. */
  readonly flag: string;
  /** What stands for the value in help; a flag without one is a switch. */
  readonly valueName: string | undefined;
  readonly help: string;
  /** May be given several times; the values form a list. */
  readonly repeatable: boolean;
  /** The only values it takes, where they can be listed. */
  readonly choices: readonly string[];
}

/** The flags of a command that shows these places: the global ones and its own, in the order of the list. */
export function flagSpecs(places: readonly FlagPlace[]): FlagSpec[] {
  const shown = SETTINGS.filter((setting) =>
    setting.places.some((place) => place === 'global' || places.includes(place)),
  );
  return shown.flatMap((setting) => {
    const spec: FlagSpec = {
      key: setting.key,
      flag: setting.flag,
      valueName: setting.kind === 'boolean' ? undefined : setting.valueName,
      help: renderHelp(setting),
      repeatable: setting.kind === 'list',
      choices: setting.kind === 'choice' ? setting.values : [],
    };
    if (setting.kind !== 'boolean') return [spec];
    return [spec, { ...spec, flag: negatedFlag(setting.flag), help: `the opposite of ${setting.flag}` }];
  });
}

export function negatedFlag(flag: string): string {
  return flag.replace(/^--/, '--no-');
}

/** Help speaks in fragments, so the sentence loses its capital and full stop. */
function renderHelp(setting: Setting): string {
  const text = `${setting.description.charAt(0).toLowerCase()}${setting.description.slice(1).replace(/\.$/, '')}`;
  const notes: string[] = [];
  if (setting.kind === 'choice') notes.push(describeExpected(setting));
  if (setting.kind === 'list') notes.push('repeatable');
  if (setting.kind === 'choice' || setting.kind === 'integer' || setting.kind === 'string') {
    if (setting.default !== undefined) notes.push(`default ${setting.default}`);
  }
  return `${text} (${[...notes, setting.env].join('; ')})`;
}
