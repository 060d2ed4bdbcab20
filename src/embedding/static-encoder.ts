/**
 * Text to a vector by a table alone: the weighted sum of its tokens' rows. No service, no key, microseconds. The table is the
 * model in the package: tokens, and one int8 row for each.
 *
 * Little endian: magic `SCE1`; u32 tokens; u32 dimensions; u32 bytes of vocabulary; the vocabulary, UTF-8, joined with line
 * ends, most frequent first; zeros up to a multiple of 4; f32 scale per row; i8 rows.
 */
import { AppError, once } from '../core/index.ts';
import { openWordKernel, type WordKernel } from '../kernel/index.ts';
import { readPackageFile } from '../platform/index.ts';

export interface StaticEncoder {
  /** Changes when vectors of another model must not be compared with its own. */
  readonly id: string;
  readonly dimensions: number;
  /** Makes the vectors, and those of files together with their words. */
  readonly kernel: WordKernel;
  /** Of unit length, or all zeros for a text without a known word. */
  encode(text: string): Float32Array;
  /** Whether its vocabulary has the word, in small letters. */
  knows(word: string): boolean;
}

const MODEL = 'assets/model/waymark-static-16k-128.bin';
/** The model and the way its vectors are made: stored vectors with another id are made again. */
export const STATIC_MODEL_ID = 'waymark-static-16k-128/2';

export function loadStaticEncoder(): StaticEncoder {
  return createStaticEncoder(readPackageFile(MODEL), STATIC_MODEL_ID);
}

const MAGIC = 0x31454353;
const HEADER_BYTES = 16;

/** Of the bytes of a model. */
export function createStaticEncoder(bytes: Uint8Array, id: string): StaticEncoder {
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
  const vocabulary = once(
    () =>
      new Set(
        new TextDecoder().decode(bytes.subarray(HEADER_BYTES, HEADER_BYTES + vocabularyBytes)).split('\n'),
      ),
  );
  return { id, dimensions, kernel, encode: kernel.encode, knows: (word) => vocabulary().has(word) };
}

function damaged(what: string): AppError {
  return new AppError('internal', `The embedding model that ships with Waymark is damaged: ${what}.`, {
    hint: 'Install Waymark again.',
  });
}
