/** What the kernel packs of a file's words, made in the plainest way. */
import type { FileToPack } from '../../src/kernel/index.ts';
import { hashWord, tokenize } from './plain-tokens.ts';
import type { FileTerms, TermCounts } from './unpack-terms.ts';

const MOST = 255;

export function plainTerms(file: FileToPack): FileTerms {
  const pathTokens = [...tokenize(file.stem), ...tokenize(file.stem), ...tokenize(file.folders)];
  const texts = file.chunks.map(({ from, to, ownText }) => ownText ?? file.text.slice(from, to));
  const chunkTokens = texts.map((text) => [...pathTokens, ...tokenize(text)]);
  const all = [pathTokens, ...chunkTokens, ...file.names.map(({ name }) => tokenize(name))];
  const terms = ascending(all.flat().map(hashWord));
  const rankOf = new Map([...terms].map((hash, rank) => [hash, rank]));
  const ranksOf = (tokens: readonly string[]): Uint32Array =>
    Uint32Array.from(tokens, (token) => rankOf.get(hashWord(token)) ?? -1);
  const counted = (tokens: readonly string[]): TermCounts => {
    const counts = new Map<number, number>();
    for (const rank of ranksOf(tokens)) counts.set(rank, (counts.get(rank) ?? 0) + 1);
    const sorted = [...counts].toSorted(([a], [b]) => a - b);
    return {
      terms: Uint32Array.from(sorted, ([rank]) => rank),
      counts: Uint8Array.from(sorted, ([, count]) => Math.min(MOST, count)),
    };
  };
  return {
    terms,
    path: counted(pathTokens),
    chunks: file.chunks.map(({ startLine, endLine }, at) => ({
      startLine,
      endLine,
      length: chunkTokens[at]?.length ?? 0,
      ...counted(chunkTokens[at] ?? []),
    })),
    names: file.names.map(({ name, weight, startLine, endLine }) => ({
      name: hashWord(name),
      weight,
      startLine,
      endLine,
      terms: ranksOf(tokenize(name)),
    })),
    identifiers: ascending(texts.flatMap(identifiersOf)),
    solidLines: file.solidLines,
  };
}

/** Of five letters and more, behind leading digits. */
function identifiersOf(text: string): number[] {
  return (text.match(/\w+/g) ?? [])
    .map((word) => word.replace(/^[0-9]+/, ''))
    .filter(({ length }) => length >= 5)
    .map(hashWord);
}

function ascending(hashes: readonly number[]): Uint32Array {
  return new Uint32Array(new Set(hashes)).sort();
}
