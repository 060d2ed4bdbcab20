/**
 * The static model as it lies in its file: a table of tokens and one int8 row for each.
 *
 * Little endian: magic `SCE1`; u32 tokens; u32 dimensions; u32 bytes of vocabulary; the vocabulary, UTF-8, joined with line
 * ends, most frequent first; zeros up to a multiple of 4; f32 scale per row; i8 rows.
 */
import { AppError } from '../core/index.ts';
import { openWordKernel, type WordKernel } from '../kernel/index.ts';

export interface StaticModel {
  readonly dimensions: number;
  /** Knows the model: a token's rank is its row. */
  readonly kernel: WordKernel;
}

const MAGIC = 0x31454353;
const HEADER_BYTES = 16;

export function parseStaticModel(bytes: Uint8Array): StaticModel {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteLength < HEADER_BYTES || view.getUint32(0, true) !== MAGIC) throw damaged('it has no header');
  const count = view.getUint32(4, true);
  const dimensions = view.getUint32(8, true);
  const vocabularyBytes = view.getUint32(12, true);
  const rowsAt = HEADER_BYTES + Math.ceil(vocabularyBytes / 4) * 4 + count * 4;
  if (bytes.byteLength !== rowsAt + count * dimensions) throw damaged('its length is wrong');
  const kernel = openWordKernel();
  if (kernel.useModel({ bytes, count, dimensions, vocabularyBytes }) !== count)
    throw damaged('its vocabulary is cut');
  return { dimensions, kernel };
}

function damaged(what: string): AppError {
  return new AppError('internal', `The embedding model that ships with Waymark is damaged: ${what}.`, {
    hint: 'Install Waymark again.',
  });
}
