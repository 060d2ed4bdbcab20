/** Files that are reached from others, for programs. */
import * as z from 'zod';
import type { Freshness } from '../../indexing/index.ts';
import type { FilesAnswer } from '../../structure/index.ts';
import { FRESHNESS_VALUE, toFreshnessValue } from '../freshness.ts';
import { toUnseenValue, UNSEEN_VALUE } from './structure-call.ts';

export const FILES_VALUE = z.object({
  from: z.array(z.string()),
  files: z.array(z.object({ path: z.string(), distance: z.number(), via: z.string(), test: z.boolean() })),
  unseen: UNSEEN_VALUE,
  index: FRESHNESS_VALUE,
});

export function toFilesValue(answer: FilesAnswer, freshness: Freshness): z.input<typeof FILES_VALUE> {
  return {
    from: [...answer.from],
    files: answer.files.map(({ path, distance, via, isTest }) => ({ path, distance, via, test: isTest })),
    unseen: toUnseenValue(answer.unseen),
    index: toFreshnessValue(freshness),
  };
}
