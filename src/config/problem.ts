/** Mistakes are collected and reported together, so that nobody corrects a file one error at a time. */
import { AppError } from '../core/index.ts';
import { describeFound, describeType } from './describe-found.ts';
import type { ParsedValue } from './parse-value.ts';
import type { Setting } from './setting.ts';

const MAX_REPORTED = 20;

/** `place: what is wrong`; the place is a flag, a variable, or `file:line:column: key`. */
export interface Mismatch {
  readonly place: string;
  readonly setting: Setting;
  readonly parsed: Extract<ParsedValue, { kind: 'problem' }>;
  /** `type`: the text comes from a repository and must not be repeated. */
  readonly show: 'value' | 'type';
}

export function renderMismatch({ place, setting, parsed, show }: Mismatch): string {
  const part = parsed.item === undefined ? '' : `[${parsed.item}]`;
  const hidden = show === 'type' || setting.secret === true;
  const found = parsed.why ?? (hidden ? describeType(parsed.found) : describeFound(parsed.found));
  return `${place}${part}: expected ${parsed.expected}, found ${found}`;
}

export function throwIfAny(problems: readonly string[]): void {
  if (problems.length === 0) return;
  const shown = problems.slice(0, MAX_REPORTED);
  if (problems.length > shown.length) shown.push(`and ${problems.length - shown.length} more`);
  const message =
    shown.length === 1 ? shown.join('') : `${problems.length} problems:\n  ${shown.join('\n  ')}`;
  throw new AppError('bad_config', message, {
    hint: 'Correct what is named and run the same command again.',
  });
}
