/**
 * Says what is wrong with a row of a memory before anything is made of it. A check sum proves only that a row is as it was
 * written, not that we wrote it: a forged one bears a right sum. Pure.
 */
import { CHANGE_ACTIONS, ENTRY_KINDS, ORIGINS } from '../memory-store.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** The last moment of the year 9999: later dates cannot be written as people and other programs read them. */
export const LAST_DATE_MS = 253_402_300_799_999;

/**
 * In characters. Wider than what may be saved (`LIMITS` in memory/limits.ts): taking out a secret can lengthen a text, and
 * what an earlier release took must still be restored.
 */
const LONGEST = { name: 4_096, summary: 32_768, content: 1_048_576, tag: 1_024, short: 8_192 } as const;
const MOST = { tags: 256, files: 2_000, fields: 64, flags: 64 } as const;
const METADATA_CHARS = 131_072;
export const MOST_DEPTH = 32;
export const MOST_DOC_CHARS = 16 * 1_048_576;
const ID = /^[a-z][a-z0-9-]{0,63}$/;

/** Undefined if the value can be an entry as it stands. */
export function entryProblem(value: Fields): string | undefined {
  const { id, kind, fields, metadata, files, provenance } = value;
  if (typeof id !== 'string' || !ID.test(id)) return 'its id is none of ours';
  if (!ENTRY_KINDS.some((known) => known === kind)) return 'its kind is unknown';
  return (
    textProblem('name', value['name'], LONGEST.name) ??
    textProblem('summary', value['summary'], LONGEST.summary) ??
    textProblem('content', value['content'], LONGEST.content) ??
    textsProblem('tags', value['tags'], MOST.tags) ??
    textsProblem('flags', value['flags'], MOST.flags) ??
    (isFields(fields) ? textFieldsProblem(fields) : 'fields is no object') ??
    (isFields(metadata) ? metadataProblem(metadata) : 'metadata is no object') ??
    filesProblem(files) ??
    numberProblem(value) ??
    dateProblem('createdAt', value['createdAt']) ??
    dateProblem('updatedAt', value['updatedAt']) ??
    (isFields(provenance) ? provenanceProblem(provenance) : 'provenance is no object')
  );
}

export function changeProblem(value: Fields): string | undefined {
  if (!CHANGE_ACTIONS.some((known) => known === value['action'])) return 'its action is unknown';
  return (
    dateProblem('at', value['at']) ??
    textProblem('entryId', value['entryId'], LONGEST.short) ??
    textProblem('kind', value['kind'], LONGEST.short) ??
    textProblem('name', value['name'], LONGEST.name) ??
    textProblem('by', value['by'], LONGEST.short)
  );
}

export function identityProblem(value: Fields): string | undefined {
  if (value['identity'] === '') return 'identity is empty';
  return (
    textProblem('identity', value['identity'], LONGEST.short) ??
    textProblem('name', value['name'], LONGEST.name) ??
    dateProblem('since', value['since'])
  );
}

export function isDate(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= LAST_DATE_MS;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Deeper values end in a stack overflow where they are written out. */
export function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((item) => isDeeperThan(item, depth - 1));
}

/** The object that a text spells out as JSON; undefined if it is none, or one that nothing of ours would write. */
export function parseFields(text: string): Fields | undefined {
  if (text.length > MOST_DOC_CHARS) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function textProblem(name: string, value: unknown, longest: number): string | undefined {
  if (typeof value !== 'string') return `${name} is no text`;
  return value.length > longest ? `${name} is longer than ${longest} characters` : undefined;
}

function textsProblem(name: 'tags' | 'flags', value: unknown, most: number): string | undefined {
  if (!Array.isArray(value)) return `${name} is no list`;
  if (value.length > most) return `there are more than ${most} ${name}`;
  return value
    .map((item: unknown) => textProblem(name, item, LONGEST.tag))
    .find((found) => found !== undefined);
}

function textFieldsProblem(fields: Fields): string | undefined {
  const all = Object.entries(fields);
  if (all.length > MOST.fields) return `there are more than ${MOST.fields} fields`;
  return all
    .map(
      ([name, text]) =>
        textProblem('the name of a field', name, LONGEST.tag) ??
        textProblem('a field', text, LONGEST.content),
    )
    .find((found) => found !== undefined);
}

function metadataProblem(metadata: Fields): string | undefined {
  if (isDeeperThan(metadata, MOST_DEPTH)) return `metadata is nested more than ${MOST_DEPTH} deep`;
  return JSON.stringify(metadata).length > METADATA_CHARS
    ? `metadata is longer than ${METADATA_CHARS} characters`
    : undefined;
}

function filesProblem(files: unknown): string | undefined {
  if (!Array.isArray(files)) return 'files is no list';
  if (files.length > MOST.files) return `there are more than ${MOST.files} files`;
  return files
    .map((file: unknown) => {
      if (!isFields(file)) return 'a file is no object';
      return (
        textProblem('the path of a file', file['path'], LONGEST.short) ??
        optionalProblem(file, ['hash', 'dirty'])
      );
    })
    .find((found) => found !== undefined);
}

function numberProblem({ confidence, tokens, version }: Fields): string | undefined {
  if (typeof confidence !== 'number' || !(confidence >= 0 && confidence <= 1))
    return 'confidence is not between 0 and 1';
  if (!isCount(tokens, 0)) return 'tokens is no count';
  return isCount(version, 1) ? undefined : 'version is no count';
}

function isCount(value: unknown, least: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= 2 ** 31;
}

function dateProblem(name: string, value: unknown): string | undefined {
  return isDate(value) ? undefined : `${name} is no date within the calendar`;
}

function provenanceProblem(provenance: Fields): string | undefined {
  if (!ORIGINS.some((known) => known === provenance['origin'])) return 'its origin is unknown';
  const texts = ['client', 'tool', 'user', 'project'] as const;
  return (
    texts
      .map((name) => textProblem(name, provenance[name], LONGEST.short))
      .find((found) => found !== undefined) ??
    optionalProblem(provenance, ['source', 'worktree', 'branch', 'commit']) ??
    claimsProblem(provenance['claims'])
  );
}

/** Spelled out again at the next export. */
function claimsProblem(claims: unknown): string | undefined {
  if (claims === undefined) return undefined;
  if (typeof claims !== 'string' || claims.length > METADATA_CHARS)
    return 'claims is no text of a sensible length';
  const value = parseFields(claims);
  return value === undefined || isDeeperThan(value, MOST_DEPTH) ? 'claims is no JSON object' : undefined;
}

function optionalProblem(value: Fields, names: readonly string[]): string | undefined {
  return names
    .filter((name) => value[name] !== undefined)
    .map((name) => textProblem(name, value[name], LONGEST.short))
    .find((found) => found !== undefined);
}
