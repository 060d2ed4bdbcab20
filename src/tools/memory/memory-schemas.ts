/** Arguments and values that several tools of the memory share. Limits are checked by the memory and not listed. */
import * as z from 'zod';
import { MOST_NAME_CHARS, PROJECT_ARGUMENT_CHARS, textUpTo } from '../schemas.ts';

export const TAGS = z.array(z.string()).optional();
export const FILES = z
  .array(textUpTo(PROJECT_ARGUMENT_CHARS))
  .optional()
  .describe('Project files it is about');
export const SAVE_KEY = textUpTo(MOST_NAME_CHARS)
  .optional()
  .describe('Same key, same entry: makes a retry safe');

const MOST_HITS = 20;

export function limitOf(usual: number) {
  return z
    .number()
    .refine((value) => Number.isInteger(value) && value >= 1 && value <= MOST_HITS, {
      message: `expected a whole number from 1 to ${MOST_HITS}`,
    })
    .default(usual);
}

export const SAVED = z.object({
  id: z.string(),
  repeated: z.boolean(),
  version: z.number(),
  redacted: z.number(),
  redacted_kinds: z.array(z.string()),
  flags: z.array(z.string()),
});
