/** Reads the commits that are new, or all of them where the history is another one now. */
import type { Clock } from '../core/index.ts';
import { readFileHistory } from '../workspace/index.ts';
import { gatherHistory } from './gather-history.ts';
import type { HistoryReply, HistoryRequest } from './history-pass.ts';

/**
 * Who changes between branches leaves commits behind. What was gathered from them stays, and is there when they come back, unless
 * it is more than this share of all: then the history was rewritten, or it is another one.
 */
const MOST_LEFT = 0.1;
const FEW_COMMITS = 20;
const MOST_TIPS = 16;

export function readHistory(
  { commonDir, folder, head, paths, before, mostBytes }: HistoryRequest,
  clock: Clock,
): HistoryReply {
  const read = (known: readonly string[], old: HistoryRequest['before']): HistoryReply | undefined => {
    const history = readFileHistory({ commonDir, folder, head, known, clock });
    try {
      const { left, leftCommits, isBroken } = history;
      const most = Math.max(FEW_COMMITS, (old?.commits ?? 0) * MOST_LEFT);
      if (isBroken || leftCommits > most || left.length > MOST_TIPS) return undefined;
      const { commits, packed } = gatherHistory({
        commits: history.commits,
        paths,
        before: old?.packed,
        mostBytes,
      });
      return { tips: [head, ...left], commits: (old?.commits ?? 0) + commits, packed, read: commits };
    } finally {
      history.close();
    }
  };
  const nothing = { tips: [head], commits: 0, packed: new Uint8Array(), read: 0 };
  return (before && read(before.tips, before)) ?? read([], undefined) ?? nothing;
}
