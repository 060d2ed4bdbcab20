/** What is said of an answer beside its hits, by tools and on the command line alike. */
import type { SearchAnswer } from './hit.ts';

type Counts = Pick<SearchAnswer, 'passed' | 'files'>;

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
