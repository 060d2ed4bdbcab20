/**
 * The static model as it lies in its file: a table of tokens and one int8 row for each.
 *
 * Little endian: magic `SCE1`; u32 tokens; u32 dimensions; u32 bytes of vocabulary; the vocabulary, UTF-8, joined with line
 * ends, most frequent first; zeros up to a multiple of 4; f32 scale per row; i8 rows.
 */
import { AppError } from '../core/index.ts';
import { Vocabulary } from './vocabulary.ts';

export interface StaticModel {
  readonly dimensions: number;
  /** A token's rank is its row. */
  readonly vocabulary: Vocabulary;
  readonly scales: Float32Array;
  readonly rows: Int8Array;
}

const MAGIC = 0x31454353;
const HEADER_BYTES = 16;

export function parseStaticModel(bytes: Uint8Array): StaticModel {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteLength < HEADER_BYTES || view.getUint32(0, true) !== MAGIC) throw damaged('it has no header');
  const size = view.getUint32(4, true);
  const dimensions = view.getUint32(8, true);
  const vocabularyBytes = view.getUint32(12, true);
  const scalesAt = HEADER_BYTES + Math.ceil(vocabularyBytes / 4) * 4;
  const rowsAt = scalesAt + size * 4;
  if (bytes.byteLength !== rowsAt + size * dimensions) throw damaged('its length is wrong');
  const vocabulary = new Vocabulary(bytes.subarray(HEADER_BYTES, HEADER_BYTES + vocabularyBytes), size);
  if (vocabulary.size !== size) throw damaged('its vocabulary is cut');
  return {
    dimensions,
    vocabulary,
    scales: readScales(bytes.subarray(scalesAt, rowsAt)),
    rows: new Int8Array(bytes.buffer, bytes.byteOffset + rowsAt, size * dimensions),
  };
}

function readScales(bytes: Uint8Array): Float32Array {
  const scales = new Float32Array(bytes.byteLength / 4);
  new Uint8Array(scales.buffer).set(bytes);
  if (new Uint8Array(Uint32Array.of(1).buffer)[0] === 1) return scales;
  // A machine of the other byte order.
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return scales.map((_, at) => view.getFloat32(at * 4, true));
}

function damaged(what: string): AppError {
  return new AppError('internal', `The embedding model that ships with Waymark is damaged: ${what}.`, {
    hint: 'Install Waymark again.',
  });
}
