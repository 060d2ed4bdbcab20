/** The schemas every tool shares, and how they become JSON Schema. */
import * as z from 'zod';

const MAX_PROJECT_CHARS = 4_096;

/** Every tool has it, so every word of it is paid for with every tool: its limits are checked, but not listed. */
export const PROJECT_ARGUMENT = z
  .string()
  .refine((text) => text.length >= 1 && text.length <= MAX_PROJECT_CHARS, {
    message: `expected 1 to ${MAX_PROJECT_CHARS} characters`,
  })
  .optional()
  .describe('Path or name, if another project is meant');

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
