/** The schemas every tool shares, and how they become JSON Schema. */
import { z } from 'zod';

export const PROJECT_ARGUMENT = z
  .string()
  .min(1)
  .max(4096)
  .optional()
  .describe('Absolute path or known name of the project; leave out to use the one Waymark finds');

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
