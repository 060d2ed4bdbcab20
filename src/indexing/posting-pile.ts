/**
 * Lists of terms with their counts, gathered for one file and then brought into order at once: terms by their hashes, and each
 * list by the rank of its terms. Going through all entries by rank gives every list in order, with no sorting of its own.
 */
import type { TermCounts } from '../storage/index.ts';
import type { CodeWords, WordCounts } from '../text/index.ts';

export interface RankedList extends TermCounts {
  /** How many words it has in all. */
  readonly length: number;
}

export interface RankedFile {
  /** Hashes of all terms, ascending. */
  readonly terms: Uint32Array;
  /** In the order in which they were ended. */
  readonly lists: readonly RankedList[];
  /** Until the next file begins. */
  rankOf(term: number): number;
}

const LARGEST_COUNT = 255;
/** A hash and the number of a term in one: below 2⁵³, so exact, and sorted without a function. */
const TERM_ROOM = 2 ** 21;

export class PostingPile {
  private readonly words: CodeWords;
  /** By the number of a term: how often it is in the list that is open (0 between lists), and its rank plus one (0 if it is not in the file). */
  private counts = new Uint32Array(65_536);
  private ranks = new Uint32Array(65_536);
  /** By the number of a word: the last file it was in. */
  private lastFile = new Uint32Array(65_536);
  private file = 0;
  /** Terms of the file, each once. */
  private fileTerms: number[] = [];
  private terms: CodeWords['allTerms'];
  private entryTerms = new Uint32Array(16_384);
  private entryCounts = new Uint8Array(16_384);
  private size = 0;
  private listStart = 0;
  private ends: number[] = [];
  private lengths: number[] = [];
  private length = 0;

  constructor(words: CodeWords) {
    this.words = words;
    this.terms = words.allTerms;
  }

  /** A new file. All its words have been read. */
  begin(): void {
    for (const term of this.fileTerms) this.ranks[term] = 0;
    this.terms = this.words.allTerms;
    const { termCount, size } = this.words;
    if (termCount > this.ranks.length) {
      this.counts = new Uint32Array(termCount * 2);
      this.ranks = new Uint32Array(termCount * 2);
    }
    if (size > this.lastFile.length) this.lastFile = new Uint32Array(size * 2);
    this.file += 1;
    [this.fileTerms, this.ends, this.lengths] = [[], [], []];
    [this.size, this.listStart, this.length] = [0, 0, 0];
  }

  addAll(words: Uint32Array, times: number): void {
    for (let at = 0; at < words.length; at++) this.add(words[at] ?? 0, times);
  }

  addCounted(words: Uint32Array, times: Uint32Array): void {
    for (let at = 0; at < words.length; at++) this.add(words[at] ?? 0, times[at] ?? 0);
  }

  /** Terms that are in the file, though in none of its lists. */
  note(words: Uint32Array): void {
    for (const word of words) for (const term of this.words.termsOf(word)) this.noteTerm(term);
  }

  endList(): void {
    for (let at = this.listStart; at < this.size; at++) {
      const term = this.entryTerms[at] ?? 0;
      this.entryCounts[at] = Math.min(LARGEST_COUNT, this.counts[term] ?? 0);
      this.counts[term] = 0;
    }
    this.ends.push(this.size);
    this.lengths.push(this.length);
    [this.listStart, this.length] = [this.size, 0];
  }

  done(): RankedFile {
    const terms = this.rankTerms();
    return { terms, lists: this.rankLists(terms.length), rankOf: (term) => (this.ranks[term] ?? 1) - 1 };
  }

  /** Hashes of the identifiers in all chunks, ascending. */
  identifiers(chunks: readonly WordCounts[]): Uint32Array {
    const { words, lastFile, file } = this;
    const found = new Set<number>();
    for (const chunk of chunks)
      for (let at = 0; at < chunk.words.length; at++) {
        const word = chunk.words[at] ?? 0;
        if (lastFile[word] === file) continue;
        lastFile[word] = file;
        const identifier = words.identifierOf(word);
        if (identifier !== 0) found.add(identifier);
      }
    return Uint32Array.from(found).sort();
  }

  private add(word: number, times: number): void {
    const { list, starts } = this.terms;
    const start = starts[word] ?? 0;
    const end = starts[word + 1] ?? 0;
    for (let at = start; at < end; at++) {
      const term = list[at] ?? 0;
      const before = this.counts[term] ?? 0;
      this.counts[term] = before + times;
      if (before > 0) continue;
      if (this.size === this.entryTerms.length) this.grow();
      this.entryTerms[this.size++] = term;
      this.noteTerm(term);
    }
    this.length += (end - start) * times;
  }

  private noteTerm(term: number): void {
    if (this.ranks[term] !== 0) return;
    this.ranks[term] = 1;
    this.fileTerms.push(term);
  }

  /** Gives every term its rank. */
  private rankTerms(): Uint32Array {
    const { fileTerms: terms, ranks } = this;
    const hashOf = this.words.termHashes;
    const keys = new Float64Array(terms.length);
    for (let at = 0; at < keys.length; at++) {
      const term = terms[at] ?? 0;
      keys[at] = (hashOf[term] ?? 0) * TERM_ROOM + term;
    }
    keys.sort();
    const hashes = new Uint32Array(keys.length);
    for (let at = 0; at < keys.length; at++) {
      const key = keys[at] ?? 0;
      const hash = Math.floor(key / TERM_ROOM);
      hashes[at] = hash;
      ranks[key - hash * TERM_ROOM] = at + 1;
    }
    return hashes;
  }

  private rankLists(termCount: number): RankedList[] {
    const { entryTerms, entryCounts, ranks, size, ends } = this;
    // Where the entries of each rank begin; moved on as they are placed.
    const places = new Uint32Array(termCount + 2);
    for (let at = 0; at < size; at++) {
      const rank = ranks[entryTerms[at] ?? 0] ?? 0;
      places[rank + 1] = (places[rank + 1] ?? 0) + 1;
    }
    for (let rank = 1; rank < places.length; rank++)
      places[rank] = (places[rank] ?? 0) + (places[rank - 1] ?? 0);
    const order = new Uint32Array(size);
    const listOf = new Uint32Array(size);
    for (let at = 0, list = 0; at < size; at++) {
      while (at >= (ends[list] ?? size)) list += 1;
      const rank = ranks[entryTerms[at] ?? 0] ?? 0;
      const place = places[rank] ?? 0;
      places[rank] = place + 1;
      order[place] = at;
      listOf[at] = list;
    }
    const outTerms = new Uint32Array(size);
    const outCounts = new Uint8Array(size);
    const next = Uint32Array.from(ends, (_, list) => (list === 0 ? 0 : (ends[list - 1] ?? 0)));
    for (let at = 0; at < size; at++) {
      const entry = order[at] ?? 0;
      const list = listOf[entry] ?? 0;
      const place = next[list] ?? 0;
      next[list] = place + 1;
      outTerms[place] = (ranks[entryTerms[entry] ?? 0] ?? 1) - 1;
      outCounts[place] = entryCounts[entry] ?? 0;
    }
    return ends.map((end, list) => {
      const from = list === 0 ? 0 : (ends[list - 1] ?? 0);
      return {
        terms: outTerms.subarray(from, end),
        counts: outCounts.subarray(from, end),
        length: this.lengths[list] ?? 0,
      };
    });
  }

  private grow(): void {
    const terms = new Uint32Array(this.size * 2);
    terms.set(this.entryTerms);
    const counts = new Uint8Array(this.size * 2);
    counts.set(this.entryCounts);
    [this.entryTerms, this.entryCounts] = [terms, counts];
  }
}
