/** From the bytes of a file to what the index keeps of it. Pure: the same bytes under the same path give the same rows. */
import type { SkipReason } from '../core/index.ts';
import { classifyContent } from '../platform/index.ts';
import type { IndexedFile } from '../storage/index.ts';
import { decodeText, redactSecrets, splitLines, tokenize } from '../text/index.ts';
import { CHUNK_LIMITS } from './chunk-limits.ts';
import { chunkFile } from './chunk.ts';
import { languageOf } from './language-of.ts';
import { outline } from './outline/outline.ts';

export type Analyzed =
  | {
      readonly kind: 'content';
      readonly content: Pick<IndexedFile, 'language' | 'lines' | 'definitions' | 'chunks'>;
    }
  | { readonly kind: 'skip'; readonly reason: SkipReason; readonly detail: string | undefined };

/** Files of no known language are indexed as plain text. */
const PLAIN = 'text';

export function analyzeFile(
  path: string,
  bytes: Uint8Array,
  { languages, isAskedFor = false }: { readonly languages: readonly string[]; readonly isAskedFor?: boolean },
): Analyzed {
  const judged = classifyContent(bytes, path);
  const isKept = isAskedFor && judged?.reason !== 'binary';
  if (judged !== undefined && !isKept) return { kind: 'skip', reason: judged.reason, detail: judged.detail };
  // Secrets go before anything is made of the text: what was never there cannot leak.
  const lines = splitLines(redactSecrets(decodeText(bytes).text).text);
  const language = languageOf(path, lines[0]);
  if (languages.length > 0 && !languages.includes(language ?? PLAIN)) {
    return { kind: 'skip', reason: 'other_language', detail: language ?? PLAIN };
  }
  const definitions = outline(language, lines);
  const place = tokenize(pathWords(path)).join(' ');
  const chunks = chunkFile(lines, definitions, CHUNK_LIMITS).map(({ startLine, endLine, text }) => ({
    startLine,
    endLine,
    tokens: `${tokenize(text).join(' ')} ${place}`,
  }));
  return {
    kind: 'content',
    content: { language: language ?? PLAIN, lines: lines.length, definitions, chunks },
  };
}

/** The file's name twice and its nearest folders once: people ask for things by where they are. */
function pathWords(path: string): string {
  const parts = path.split('/');
  const stem = parts.at(-1)?.replace(/\.[^.]*$/, '') ?? '';
  return [stem, stem, ...parts.slice(-4, -1)].join(' ');
}
