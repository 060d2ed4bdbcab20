/** One call, opened: exactly what the agent read. */
import * as z from 'zod';
import { AppError } from '../../core/index.ts';
import type { CallDetails } from '../api.ts';
import { toCallDetails } from '../call-log.ts';
import { defineRoute } from '../page-route.ts';

export const LIVE_ROUTES = [
  defineRoute({
    verb: 'GET',
    path: 'live/call',
    input: z.strictObject({ id: z.coerce.number().int().min(1) }),
    async answer({ input, page }): Promise<CallDetails> {
      const call = page.log.find(input.id);
      if (call !== undefined) return toCallDetails(call);
      throw new AppError('not_found', 'This call is no longer kept.', {
        hint: 'The last 2,000 calls are, as far as 8 MB of answers reach.',
      });
    },
  }),
];
