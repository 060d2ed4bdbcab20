/**
 * What models and clients write in place of what a schema asks for, put right before the schema looks at it: to refuse it
 * costs a call, and nothing else can be meant. Whatever else does not fit is left for the schema to complain of. Pure.
 */
import type * as z from 'zod';

/** Arguments that a client adds to the schema of every tool and sends along, with the client that does. */
const CLIENT_ADDITIONS: Readonly<Record<string, string>> = {
  wait_for_previous: 'Gemini CLI, and what is made from it',
};

const NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/;

export function readLeniently(schema: z.ZodObject, given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]: [string, unknown]) => {
      const field = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
      if (field === undefined) return Object.hasOwn(CLIENT_ADDITIONS, name) ? [] : [[name, value]];
      return isAbsent(field, value) ? [] : [[name, toExpected(kindOf(field), value)]];
    }),
  );
}

/** Null and empty text stand for what was left out, where something may be. */
function isAbsent(field: z.core.$ZodType, value: unknown): boolean {
  return (value === null || value === '') && field._zod.optin !== undefined;
}

function toExpected(kind: string, value: unknown): unknown {
  if (kind === 'array') return toList(value);
  if (typeof value !== 'string') return value;
  const text = value.trim();
  if (kind === 'number') return NUMBER.test(text) ? Number(text) : value;
  if (kind === 'boolean') return /^(?:true|false)$/i.test(text) ? text.toLowerCase() === 'true' : value;
  return value;
}

/** One value for a list, and a list that was written as text. */
function toList(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    const parsed: unknown = value.startsWith('[') ? JSON.parse(value) : undefined;
    if (Array.isArray(parsed) && parsed.every((item) => typeof item === 'string')) return parsed;
  } catch {
    // Not JSON: a pattern such as `[slug]` is one value.
  }
  return [value];
}

/** The kind of value that a field takes, whatever is wrapped around it. */
function kindOf(field: z.core.$ZodType): string {
  const { def } = field._zod;
  // What zod wraps is another schema.
  return 'innerType' in def ? kindOf(def.innerType as z.core.$ZodType) : def.type;
}
