/** From an entry to what it is found by. Pure. */
import type { KeyMaker, MemoryEntry } from '../storage/index.ts';
import { quantise, type Encoder } from './encoder.ts';
import { normaliseError, normaliseText, type NormalisedError } from './normalise-error.ts';
import { wordsOf } from './words.ts';

/** Raise it whenever the words or fingerprints of an entry change: every store then makes them anew. */
const KEYS_VERSION = 2;
const MOST_ENCODED_CHARS = 4_000;

export function createKeyMaker(encoder: Encoder | undefined): KeyMaker {
  return {
    version: `${KEYS_VERSION} ${encoder?.id ?? 'no vectors'}`,
    keysOf(entry) {
      const error = errorOf(entry);
      const { title, body } = textsOf(entry, error);
      return {
        fingerprint: error?.fingerprint,
        title: wordsOf(title).join(' '),
        body: wordsOf(body).join(' '),
        vector: encoder === undefined ? undefined : quantise(encoder.encode(encodedText(entry))),
      };
    },
  };
}

/** What an entry is about, and everything else it says. */
export function textsOf(
  entry: MemoryEntry,
  error: NormalisedError | undefined,
): { readonly title: string; readonly body: string } {
  const { stack = '', cause = '', context = '', when = '' } = entry.fields;
  const files = entry.files.map(({ path }) => path).join(' ');
  return {
    title: [entry.name, entry.tags.join(' '), entry.summary, when].join('\n'),
    body: [
      error?.text ?? '',
      error?.frames.join(' ') ?? '',
      cause,
      entry.content,
      context,
      stack.slice(0, 2_000),
      files,
    ].join('\n'),
  };
}

export function errorOf({ fields }: MemoryEntry): NormalisedError | undefined {
  const error = fields['error'];
  return error === undefined ? undefined : normaliseError(error, fields['stack']);
}

function encodedText({ name, summary, content, tags, fields }: MemoryEntry): string {
  const { error = '', cause = '', when = '' } = fields;
  return [name, tags.join(' '), summary, when, normaliseText(error), cause, content]
    .join('\n')
    .slice(0, MOST_ENCODED_CHARS);
}
