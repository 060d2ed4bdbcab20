/** Questions with and without an answer, asked of one root: how far above the floor each is. */
import type { App } from '../../src/app.ts';
import { languageKind } from '../../src/languages/index.ts';
import { readQuestion, WEIGHTS, type Ranker } from '../../src/search/index.ts';
import type { Task } from '../relevance/annotations.ts';
import { isSamePath, ndcg } from '../relevance/ndcg.ts';

const DEPTH = 10;
const PLACES = 3;

export interface Answered {
  readonly query: string;
  /** Infinite where it cannot be told: it is shown. */
  readonly aboveFloor: number;
  readonly ndcg: number;
  /** Of the three places that an answer below the floor names. */
  readonly ofPlaces: number;
  /** Of the first file that answers it, from 0; -1 if it is not among the first ten. */
  readonly rank: number;
}

export interface Asker {
  height(query: string): Promise<number>;
  ask(task: Pick<Task, 'query' | 'relevant'>): Promise<Answered>;
}

export interface AskOptions {
  /** `code`: the annotations' way. `all`: every file, as users ask. */
  readonly files: 'code' | 'all';
  /** A folder that is left out. */
  readonly without?: string;
}

export async function createAsker(app: App, root: string, { files, without }: AskOptions): Promise<Asker> {
  const { ranker } = await app.search.searcher(root);
  const allowed = chooseFiles(ranker, (language, path) =>
    without === undefined || !path.startsWith(`${without}/`)
      ? files === 'all' || languageKind(language) === 'code'
      : false,
  );
  const height = async (query: string): Promise<number> => {
    const answer = await app.search.run({
      roots: [root],
      query: without === undefined ? query : `${query} -path:${without}`,
      ...(files === 'code' ? { kinds: ['code'] } : {}),
    });
    return answer.aboveFloor ?? Infinity;
  };
  return {
    height,
    async ask({ query, relevant }) {
      const ranking = ranker.rank(readQuestion(query), allowed, WEIGHTS);
      const shown = ranking.files
        .slice(0, DEPTH)
        .map((file) => ({ path: file.facts.path, ...ranking.chunkOf(file) }));
      return {
        query,
        ndcg: ndcg(shown, relevant),
        ofPlaces: ndcg(shown.slice(0, PLACES), relevant),
        rank: shown.findIndex((one) => relevant.some(({ path }) => isSamePath(one.path, path))),
        aboveFloor: await height(query),
      };
    },
  };
}

function chooseFiles({ view }: Ranker, isWanted: (language: string, path: string) => boolean): Uint8Array {
  const allowed = new Uint8Array(view.fileCount);
  for (const { files, firstFile, alive } of view.segments)
    files.forEach(({ language, path }, at) => {
      if (alive[at] === 1 && isWanted(language, path)) allowed[firstFile + at] = 1;
    });
  return allowed;
}
