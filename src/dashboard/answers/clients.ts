/** Who is connected, how their project was found, what the tools cost them, and what the doctor finds. */
import * as z from 'zod';
import { TOOLSETS } from '../../core/index.ts';
import { estimateListingTokens } from '../../text/index.ts';
import { TOOLS } from '../../tools/index.ts';
import type { ClientsAnswer, DoctorAnswer } from '../api.ts';
import { defineRoute } from '../page-route.ts';

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
        tools: TOOLS.filter(({ toolset, unlisted }) => toolset === name && (isWhole || !unlisted)),
      }));
      const served = sets.filter(({ isServed }) => isServed).flatMap(({ tools }) => tools);
      const toolsets = sets.map(({ tools, ...set }) => ({
        ...set,
        tools: tools.map((tool) => ({
          name: tool.name,
          title: tool.title,
          tokens: estimateListingTokens([tool]),
        })),
      }));
      return {
        clients: page.log.clients(),
        toolsets,
        listingTokens: estimateListingTokens(served),
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
