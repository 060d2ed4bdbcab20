/** Which files of an index hold a word, and in which lines: the packed rows, read back. */
import type { IndexStore } from '../../src/storage/index.ts';
import { unpackTerms } from './unpack-terms.ts';
import { hashWord, stem } from './plain-tokens.ts';

export interface WordPlace {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
}

/** Every chunk that holds the word, in the order of the files. */
export async function chunksWith(store: IndexStore, word: string): Promise<WordPlace[]> {
  const hash = hashWord(stem(word));
  const { files } = await store.files();
  const contents = await store.contents(files.map(({ id }) => id));
  return contents.flatMap(({ fileId, terms }) => {
    const path = files.find(({ id }) => id === fileId)?.path ?? '';
    const file = unpackTerms(terms);
    const place = file.terms.indexOf(hash);
    return file.chunks
      .filter((chunk) => Array.from(chunk.terms).includes(place))
      .map(({ startLine, endLine }) => ({ path, startLine, endLine }));
  });
}

/** Whether any file of the index holds a word; made once, asked often. */
export async function wordsOf(store: IndexStore): Promise<(word: string) => boolean> {
  const { files } = await store.files();
  const hashes = new Set<number>();
  for (const { terms } of await store.contents(files.map(({ id }) => id)))
    for (const hash of unpackTerms(terms).terms) hashes.add(hash);
  return (word) => hashes.has(hashWord(stem(word.toLowerCase())));
}
