/** The baseline: BM25 over whole files, identifiers split, every word of the report as often as it stands there. */
import { readQuestion, WEIGHTS, type Ranker } from '../../src/search/index.ts';
import { identifiersIn, termsOf } from '../../src/text/index.ts';

/** Paths, best first. */
export function createFileBaseline({ rank, view }: Ranker): (text: string) => string[] {
  return (text) => {
    const tokens = new Map<number, number>();
    for (const { hash } of identifiersIn(text).flatMap(termsOf))
      tokens.set(hash, (tokens.get(hash) ?? 0) + 1);
    const { lexical } = rank(
      { ...readQuestion('baseline'), tokens },
      new Uint8Array(view.fileCount),
      WEIGHTS,
    );
    return view.segments
      .flatMap(({ files, alive, firstFile }) =>
        files.flatMap(({ path }, at) =>
          alive[at] === 1 ? [{ path, score: lexical.files[firstFile + at] ?? 0 }] : [],
        ),
      )
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .map(({ path }) => path);
  };
}
