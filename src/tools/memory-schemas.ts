/** Arguments and values that several tools of the memory share. Limits are checked by the memory and not listed. */
import * as z from 'zod';
import type { Author, Recalled } from '../memory/index.ts';
import { escapeControl } from '../text/index.ts';
import type { ToolCall } from './define-tool.ts';
import { MOST_NAME_CHARS, PROJECT_ARGUMENT_CHARS, textUpTo } from './schemas.ts';

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

export const HIT = z.object({
  id: z.string(),
  name: z.string(),
  score: z.number(),
  why: z.array(z.string()),
  written_by: z.string(),
  created_at: z.string(),
  branch: z.string().nullable(),
  flags: z.array(z.string()),
  other_project: z.string().nullable(),
});

export function toHit({ entry, score, reasons, elsewhere }: Recalled): z.input<typeof HIT> {
  return {
    id: entry.id,
    name: escapeControl(entry.name),
    score: Math.round(score * 100) / 100,
    why: [...reasons],
    written_by: `${entry.provenance.origin}: ${escapeControl(entry.provenance.client)}`,
    created_at: new Date(entry.createdAt).toISOString(),
    branch: entry.provenance.branch ?? null,
    flags: [...entry.flags],
    other_project: elsewhere ?? null,
  };
}

export const SAVED = z.object({
  id: z.string(),
  repeated: z.boolean(),
  version: z.number(),
  redacted: z.number(),
  flags: z.array(z.string()),
});

/** What an agent saves is an agent's word, whoever it says it speaks for. */
export function authorOf(call: ToolCall, tool: string): Author {
  return { origin: 'agent', client: call.client, tool };
}
