/** What was parsed as a text people can check with their own eyes. */
import type { Reference } from '../../src/core/index.ts';
import { chunkFile } from '../../src/indexing/index.ts';
import type { ParsedFile } from '../../src/languages/index.ts';

const SIGNATURE_CHARS = 90;
const LINE_CHARS = 110;

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
  const imports = parsed.imports.map(
    ({ specifier, names, line }) =>
      `${line} ${specifier}${names.length === 0 ? '' : ` { ${names.join(', ')} }`}`,
  );
  const errors = parsed.errors.map(({ startLine, endLine }) => `${startLine}-${endLine}`);
  return [
    `language ${language}, ${(parsed.errorShare * 100).toFixed(1)} % not read${errors.length === 0 ? '' : ` (lines ${errors.join(', ')})`}`,
    '',
    ...rows,
    '',
    `chunks ${chunks.join(' ')}`,
    '',
    'imports',
    ...imports,
    '',
    'calls',
    ...namesOf(parsed.references, 'call'),
    '',
    'types',
    ...namesOf(parsed.references, 'type'),
    '',
  ].join('\n');
}

/** `name:first line`, filled into lines. */
function namesOf(references: readonly Reference[], kind: Reference['kind']): string[] {
  const rows: string[] = [];
  for (const { name, lines } of references.filter((reference) => reference.kind === kind)) {
    const word = `${name}:${lines.join(',')}`;
    const last = rows.at(-1);
    if (last !== undefined && last.length + word.length < LINE_CHARS)
      rows[rows.length - 1] = `${last} ${word}`;
    else rows.push(word);
  }
  return rows;
}
