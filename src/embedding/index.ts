/** Text becomes vectors, by a model that ships in the package, and vectors are compared. */
export { quantize, type QuantizedVector } from './quantize.ts';
export { createStaticEncoder, normalize, type StaticEncoder } from './static-encoder.ts';
export { loadStaticEncoder } from './load-static-encoder.ts';
export { parseStaticModel, type StaticModel } from './static-model.ts';
export { createVectorTable, type VectorTable } from './vector-table.ts';
