/** A skill as the SKILL.md that agents read, and back. Front matter that is not ours is kept as it is. Pure. */
import type { MemoryEntry } from '../../storage/index.ts';
import type { EntryDraft } from '../make-entry.ts';
import { parseFrontMatter, parseScalar, renderFrontMatter } from './front-matter.ts';

export function skillPathOf({ name }: MemoryEntry): string {
  const folder = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '');
  return `${folder === '' ? 'skill' : folder}/SKILL.md`;
}

export function renderSkillFile({ name, content, fields, summary }: MemoryEntry): string {
  const { front_matter: raw, when = summary } = fields;
  if (raw !== undefined) return `---\n${raw}---\n${content}`;
  return renderFrontMatter(
    [
      ['name', name],
      ['description', when],
    ],
    content,
  );
}

/** Undefined if it has no name. */
export function parseSkillFile(text: string): EntryDraft | undefined {
  const parsed = parseFrontMatter(text);
  const name = parsed?.fields.get('name');
  if (parsed === undefined || name === undefined) return undefined;
  const when = String(parseScalar(parsed.fields.get('description') ?? ''));
  return {
    kind: 'skill',
    name: String(parseScalar(name)),
    summary: when,
    content: parsed.body,
    fields: { when, front_matter: parsed.raw },
  };
}
