/** How every file of a project was read, what was left out, and why one file is not there. */
import * as z from 'zod';
import type { CoverageAnswer, WhyAnswer } from '../api.ts';
import { defineRoute, projectAt } from '../page-route.ts';

const ROOT = z.string().min(1).max(4_096);
/** More of them say no more; their number is told. */
const MOST_SKIPS = 5_000;

export const COVERAGE_ROUTES = [
  defineRoute({
    verb: 'GET',
    path: 'coverage',
    input: z.strictObject({ root: ROOT }),
    async answer(request): Promise<CoverageAnswer> {
      const { root } = await projectAt(request, request.input.root);
      const { files, skips } = await request.page.engine.coverage({ root });
      const languages = [...new Set(files.map(({ language }) => language))];
      const places = new Map(languages.map((language, place) => [language, place]));
      const counts = new Map<string, number>();
      for (const { reason } of skips) counts.set(reason, (counts.get(reason) ?? 0) + 1);
      return {
        languages,
        files: files.map(({ path, lines, language, state, errorShare }) => {
          const place = places.get(language) ?? 0;
          return errorShare === undefined
            ? ([path, lines, place, state] as const)
            : ([path, lines, place, state, errorShare] as const);
        }),
        skips: skips
          .slice(0, MOST_SKIPS)
          .map(({ path, reason, detail }) => ({ path, reason, detail: detail ?? null })),
        leftOut: [...counts]
          .map(([reason, count]) => ({ reason, count }))
          .toSorted((a, b) => b.count - a.count),
      };
    },
  }),
  defineRoute({
    verb: 'GET',
    path: 'coverage/why',
    input: z.strictObject({ root: ROOT, path: z.string().min(1).max(4_096) }),
    async answer(request): Promise<WhyAnswer> {
      const { root } = await projectAt(request, request.input.root);
      const explained = await request.page.engine.explainFile({ root, path: request.input.path });
      const failure = explained.failure ?? null;
      switch (explained.kind) {
        case 'listed': {
          const { rule } = explained;
          const detail = rule === undefined ? null : `${rule.file}:${rule.line} ${rule.pattern}`;
          return { kind: 'listed', path: explained.path, reason: null, detail, failure };
        }
        case 'skipped': {
          const { path, reason, detail } = explained.skip;
          return { kind: 'skipped', path, reason, detail: detail ?? null, failure };
        }
        case 'missing':
        case 'outside':
          return { kind: explained.kind, path: explained.path, reason: null, detail: null, failure };
      }
    },
  }),
];
