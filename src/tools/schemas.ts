/** The schemas every tool shares, and how they become JSON Schema. */
import * as z from 'zod';

export const PROJECT_ARGUMENT_CHARS = 4_096;

/** Every tool has it, so every word of it is paid for with every tool: its limits are checked, but not listed. */
export const PROJECT_ARGUMENT = z
  .string()
  .refine((text) => text.length >= 1 && text.length <= PROJECT_ARGUMENT_CHARS, {
    message: `expected 1 to ${PROJECT_ARGUMENT_CHARS} characters`,
  })
  .optional()
  .describe('Path or name, if another project is meant');

/** Names, patterns, places, ids: nothing that is looked up is longer. */
export const MOST_NAME_CHARS = 500;
/** One request must not keep the others waiting: whatever is worked through one by one is few. */
export const MOST_NAMES = 50;

/** A text with a limit that is checked, but not listed. */
export function textUpTo(most: number) {
  return z.string().refine((text) => text.length <= most, { message: `expected at most ${most} characters` });
}

/** A list with limits that are checked, but not listed; one problem is told, however many items are too long. */
export function namesUpTo(most: number, mostChars = MOST_NAME_CHARS) {
  return z
    .array(z.string())
    .refine((items) => items.length <= most, { message: `expected at most ${most} items` })
    .refine((items) => items.every((item) => item.length <= mostChars), {
      message: `expected items of at most ${mostChars} characters`,
    });
}

export function toJsonSchema(schema: z.ZodObject): Readonly<Record<string, unknown>> {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return rest;
}

/**
 * A failed call answers with other fields than a good one, and clients check both against this one schema.
 * So the fields are listed side by side and `anyOf` says which of them belong together.
 */
export function orFailure(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { properties, required, additionalProperties: _closed, ...rest } = schema;
  const text = { type: 'string' };
  return {
    ...rest,
    properties: {
      project: {
        type: ['object', 'null'],
        properties: { name: text, root: text, source: text },
      },
      ...(typeof properties === 'object' ? properties : {}),
      success: { type: 'boolean' },
      error_type: text,
      message: text,
      instruction: text,
    },
    anyOf: [{ required: required ?? [] }, { required: ['success', 'error_type', 'instruction'] }],
  };
}
