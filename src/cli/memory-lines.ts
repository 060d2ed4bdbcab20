/** How entries of the memory look in a terminal. */
import type { MemoryEntry } from '../storage/index.ts';
import { escapeControl, escapeControlKeepingLines } from '../text/index.ts';

export const CLI_AUTHOR = { origin: 'typed', client: 'waymark', tool: 'cli' } as const;
export const CLI_WRITER = 'typed: waymark';

export function entryLine({ id, kind, name, createdAt, provenance, flags }: MemoryEntry): string {
  const { origin, client, branch = '-' } = provenance;
  const time = new Date(createdAt).toISOString().slice(0, 16);
  const warning = flags.length === 0 ? '' : `  [${flags.join(', ')}]`;
  return escapeControl(`${id}  ${time}  ${kind}  ${branch}  ${origin}:${client}  ${name}${warning}`);
}

export function entryText(entry: MemoryEntry): string {
  const fields = Object.entries(entry.fields).map(([name, text]) => `${name}: ${text}`);
  const files = entry.files.map(({ path }) => path).join(', ');
  return escapeControlKeepingLines(
    [
      entryLine(entry),
      ...(entry.summary === '' ? [] : [`summary: ${entry.summary}`]),
      ...(entry.tags.length === 0 ? [] : [`tags: ${entry.tags.join(', ')}`]),
      ...(files === '' ? [] : [`files: ${files}`]),
      ...fields,
      '',
      entry.content,
    ].join('\n'),
  );
}
