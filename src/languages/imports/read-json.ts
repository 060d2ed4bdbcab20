/** JSON as a repository's configuration files write it, with comments and trailing commas. */
import { jsoncValue, parseJsonc } from '../../text/index.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Far more than a configuration has: a file that nests deeper is not read, because it may be hostile. */
const MAX_DEPTH = 100;

/** Undefined for anything that is not an object. */
export function readJsonFields(text: string): Fields | undefined {
  const result = parseJsonc(text, MAX_DEPTH);
  return result.kind === 'tree' ? fieldsOf(jsoncValue(result.root)) : undefined;
}

export function fieldsOf(value: unknown): Fields | undefined {
  // An object that is no array has fields; what they hold is asked where they are read.
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
