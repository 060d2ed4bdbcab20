/** An entry as a file that people edit and review: a few lines above the text, which is all that has to be kept. Pure. */
import { createHash } from 'node:crypto';
import { ENTRY_KINDS, type EntryKind, type MemoryEntry } from '../../storage/index.ts';
import { nameOf, summaryOf } from '../admit-entry.ts';
import { parseFrontMatter, parseScalar } from './front-matter.ts';

/** Texts that belong to an entry beside its content, by the names they have in the file. */
const FIELDS = ['subject', 'when', 'error', 'cause'] as const;
type Field = (typeof FIELDS)[number];

export interface LinkedFile {
  /** Undefined in a file that a person has made. */
  readonly id: string | undefined;
  readonly kind: EntryKind | undefined;
  readonly name: string | undefined;
  readonly tags: readonly string[];
  readonly fields: Readonly<Partial<Record<Field, string>>>;
  readonly content: string;
}

const ID = /^[a-z]+-[0-9a-f]{12}$/;

/** What is in the file is what people may change; who wrote it and when is in the memory and in git. */
export function renderLinked({ id, kind, name, tags, fields, content }: MemoryEntry): string {
  const lines: (readonly [string, unknown])[] = [
    ['id', id],
    ['kind', kind],
    // One that was made from the text is made again from what the text becomes.
    ...(name === nameOf(summaryOf(content)) ? [] : [['name', name] as const]),
    ...(tags.length === 0 ? [] : [['tags', tags] as const]),
    ...FIELDS.flatMap((field) => (fields[field] === undefined ? [] : [[field, fields[field]] as const])),
  ];
  const head = lines.map(([field, value]) => `${field}: ${renderValue(value)}\n`).join('');
  return `---\n${head}---\n\n${content.trim()}\n`;
}

/** Plain where a reader of YAML takes it as it stands, else as JSON. */
function renderValue(value: unknown): string {
  const isPlain =
    typeof value === 'string' && /^[A-Za-z][\w ./,()@-]{0,200}$/.test(value) && value === value.trim();
  return isPlain && !/^(?:true|false|null|yes|no|on|off)$/i.test(String(value))
    ? String(value)
    : JSON.stringify(value);
}

export function parseLinked(text: string): LinkedFile {
  const plain = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  const parsed = parseFrontMatter(plain);
  const field = (name: string): unknown => {
    const raw = parsed?.fields.get(name);
    return raw === undefined ? undefined : parseScalar(raw);
  };
  const textOf = (name: string): string | undefined => {
    const value = field(name);
    return typeof value === 'string' && value !== '' ? value : parsed?.fields.get(name) || undefined;
  };
  const id = textOf('id');
  const tags = field('tags');
  return {
    id: id !== undefined && ID.test(id) ? id : undefined,
    kind: ENTRY_KINDS.find((known) => known === field('kind')),
    name: textOf('name'),
    tags: toTags(tags),
    fields: Object.fromEntries(
      FIELDS.flatMap((name) => (textOf(name) === undefined ? [] : [[name, textOf(name)]])),
    ),
    content: (parsed?.body ?? plain).trim(),
  };
}

/** A list as JSON, or words with commas as people write them. */
function toTags(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.filter((tag): tag is string => typeof tag === 'string');
  if (typeof value !== 'string') return [];
  return value
    .replaceAll(/^\[|\]$/g, '')
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}

export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

const MARKED = /^<{7}(?: .*)?\n([\s\S]*?)(?:^\|{7}(?: .*)?\n[\s\S]*?)?^={7}\n([\s\S]*?)^>{7}(?: .*)?$\n?/gm;

/** Both sides of a file that git could not merge; undefined if it has no conflict in it. */
export function sidesOf(text: string): readonly [string, string] | undefined {
  const plain = text.replaceAll('\r\n', '\n');
  if (!/^<{7}/m.test(plain)) return undefined;
  const side = (which: 1 | 2): string =>
    plain.replaceAll(MARKED, (...groups: readonly unknown[]) => String(groups[which]));
  const [ours, theirs] = [side(1), side(2)];
  return ours === plain ? undefined : [ours, theirs];
}
