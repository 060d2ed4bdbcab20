/** Who is connected, how their project was found, what the tools cost them, and what the doctor finds. */
import * as z from 'zod';
import { TOOLSETS } from '../../core/index.ts';
import { describeTool, TOOLS } from '../../tools/index.ts';
import type { ClientsAnswer, DoctorAnswer } from '../api.ts';
import { defineRoute } from '../page-route.ts';

/** Of a listing, as GPT's o200k counts it: 14,615 characters are 3,340 tokens. */
const CHARS_PER_TOKEN = 4.4;

export const CLIENT_ROUTES = [
  defineRoute({
    verb: 'GET',
    path: 'clients',
    input: z.strictObject({}),
    async answer({ page }): Promise<ClientsAnswer> {
      // As a client gets the listing: what another tool does as well stands in it only where every set does.
      const isWhole = TOOLSETS.every((name) => page.toolsets.includes(name));
      const sets = TOOLSETS.map((name) => ({
        name,
        isServed: page.toolsets.includes(name),
        tools: TOOLS.filter(({ toolset, unlisted }) => toolset === name && (isWhole || !unlisted)).map(
          (tool) => ({
            name: tool.name,
            title: tool.title,
            tokens: Math.round(JSON.stringify(describeTool(tool)).length / CHARS_PER_TOKEN),
          }),
        ),
      }));
      const served = sets.filter(({ isServed }) => isServed).flatMap(({ tools }) => tools);
      return {
        clients: page.log.clients(),
        toolsets: sets,
        listingTokens: served.reduce((sum, { tokens }) => sum + tokens, 0),
      };
    },
  }),
  defineRoute({
    verb: 'POST',
    path: 'doctor',
    input: z.strictObject({}),
    answer: async ({ call, page }): Promise<DoctorAnswer> => ({ findings: await page.examine(call.signal) }),
  }),
];
