/**
 * The messages between the parser's parent and its children, and what callers see of them. A child works on foreign text with
 * foreign code, so its answers are validated.
 */
import { type Definition, DEFINITION_KINDS, type LineRange, VISIBILITIES } from '../../core/index.ts';

export interface ParseRequest {
  /** Relative to the project's root; only to name the file in the answer. */
  readonly path: string;
  readonly language: string;
  /** Decoded, and without secrets: whatever is found in it may be stored. */
  readonly text: string;
}

export interface FoundInFile {
  /** Ordered by first line; what holds others comes before them. */
  readonly definitions: readonly Definition[];
  /** Names that are used, defined here or elsewhere. */
  /** As `packFacts` makes them; opaque here. Only where they were asked for and could be made. */
  readonly facts?: Uint8Array | undefined;
  /** Share of the text that the grammar could not read, 0 to 1. */
  readonly errorShare: number;
  /** The lines around what could not be read; definitions there may be missing. */
  readonly errors: readonly LineRange[];
}

export interface ParsedFile extends FoundInFile {
  readonly path: string;
  readonly kind: 'parsed';
}

export const PARSE_FAILURES = [
  'crashed',
  'timed out',
  'out of memory',
  'answer refused',
  'grammar missing',
  'grammar damaged',
  'no grammar',
  'parser does not start',
] as const;
/** Never file content: it is shown beside the path as the detail of `parser_failed`. */
export type ParseFailure = (typeof PARSE_FAILURES)[number];

export interface FailedFile {
  readonly path: string;
  readonly kind: 'failed';
  readonly reason: 'parser_failed';
  readonly detail: ParseFailure;
}

export type ParseOutcome = ParsedFile | FailedFile;

/** To the child, which reads one file at a time. */
export interface ParseCommand {
  readonly id: number;
  readonly language: string;
  readonly text: string;
}

/** From the child. */
export type ChildAnswer =
  | { readonly kind: 'ready' }
  /** `rssMb`: the memory that the child takes. */
  | { readonly kind: 'found'; readonly id: number; readonly found: FoundInFile; readonly rssMb: number }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: ParseFailure };

/** The same on its way: bytes as text. */
export type SentAnswer =
  | Exclude<ChildAnswer, { kind: 'found' }>
  | (Omit<Extract<ChildAnswer, { kind: 'found' }>, 'found'> & {
      readonly found: Omit<FoundInFile, 'facts'> & { readonly facts?: string };
    });

const MOST_ITEMS = 50_000;
const MOST_CHARS = 400;
const MOST_FACT_CHARS = 6 * 1024 * 1024;
const MOST_LINE = 100_000_000;

type Fields = Readonly<Record<string, unknown>>;

export function parseCommand(message: unknown): ParseCommand | undefined {
  if (!isFields(message)) return undefined;
  const { id, language, text } = message;
  if (typeof id !== 'number' || typeof language !== 'string' || typeof text !== 'string') return undefined;
  return { id, language, text };
}

/** Undefined for anything that is not exactly an answer. */
export function parseAnswer(message: unknown): ChildAnswer | undefined {
  if (!isFields(message)) return undefined;
  const { kind, id } = message;
  if (kind === 'ready') return { kind };
  if (typeof id !== 'number') return undefined;
  const failure = oneOf(PARSE_FAILURES, message['failure']);
  if (kind === 'failed') return failure === undefined ? undefined : { kind, id, failure };
  const found = kind === 'found' ? parseFound(message['found']) : undefined;
  const rssMb = message['rssMb'];
  return found === undefined || typeof rssMb !== 'number' ? undefined : { kind: 'found', id, found, rssMb };
}

function parseFound(value: unknown): FoundInFile | undefined {
  if (!isFields(value)) return undefined;
  const definitions = listOf(value['definitions'], parseDefinition);
  const errors = listOf(value['errors'], parseRange);
  const errorShare = value['errorShare'];
  if (definitions === undefined || errors === undefined) return undefined;
  if (typeof errorShare !== 'number' || !(errorShare >= 0 && errorShare <= 1)) return undefined;
  const facts = parseFacts(value['facts']);
  return { definitions, errors, errorShare, ...(facts === undefined ? {} : { facts }) };
}

/** Messages are JSON: bytes go as text. */
function parseFacts(value: unknown): Uint8Array | undefined {
  return typeof value === 'string' && value.length <= MOST_FACT_CHARS
    ? Buffer.from(value, 'base64')
    : undefined;
}

function parseDefinition(value: Fields): Definition | undefined {
  const range = parseRange(value);
  const name = textIn(value, 'name');
  const signature = textIn(value, 'signature');
  const kind = oneOf(DEFINITION_KINDS, value['kind']);
  if (range === undefined || name === undefined || signature === undefined || kind === undefined)
    return undefined;
  const visibility = oneOf(VISIBILITIES, value['visibility']);
  const definition = {
    name,
    kind,
    container: textIn(value, 'container'),
    signature,
    doc: textIn(value, 'doc'),
  };
  return { ...definition, ...range, ...(visibility === undefined ? {} : { visibility }) };
}

function parseRange(value: Fields): LineRange | undefined {
  const { startLine, endLine } = value;
  return isLine(startLine) && isLine(endLine) && startLine <= endLine ? { startLine, endLine } : undefined;
}

function listOf<T>(value: unknown, parse: (item: Fields) => T | undefined): T[] | undefined {
  if (!Array.isArray(value) || value.length > MOST_ITEMS) return undefined;
  const items: T[] = [];
  for (const item of value) {
    const parsed = isFields(item) ? parse(item) : undefined;
    if (parsed === undefined) return undefined;
    items.push(parsed);
  }
  return items;
}

function textIn(value: Fields, key: string): string | undefined {
  const text = value[key];
  return isShort(text) && text !== '' ? text : undefined;
}

function isShort(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MOST_CHARS;
}

function isLine(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MOST_LINE;
}

function oneOf<T extends string>(all: readonly T[], value: unknown): T | undefined {
  return all.find((each) => each === value);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
