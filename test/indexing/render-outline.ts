/** An outline and its chunks as a text people can check with their own eyes. */
import { chunkFile } from '../../src/indexing/index.ts';
import { outline, type LanguageId } from '../../src/languages/index.ts';

const SIGNATURE_CHARS = 90;

export function renderOutline(language: LanguageId | undefined, text: string): string {
  const lines = text.split('\n');
  const definitions = outline(language, lines);
  const rows = definitions.map(({ startLine, endLine, kind, container, name, signature, doc }) => {
    const path = container === undefined ? name : `${container} > ${name}`;
    const shown = signature.length > SIGNATURE_CHARS ? `${signature.slice(0, SIGNATURE_CHARS)}…` : signature;
    return [
      `${startLine}-${endLine} ${kind} ${path}`,
      `    ${shown}`,
      ...(doc === undefined ? [] : [`    "${doc}"`]),
    ].join('\n');
  });
  const chunks = chunkFile(lines, definitions).map((chunk) => {
    const [first = ''] = chunk.text.split('\n', 1);
    return `${chunk.startLine}-${chunk.endLine} (${chunk.text.length}) ${first.trim().slice(0, SIGNATURE_CHARS)}`;
  });
  return [`language ${language ?? 'unknown'}`, '', ...rows, '', 'chunks', ...chunks, ''].join('\n');
}
