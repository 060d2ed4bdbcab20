/** What is said of an answer beside its hits, by tools and on the command line alike. */
import type { SearchAnswer } from './hit.ts';

type Counts = Pick<SearchAnswer, 'passed' | 'files'>;
type NoMatch = Pick<SearchAnswer, 'hits' | 'nearest' | 'matched' | 'passed'>;

/** What was found holds none of the words. */
export function noteGuess({ passed, files }: Counts): string {
  return `no file ${passed < files ? 'that passes the filters ' : ''}holds these words; nearest in meaning:`;
}

/** Before the nearest places, which are shown without their code. */
export function noteNothingNear({ passed, files }: Counts): string {
  return `Nothing ${passed < files ? 'that passes the filters' : 'here'} is about that. Nearest places:`;
}

/** Undefined unless there are files and the filters let none of them through. */
export function noteNoneLeft({ passed, files }: Counts): string | undefined {
  if (passed > 0 || files === 0) return undefined;
  return `the filters leave none of ${files} ${files === 1 ? 'file' : 'files'}: loosen lang:, path:, kind:, symbol:, changed: or branch:`;
}

/** Undefined unless files were looked at and nothing was found. */
export function noteNoMatch({ hits, nearest, matched, passed }: NoMatch, query: string): string | undefined {
  if (hits.length + nearest.length + matched > 0 || passed === 0) return undefined;
  const looked = `no match in ${passed} ${passed === 1 ? 'file' : 'files'}`;
  return query.includes('"')
    ? `${looked}: text in quotes has to be there as it is; without the quotes it is searched by its words`
    : `${looked}; try other words, fewer filters, or a symbol's name`;
}
