/** What parent and child say to each other. The child works on foreign text in foreign code, so its words are checked. */
import {
  DEFINITION_KINDS,
  REFERENCE_KINDS,
  VISIBILITIES,
  type Definition,
  type Import,
  type LineRange,
  type Reference,
} from '../../core/index.ts';
import { PARSE_FAILURES, type FoundInFile, type ParseFailure } from './parsed.ts';

/** To the child, which reads one file at a time. */
export interface ParseCommand {
  readonly id: number;
  readonly language: string;
  readonly text: string;
  readonly only?: 'definitions' | undefined;
}

/** From the child. */
export type ChildAnswer =
  | { readonly kind: 'ready' }
  /** `rssMb`: the memory that the child takes. */
  | { readonly kind: 'found'; readonly id: number; readonly found: FoundInFile; readonly rssMb: number }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: ParseFailure };

const MOST_ITEMS = 50_000;
const MOST_CHARS = 400;
const MOST_LINE = 100_000_000;

type Fields = Readonly<Record<string, unknown>>;

export function parseCommand(message: unknown): ParseCommand | undefined {
  if (!isFields(message)) return undefined;
  const { id, language, text } = message;
  if (typeof id !== 'number' || typeof language !== 'string' || typeof text !== 'string') return undefined;
  return { id, language, text, only: message['only'] === 'definitions' ? 'definitions' : undefined };
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
  const references = listOf(value['references'], parseReference);
  const imports = listOf(value['imports'], parseImport);
  const errors = listOf(value['errors'], parseRange);
  const errorShare = value['errorShare'];
  if (definitions === undefined || references === undefined || imports === undefined || errors === undefined)
    return undefined;
  if (typeof errorShare !== 'number' || !(errorShare >= 0 && errorShare <= 1)) return undefined;
  return { definitions, references, imports, errors, errorShare };
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

function parseReference(value: Fields): Reference | undefined {
  const name = textIn(value, 'name');
  const kind = oneOf(REFERENCE_KINDS, value['kind']);
  const { lines } = value;
  if (name === undefined || kind === undefined || !Array.isArray(lines) || !lines.every(isLine))
    return undefined;
  return { name, kind, lines };
}

function parseImport(value: Fields): Import | undefined {
  const specifier = textIn(value, 'specifier');
  const { line, names } = value;
  if (specifier === undefined || !isLine(line) || !Array.isArray(names) || !names.every(isShort))
    return undefined;
  return { specifier, names, line };
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
