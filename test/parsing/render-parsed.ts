/** What was parsed as a text people can check with their own eyes. */
import { chunkFile } from '../../src/indexing/index.ts';
import type { ParsedFile } from '../../src/languages/index.ts';

const SIGNATURE_CHARS = 90;

export function renderParsed(language: string, text: string, parsed: ParsedFile): string {
  const rows = parsed.definitions.map(
    ({ startLine, endLine, kind, container, name, signature, doc, visibility }) => {
      const path = container === undefined ? name : `${container} > ${name}`;
      const shown =
        signature.length > SIGNATURE_CHARS ? `${signature.slice(0, SIGNATURE_CHARS)}…` : signature;
      return [
        `${startLine}-${endLine} ${visibility === undefined ? '' : `${visibility} `}${kind} ${path}`,
        `    ${shown}`,
        ...(doc === undefined ? [] : [`    "${doc}"`]),
      ].join('\n');
    },
  );
  const chunks = chunkFile(text.split('\n'), parsed.definitions).map(
    ({ startLine, endLine }) => `${startLine}-${endLine}`,
  );
  const errors = parsed.errors.map(({ startLine, endLine }) => `${startLine}-${endLine}`);
  return [
    `language ${language}, ${(parsed.errorShare * 100).toFixed(1)} % not read${errors.length === 0 ? '' : ` (lines ${errors.join(', ')})`}`,
    '',
    ...rows,
    '',
    `chunks ${chunks.join(' ')}`,
    '',
  ].join('\n');
}
