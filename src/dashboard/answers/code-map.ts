/** Who uses what, as a picture; and what uncommitted changes reach. */
import * as z from 'zod';
import type { ImpactAnswer, MapAnswer } from '../api.ts';
import { defineRoute, projectAt } from '../page-route.ts';

const ROOT = z.string().min(1).max(4_096);
const MOST_REACHED = 300;

export const MAP_ROUTES = [
  defineRoute({
    verb: 'GET',
    path: 'map',
    input: z.strictObject({
      root: ROOT,
      folder: z.string().max(4_096).optional(),
      file: z.string().min(1).max(4_096).optional(),
    }),
    async answer(request): Promise<MapAnswer> {
      const { input, page, call } = request;
      const { root } = await projectAt(request, input.root);
      const { folder, file } = input;
      const { signal } = call;
      const map = await page.engine.codeMap({ root, folder, file, mayWrite: true }, { signal });
      return {
        folder: file === undefined ? (folder ?? '') : null,
        file: file ?? null,
        nodes: map.nodes.map((node) => ({ ...node, cycle: node.cycle ?? null })),
        edges: map.edges,
        unlisted: map.unlisted,
        cycles: map.cycles,
        waiting: map.unseen.waiting,
      };
    },
  }),
  defineRoute({
    verb: 'GET',
    path: 'map/impact',
    input: z.strictObject({ root: ROOT }),
    async answer(request): Promise<ImpactAnswer> {
      const { page, call } = request;
      const { root } = await projectAt(request, request.input.root);
      const { signal } = call;
      const { from, files } = await page.engine.fileImpact(
        { root, changed: true, mayWrite: true },
        { signal },
      );
      return {
        changed: from,
        files: files
          .slice(0, MOST_REACHED)
          .map(({ path, distance, via, isTest }) => ({ path, distance, via, isTest })),
      };
    },
  }),
];
