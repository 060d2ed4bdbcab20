/** Tool `find_references`: who uses a symbol, or what it uses. */
import * as z from 'zod';
import { AppError, USE_KINDS } from '../../core/index.ts';
import { renderReferences } from '../../structure/index.ts';
import { defineTool } from '../define-tool.ts';
import { FRESHNESS_VALUE, toFreshnessValue } from '../freshness.ts';
import { MOST_NAME_CHARS, namesUpTo, textUpTo } from '../schemas.ts';
import { BUDGET, fromIndex, toUnseenValue, UNSEEN_VALUE, withFreshness } from './structure-call.ts';

const CURSOR = /^\d{1,9}$/;

export const findReferences = defineTool({
  name: 'find_references',
  toolset: 'structure',
  scope: 'search',
  title: 'Find references',
  description:
    'Who calls or uses a symbol, resolved by scope, import and type: use it instead of grep before you change or rename something. ' +
    'direction "out": what it uses.',
  project: 'required',
  input: z.strictObject({
    symbol: textUpTo(MOST_NAME_CHARS).describe('name, Class.method or path:line'),
    kind: z.array(z.enum(USE_KINDS)).optional(),
    direction: z.enum(['in', 'out']).optional(),
    path: namesUpTo(20, MOST_NAME_CHARS).optional(),
    include: z.enum(['possible']).optional(),
    budget: BUDGET,
    cursor: textUpTo(20).optional(),
  }),
  output: z.object({
    symbols: z.array(
      z.object({
        name: z.string(),
        kind: z.string(),
        path: z.string(),
        line: z.number(),
        possible: z.number(),
        imports: z.number(),
        by_name: z.boolean(),
        partial: z.boolean(),
        references: z.array(
          z.object({
            path: z.string(),
            line: z.number(),
            kind: z.string(),
            grade: z.string(),
            symbol: z.string().optional(),
            text: z.string(),
            test: z.boolean(),
          }),
        ),
      }),
    ),
    others: z.array(z.object({ path: z.string(), line: z.number() })),
    next_cursor: z.string().optional(),
    unseen: UNSEEN_VALUE,
    index: FRESHNESS_VALUE,
  }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  example: { symbol: 'SessionStore.get' },
  run: (input, call) =>
    fromIndex(call, async (project, freshness) => {
      const { symbol, kind, direction, path, include, budget, cursor } = input;
      if (cursor !== undefined && !CURSOR.test(cursor))
        throw new AppError('bad_argument', 'The cursor is none that an answer gave.', {
          hint: 'Leave it out, or use the number of the last answer.',
        });
      const answer = await call.services.engine.findReferences(
        { ...project, symbol, kinds: kind, direction, paths: path, include },
        { signal: call.signal },
      );
      const { text, next } = renderReferences(answer, { budget, from: Number(cursor ?? 0), direction });
      return {
        text: withFreshness(freshness, text),
        structured: {
          symbols: answer.symbols.map(({ isByName, isPartial, references, ...rest }) => ({
            ...rest,
            by_name: isByName,
            partial: isPartial,
            references: references.map(({ isTest, kind: how, symbol: around, ...place }) => ({
              ...place,
              kind: how,
              ...(around === undefined ? {} : { symbol: around }),
              test: isTest,
            })),
          })),
          others: [...answer.others],
          ...(next === undefined ? {} : { next_cursor: String(next) }),
          unseen: toUnseenValue(answer.unseen),
          index: toFreshnessValue(freshness),
        },
      };
    }),
});
