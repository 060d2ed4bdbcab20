/**
 * What the subjects of commits say of files, as it is stored: an inverted index in one piece, which search uses where it lies.
 * Words are hashes, as in the rows of files.
 *
 * In the machine's byte order, each part aligned to four bytes: a head of numbers, commits and words per file, the words in
 * ascending order, where the files of each begin, those files (the step to the next one and a count, small numbers in few
 * bytes), and the paths with a zero behind each.
 */

export interface FileHistory {
  readonly paths: readonly string[];
  /** How many commits touched each file. */
  readonly commits: Uint32Array;
  /** How many words their subjects have in all. */
  readonly lengths: Uint32Array;
  /** Hashes, ascending. */
  readonly words: Uint32Array;
  /** Where the files of each word begin among the bytes; one more than there are words. */
  readonly offsets: Uint32Array;
  readonly files: Uint8Array;
}

const MARK = 0x57_4d_48_31;
const HEAD = 5;

export function packHistory(history: FileHistory): Uint8Array {
  const paths = Buffer.from(history.paths.map((path) => `${path}\0`).join(''));
  const { commits, lengths, words, offsets, files } = history;
  const head = Uint32Array.of(MARK, commits.length, words.length, files.length, paths.length);
  const parts = [head, commits, lengths, words, offsets, files, paths];
  const packed = new Uint8Array(parts.reduce((sum, part) => sum + padded(part.byteLength), 0));
  let at = 0;
  for (const part of parts) {
    packed.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), at);
    at += padded(part.byteLength);
  }
  return packed;
}

/** Undefined for what was not packed so. */
export function unpackHistory(packed: Uint8Array): FileHistory | undefined {
  const bytes = packed.byteOffset % 4 === 0 ? packed : packed.slice();
  if (bytes.byteLength < HEAD * 4) return undefined;
  const [mark, fileCount = 0, wordCount = 0, fileBytes = 0, pathBytes = 0] = numbersAt(bytes, 0, HEAD);
  const counts = [HEAD, fileCount, fileCount, wordCount, wordCount + 1];
  const numbers = counts.reduce((sum, count) => sum + count, 0) * 4;
  if (mark !== MARK || bytes.byteLength !== numbers + padded(fileBytes) + padded(pathBytes)) return undefined;
  const starts = counts.map((_, at) => counts.slice(0, at).reduce((sum, count) => sum + count, 0) * 4);
  const [, commits, lengths, words, offsets] = counts.map((count, at) =>
    numbersAt(bytes, starts[at] ?? 0, count),
  );
  if (commits === undefined || lengths === undefined || words === undefined || offsets === undefined)
    return undefined;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + numbers + padded(fileBytes), pathBytes);
  const paths = text.toString('utf8').split('\0').slice(0, -1);
  if (paths.length !== fileCount) return undefined;
  return { paths, commits, lengths, words, offsets, files: bytes.subarray(numbers, numbers + fileBytes) };
}

/** Adds small numbers in few bytes: seven bits at a time, the high bit says that more follow. */
export function pushSmall(bytes: number[], value: number): void {
  let rest = value;
  for (; rest >= 128; rest >>>= 7) bytes.push((rest & 127) | 128);
  bytes.push(rest);
}

/** Calls back with each file of a word and how many subjects of its commits hold it. */
export function eachFileOf(
  { words, offsets, files }: FileHistory,
  word: number,
  tell: (file: number, count: number) => void,
): void {
  const place = placeOf(words, word);
  if (place < 0) return;
  const end = offsets[place + 1] ?? 0;
  let at = offsets[place] ?? 0;
  const next = (): number => {
    let value = 0;
    for (let shift = 0; at < end; shift += 7) {
      const byte = files[at++] ?? 0;
      value |= (byte & 127) << shift;
      if (byte < 128) break;
    }
    return value >>> 0;
  };
  let file = 0;
  while (at < end) {
    file += next();
    tell(file, next());
  }
}

/** -1 for one that is not there. */
function placeOf(sorted: Uint32Array, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return sorted[low] === value ? low : -1;
}

function numbersAt(bytes: Uint8Array, at: number, count: number): Uint32Array {
  return new Uint32Array(bytes.buffer, bytes.byteOffset + at, count);
}

function padded(bytes: number): number {
  return Math.ceil(bytes / 4) * 4;
}
