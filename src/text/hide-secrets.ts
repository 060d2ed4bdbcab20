/**
 * Hides what looks like a credential in text that is about to be logged. The tables of `redact/` know what is a secret; a
 * log goes further, because a log need not be searchable: whatever merely resembles a token, and any value beside a telling name, is
 * hidden too. Every pattern is bounded, and so is the text, because logged text can be written by an attacker.
 */
import { findSecrets } from './redact/redact-secrets.ts';

const RESEMBLANCES: readonly RegExp[] = [
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|$)/g,
  /\b(?:bearer|basic)\s{1,3}[\w.~+/-]{8,2000}={0,2}/gi,
  /\b(?:sk|pk|rk|gh[oprsu]|github_pat|glpat|xox[abprs]|npm|pypi|hf|wmk)[-_][\w-]{12,300}/g,
];
/** With or without a scheme: a Host header has none. */
const URL_PASSWORD = /((?::\/\/|^|\s)[^\s:/@]{0,100}):[^\s@]{1,300}@/g;
const TELLING_PAIR =
  /((?:token|secret|passwd|password|api[-_]?key|authorization|cookie)["']?\s{0,3}[=:]\s{0,3})("[^"]{0,2000}"|'[^']{0,2000}'|[^\s"'&,;}]{1,2000})/gi;

const TELLING_NAME = /(?:token|secret|passw|api[-_]?key|authorization|cookie|credential)/i;
/** Longer values are cut first: a log line is for reading. */
const MAX_LENGTH = 8_000;

export const HIDDEN = '[hidden]';

export function hideSecrets(text: string): string {
  const kept =
    text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}… (${text.length - MAX_LENGTH} more)` : text;
  // Whole shapes first: `Authorization: Bearer x` must not end as a hidden `Bearer` beside a bare `x`.
  const safe = RESEMBLANCES.reduce((soFar, shape) => soFar.replace(shape, HIDDEN), hideKnown(kept));
  return safe.replace(URL_PASSWORD, `$1:${HIDDEN}@`).replace(TELLING_PAIR, `$1${HIDDEN}`);
}

function hideKnown(text: string): string {
  const spans = findSecrets(text);
  if (spans.length === 0) return text;
  const kept = spans.map(({ start }, index) => text.slice(spans[index - 1]?.end ?? 0, start) + HIDDEN);
  return kept.join('') + text.slice(spans.at(-1)?.end ?? 0);
}

/** Whether a field's name alone says that its value must not be shown. Counts (`tokens`, `maxTokens`) are no secrets. */
export function isSecretName(name: string): boolean {
  return TELLING_NAME.test(name) && !/tokens$/i.test(name);
}
