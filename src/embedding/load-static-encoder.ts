/** The encoder of the model in the package. */
import { readPackageFile } from '../platform/index.ts';
import { createStaticEncoder, type StaticEncoder } from './static-encoder.ts';
import { parseStaticModel } from './static-model.ts';

const MODEL = 'assets/model/waymark-static-16k-128.bin';
/** The model and the way its vectors are made: stored vectors with another id are made again. */
export const STATIC_MODEL_ID = 'waymark-static-16k-128/2';

export function loadStaticEncoder(): StaticEncoder {
  return createStaticEncoder(parseStaticModel(readPackageFile(MODEL)), STATIC_MODEL_ID);
}
