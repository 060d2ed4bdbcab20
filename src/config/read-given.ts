/** What was given at start: flags and environment variables to settings, each with its origin. */
import { delimiter } from 'node:path';
import { nearest } from '../text/index.ts';
import { OTHER_ENV, SETTINGS } from './definitions.ts';
import type { Environment } from './environment.ts';
import { negatedFlag } from './flag-specs.ts';
import { fromText, parseValue, type ValueRules } from './parse-value.ts';
import { renderMismatch, showText } from './problem.ts';
import type { SettingEntry } from './setting.ts';

export type FlagValue = string | boolean | readonly string[];

/** Values by setting key as the command line gave them; anything that is no setting is left alone. */
export type FlagValues = Readonly<Record<string, FlagValue | undefined>>;

interface Given {
  readonly entries: Map<string, SettingEntry>;
  readonly problems: string[];
  readonly warnings: string[];
}

export function readFlags(flags: FlagValues, rules: ValueRules): Given {
  const given: Given = { entries: new Map(), problems: [], warnings: [] };
  for (const setting of SETTINGS) {
    const value = Object.hasOwn(flags, setting.key) ? flags[setting.key] : undefined;
    if (value === undefined) continue;
    const raw = typeof value === 'string' ? fromText(setting, value) : value;
    const list = setting.kind === 'list' && typeof raw === 'string' ? [raw] : raw;
    const parsed = parseValue(setting, list, rules);
    if (parsed.kind === 'value') {
      const flag = parsed.value === false ? negatedFlag(setting.flag) : setting.flag;
      given.entries.set(setting.key, { value: parsed.value, origin: { kind: 'flag', flag } });
    } else {
      given.problems.push(renderMismatch({ place: setting.flag, setting, parsed, show: 'value' }));
    }
  }
  return given;
}

export function readVariables(env: Environment, rules: ValueRules): Given {
  const given: Given = { entries: new Map(), problems: [], warnings: [] };
  for (const setting of SETTINGS) {
    const text = env[setting.env];
    if (text === undefined || text.trim() === '') continue;
    if (isUnexpanded(text)) {
      const finding = `${setting.env} holds an unexpanded placeholder`;
      // Without a secret that was meant to be set the server would be open; without another setting it is only different.
      if (setting.secret === true) given.problems.push(finding);
      else given.warnings.push(`${finding} and is ignored`);
      continue;
    }
    const raw =
      setting.kind === 'list'
        ? splitList(text, setting.of === 'path' ? delimiter : ',')
        : fromText(setting, text);
    const parsed = parseValue(setting, raw, rules);
    if (parsed.kind === 'value') {
      given.entries.set(setting.key, { value: parsed.value, origin: { kind: 'env', name: setting.env } });
    } else {
      given.problems.push(renderMismatch({ place: setting.env, setting, parsed, show: 'value' }));
    }
  }
  return given;
}

/** A warning for each `WAYMARK_…` variable that has no meaning. Not an error: a newer version may know it. */
export function findUnknownVariables(env: Environment): string[] {
  const known: readonly string[] = [
    ...SETTINGS.map((setting) => setting.env),
    ...OTHER_ENV.map(({ name }) => name),
  ];
  const unknown = Object.keys(env).filter((name) => name.startsWith('WAYMARK_') && !known.includes(name));
  return unknown.toSorted().map((name) => {
    const meant = nearest(name, known);
    const advice = meant === undefined ? 'and is ignored' : `and is ignored; did you mean ${meant}?`;
    return `${showText(name, 60)} is no variable that Waymark knows ${advice}`;
  });
}

/** Clients that do not expand `${…}` hand it over as it is; that is no value. */
export function isUnexpanded(text: string): boolean {
  return /\$\{[^}]*\}/.test(text);
}

function splitList(text: string, separator: string): string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
