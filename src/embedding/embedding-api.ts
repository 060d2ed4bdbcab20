/** The two ways to ask a service for vectors, and to read what it answers. Pure. */
import type { Endpoint } from './endpoint.ts';

export interface EmbeddingRequest {
  readonly url: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export function toRequest(
  { api, url, model, dimensions }: Endpoint,
  texts: readonly string[],
): EmbeddingRequest {
  const wanted = { model, input: texts, ...(dimensions === undefined ? {} : { dimensions }) };
  switch (api) {
    case 'openai':
      return { url: `${url}/embeddings`, body: { ...wanted, encoding_format: 'float' } };
    case 'ollama':
      // A text that is too long is cut by the service rather than refused.
      return { url: `${url}/api/embed`, body: { ...wanted, truncate: true } };
  }
}

/** In the order of the texts; undefined for anything that is not one vector of numbers for each. */
export function readVectors(
  { api }: Endpoint,
  body: unknown,
  count: number,
): readonly Float32Array[] | undefined {
  const lists = api === 'openai' ? openaiLists(body, count) : field(body, 'embeddings');
  if (!Array.isArray(lists) || lists.length !== count) return undefined;
  const vectors = lists.flatMap((list: unknown) => toVector(list) ?? []);
  const [first] = vectors;
  const isEven = vectors.every(({ length }) => length === first?.length);
  return vectors.length === count && isEven ? vectors : undefined;
}

/** Each says which text it belongs to; a service may answer in another order. */
function openaiLists(body: unknown, count: number): unknown {
  const rows = field(body, 'data');
  if (!Array.isArray(rows)) return undefined;
  const lists: unknown[] = Array.from({ length: count });
  rows.forEach((row: unknown, place) => {
    const index = field(row, 'index') ?? place;
    if (typeof index === 'number') lists[index] = field(row, 'embedding');
  });
  return rows.length === count ? lists : undefined;
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
}

function toVector(list: unknown): Float32Array | undefined {
  if (!Array.isArray(list) || list.length === 0) return undefined;
  if (!list.every((value) => Number.isFinite(value))) return undefined;
  const vector = Float32Array.from(list);
  // What is too large for such a number has become infinite.
  return vector.every((value) => Number.isFinite(value)) ? vector : undefined;
}
