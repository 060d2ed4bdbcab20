/** What a client calls itself, as it is kept and shown: without secrets, in one line, and short. */
import { redactSecrets } from './redact/redact-secrets.ts';
import { escapeControl } from './shown-text.ts';

const MOST_READ_CHARS = 4_096;
const MOST_CHARS = 80;

/** Each word by itself, and before it is cut: what another word follows, and what is left of a secret, is known by nothing. */
export function renderClient(words: readonly (string | undefined)[]): string {
  const cleaned = words.flatMap((word) =>
    word === undefined ? [] : [redactSecrets(word.slice(0, MOST_READ_CHARS)).text],
  );
  return escapeControl(cleaned.join(' ')).slice(0, MOST_CHARS) || 'unknown client';
}
