/** What an index holds, counted: whether generated code is like real code. */
import type { IndexStore } from '../../src/storage/index.ts';
import { unpackTerms } from '../../test/support/unpack-terms.ts';

export const STATS_HEAD =
  '| files | chunks | bytes/chunk | lines/chunk | words/chunk | different | distinct words | chunks/file, half below | definitions/file | in this share of the chunks: word 1, 10, 100, 1000 | a question’s words are in |';

export async function treeStats(
  store: IndexStore,
  questions: readonly (readonly number[])[],
): Promise<string> {
  const { files } = await store.files();
  const { sourceBytes } = await store.stats();
  const holders = new Map<number, number>();
  const perFile: number[] = [];
  let [chunks, words, different, names, lines] = [0, 0, 0, 0, 0];
  for (const file of files) {
    const [content] = await store.contents([file.id]);
    if (content === undefined) continue;
    const { terms, chunks: parts, names: defined } = unpackTerms(content.terms);
    perFile.push(parts.length);
    chunks += parts.length;
    names += defined.length;
    lines += file.lines;
    for (const part of parts) {
      words += part.length;
      different += part.terms.length;
      for (let at = 0; at < part.terms.length; at++) {
        const hash = terms[part.terms[at] ?? 0] ?? 0;
        holders.set(hash, (holders.get(hash) ?? 0) + 1);
      }
    }
  }
  const common = [...holders.values()].sort((a, b) => b - a);
  perFile.sort((a, b) => a - b);
  const share = (rank: number): string => `${((100 * (common[rank - 1] ?? 0)) / chunks).toFixed(1)} %`;
  const asked = questions.map(
    (hashes) => hashes.reduce((sum, hash) => sum + (holders.get(hash) ?? 0), 0) / chunks,
  );
  const meanAsked = asked.reduce((sum, one) => sum + one, 0) / Math.max(1, asked.length);
  const cells = [
    files.length,
    chunks,
    Math.round(sourceBytes / chunks),
    (lines / chunks).toFixed(0),
    (words / chunks).toFixed(0),
    (different / chunks).toFixed(0),
    common.length,
    `${(chunks / files.length).toFixed(1)}, ${perFile[Math.floor(perFile.length / 2)] ?? 0}`,
    (names / files.length).toFixed(1),
    [1, 10, 100, 1_000].map(share).join(', '),
    `${(100 * meanAsked).toFixed(1)} % of the chunks`,
  ];
  return `| ${cells.join(' | ')} |`;
}
