/** The static model in the plainest way, from its file and docs/model.md: what the kernel must give, to the last bit. */
import { normalize, quantize } from '../../src/embedding/index.ts';
import type { FileToPack, TextModel } from '../../src/kernel/index.ts';

const WORD = /[A-Z]{2,}s(?![a-z])|[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+/g;

export interface PlainModel {
  /** Places of a text's tokens in the vocabulary. */
  tokenIds(text: string): number[];
  encode(text: string): Float32Array;
  /** As they are packed: path, file, chunks; all rows, then all scales. */
  packed(file: FileToPack): Uint8Array;
}

export function plainModel({ bytes, count, dimensions, vocabularyBytes }: TextModel): PlainModel {
  const words = Buffer.from(bytes.subarray(16, 16 + vocabularyBytes))
    .toString('latin1')
    .split('\n');
  const ranks = new Map(words.map((word, rank) => [word, rank]));
  const scalesAt = 16 + Math.ceil(vocabularyBytes / 4) * 4;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

  const tokensOf = (found: string): number[] => {
    const word = (/^[A-Z]{2,}s$/.test(found) ? found.slice(0, -1) : found).toLowerCase();
    const known = ranks.get(word);
    if (/^[0-9]/.test(word)) return known === undefined || word.length > 4 ? [] : [known];
    if (known !== undefined) return [known];
    return word.length < 4 || word.length > 40 ? [] : split(word, ranks);
  };
  const tokenIds = (text: string): number[] => (text.match(WORD) ?? []).flatMap(tokensOf);
  const encode = (text: string): Float32Array => {
    const counts = new Map<number, number>();
    for (const token of tokenIds(text)) counts.set(token, (counts.get(token) ?? 0) + 1);
    const vector = new Float32Array(dimensions);
    for (const [token, times] of counts) {
      const weight = Math.fround((1 + Math.log(times)) * view.getFloat32(scalesAt + token * 4, true));
      for (let d = 0; d < dimensions; d++) {
        const value = view.getInt8(scalesAt + count * 4 + token * dimensions + d);
        vector[d] = (vector[d] ?? 0) + Math.fround(weight * value);
      }
    }
    return normalize(vector);
  };
  return {
    tokenIds,
    encode,
    packed({ text, chunks, own, place }) {
      const parts = chunks.map(({ from, to, ownText }) =>
        encode(`${own} ${own} ${ownText ?? text.slice(from, to)}`),
      );
      const whole = new Float32Array(dimensions);
      for (const part of parts)
        for (let d = 0; d < dimensions; d++) whole[d] = (whole[d] ?? 0) + (part[d] ?? 0);
      const rows = [encode(place), normalize(whole), ...parts].map(quantize);
      const scales = Float32Array.from(rows, ({ scale }) => scale);
      return Buffer.concat([
        ...rows.map(({ values }) => Buffer.from(values.buffer)),
        Buffer.from(scales.buffer),
      ]);
    },
  };
}

/** The cheapest row of known pieces; single letters are not worth emitting. */
function split(word: string, ranks: ReadonlyMap<string, number>): number[] {
  const ways: { cost: number; tokens: readonly number[] }[] = [{ cost: 0, tokens: [] }];
  for (let end = 1; end <= word.length; end++) ways.push({ cost: Infinity, tokens: [] });
  for (let begin = 0; begin < word.length; begin++) {
    const { cost, tokens } = ways[begin] ?? { cost: 0, tokens: [] };
    if (cost + 22 <= (ways[begin + 1]?.cost ?? 0)) ways[begin + 1] = { cost: cost + 22, tokens };
    for (let end = begin + 1; end <= word.length; end++) {
      const rank = ranks.get(word.slice(begin, end));
      if (rank === undefined) continue;
      const length = end - begin;
      const through = cost + (Math.log(rank + 20) + (length === 1 ? 8 : length === 2 ? 3 : 0));
      if (through < (ways[end]?.cost ?? 0))
        ways[end] = { cost: through, tokens: length >= 2 ? [...tokens, rank] : tokens };
    }
  }
  return [...(ways.at(-1)?.tokens ?? [])];
}
