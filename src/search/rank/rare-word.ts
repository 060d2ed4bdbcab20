/** A question of one word that few files hold: whoever asks for it means these files, whatever else is near in meaning. */
import { hashWord, identifiersIn, stem } from '../../text/index.ts';
import { filesDefining } from './candidates.ts';
import { segmentOf } from '../view/file-facts.ts';
import { pathFlags } from '../view/path-flags.ts';
import { PostingList } from '../view/postings.ts';
import { LOOKS_LIKE_NAME, type Question } from '../query/question.ts';
import type { View } from '../view/view.ts';

/** A plain word may be a topic, and files that are about it need not hold it. */
const MOST_HOLDING_WORD = 5;
const MOST_HOLDING_NAME = 60;
const NO_FILES: ReadonlySet<number> = new Set();

/**
 * Numbers of the files; none where the question is another one, or many files hold the word. Where the code itself defines it,
 * the ranking knows better: what it learnt about names is worth more than one more file that holds it.
 */
export function filesHoldingRareWord(view: View, { text }: Pick<Question, 'text'>): ReadonlySet<number> {
  const [word = '', ...others] = identifiersIn(text);
  if (word === '' || others.length > 0) return NO_FILES;
  if (isDefinedInCode(view, hashWord(word))) return NO_FILES;
  const most = LOOKS_LIKE_NAME.test(word) ? MOST_HOLDING_NAME : MOST_HOLDING_WORD;
  const hash = hashWord(stem(word.toLowerCase()));
  const files = new Set<number>();
  const list = new PostingList();
  for (const { terms, chunkPostings, fileOfChunk, alive, firstFile } of view.segments) {
    const { documents, size } = list.read(chunkPostings, terms.get(hash));
    for (let at = 0; at < size; at++) {
      const file = fileOfChunk[documents[at] ?? 0] ?? 0;
      if (alive[file] === 1) files.add(firstFile + file);
      if (files.size > most) return NO_FILES;
    }
  }
  return files;
}

/** Not by tests, examples or vendored code alone. */
function isDefinedInCode(view: View, name: number): boolean {
  return [...filesDefining(view, name).keys()].some((file) => {
    const segment = segmentOf(view, file);
    const path = segment.files[file - segment.firstFile]?.path ?? '';
    const { test, example, vendored } = pathFlags(path, () => false);
    return !test && !example && !vendored;
  });
}
