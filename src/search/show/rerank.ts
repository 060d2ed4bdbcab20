/** The first hits in the order that a service gives them: it reads what is shown, and knows more words than the index does. */
import type { Reranker } from '../../embedding/index.ts';
import { escapeControl } from '../../text/index.ts';
import { cursorAfter, type AskedPage } from '../query/parse-query.ts';
import type { Hit } from './hit.ts';
import type { Page } from './page.ts';

/** So many are judged together; those behind them stay where they are. */
export const MOST_JUDGED = 30;

export interface RerankedPage extends Page {
  /** One line, if the service did not answer. */
  readonly note?: string;
}

interface RerankInput {
  readonly question: string;
  readonly asked: Pick<AskedPage, 'from' | 'limit'>;
  /** Hits in our own order. */
  readonly show: (page: Pick<AskedPage, 'from' | 'limit'>) => Promise<Page>;
}

export async function showReranked(
  { question, asked, show }: RerankInput,
  reranker: Reranker,
): Promise<RerankedPage> {
  if (asked.from >= MOST_JUDGED) return show(asked);
  const first = await show({ from: 0, limit: MOST_JUDGED });
  const judged = await reranker.judge(question, first.hits.map(textOf));
  if (judged.kind === 'none')
    return {
      ...(await show(asked)),
      note: `order by Waymark alone: ${escapeControl(reranker.name)} ${judged.why}`,
    };
  const order = first.hits
    .map((hit, at) => ({ hit, score: judged.scores[at] ?? 0 }))
    .sort((a, b) => b.score - a.score)
    .map(({ hit }, at): Hit => ({ ...hit, rank: at + 1, after: cursorAfter(at + 1) }));
  const end = asked.from + asked.limit;
  const rest =
    end > MOST_JUDGED && first.next !== undefined
      ? await show({ from: MOST_JUDGED, limit: end - MOST_JUDGED })
      : undefined;
  const hits = [...order.slice(asked.from, end), ...(rest?.hits ?? [])];
  const isMore = end < order.length || (rest ?? first).next !== undefined;
  return { ...first, hits, next: isMore ? (rest?.next ?? cursorAfter(end)) : undefined };
}

/** No path: services get none. */
function textOf({ definition, lines }: Hit): string {
  return [...(definition === undefined ? [] : [definition.signature]), ...lines].join('\n');
}
