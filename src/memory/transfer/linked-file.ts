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

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/**
 * Both sides of a file that git could not merge; undefined if it has no conflict in it. Marks count as git writes them, and not
 * where a fence shows them as an example.
 */
export function sidesOf(text: string): readonly [string, string] | undefined {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const [ours, theirs]: [string[], string[]] = [[], []];
  let fence: string | undefined;
  let isMerged = true;
  for (let at = 0; at < lines.length; at += 1) {
    const conflict = fence === undefined ? conflictAt(lines, at) : undefined;
    const kept = conflict?.ours ?? lines.slice(at, at + 1);
    ours.push(...kept);
    theirs.push(...(conflict?.theirs ?? kept));
    for (const line of kept) fence = fenceAfter(fence, line);
    if (conflict === undefined) continue;
    isMerged = false;
    at = conflict.end;
  }
  return isMerged ? undefined : [ours.join('\n'), theirs.join('\n')];
}

interface Conflict {
  readonly ours: readonly string[];
  readonly theirs: readonly string[];
  /** Its last line. */
  readonly end: number;
}

function conflictAt(lines: readonly string[], start: number): Conflict | undefined {
  if (!/^<{7} \S/.test(lines[start] ?? '')) return undefined;
  const middle = lines.indexOf('='.repeat(7), start);
  const end = lines.findIndex((line, at) => at > middle && /^>{7} \S/.test(line));
  if (middle < 0 || end < 0) return undefined;
  const base = lines.findIndex((line, at) => at > start && at < middle && /^\|{7}(?: |$)/.test(line));
  return {
    ours: lines.slice(start + 1, base < 0 ? middle : base),
    theirs: lines.slice(middle + 1, end),
    end,
  };
}

/** The mark that ends the fenced code that a line stands in, or begins; undefined outside of any. */
function fenceAfter(fence: string | undefined, line: string): string | undefined {
  const [, mark, rest = ''] = FENCE.exec(line) ?? [];
  if (mark === undefined) return fence;
  // What follows the mark of a beginning may hold no mark of its own.
  if (fence === undefined) return mark.startsWith('`') && rest.includes('`') ? undefined : mark;
  const isEnd = mark[0] === fence[0] && mark.length >= fence.length && rest.trim() === '';
  return isEnd ? undefined : fence;
}
