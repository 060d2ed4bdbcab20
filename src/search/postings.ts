/** Which documents a term is in, and how often: gathered document by document, then turned around. */
import { growingBytes, growingNumbers } from './growing.ts';

export interface Postings {
  /** Where a term's documents begin; one more entry than there are terms. */
  readonly offsets: Uint32Array;
  readonly documents: Uint32Array;
  readonly counts: Uint8Array;
}

export interface PostingsBuilder {
  add(term: number, document: number, count: number): void;
  /** Documents of a term keep the order in which they were added. */
  build(terms: number): Postings;
}

export function createPostingsBuilder(): PostingsBuilder {
  const terms = growingNumbers();
  const documents = growingNumbers();
  const counts = growingBytes();
  return {
    add(term, document, count) {
      terms.push(term);
      documents.push(document);
      counts.push(count);
    },
    build(termCount) {
      const [given, from, often] = [terms.done(), documents.done(), counts.done()];
      const offsets = new Uint32Array(termCount + 1);
      for (const term of given) offsets[term + 1] = (offsets[term + 1] ?? 0) + 1;
      for (let term = 0; term < termCount; term++)
        offsets[term + 1] = (offsets[term + 1] ?? 0) + (offsets[term] ?? 0);
      const next = offsets.slice(0, termCount);
      const turned = {
        offsets,
        documents: new Uint32Array(given.length),
        counts: new Uint8Array(given.length),
      };
      for (let at = 0; at < given.length; at++) {
        const term = given[at] ?? 0;
        const place = next[term] ?? 0;
        next[term] = place + 1;
        turned.documents[place] = from[at] ?? 0;
        turned.counts[place] = often[at] ?? 0;
      }
      return turned;
    },
  };
}
