/** Text becomes vectors, by a model that ships in the package, and vectors are compared. */
export { quantize, type QuantizedVector } from './quantize.ts';
export { normalize } from './normalize.ts';
export { createStaticEncoder, loadStaticEncoder, type StaticEncoder } from './static-encoder.ts';
export { chooseEncoder, type EncoderChoice, type EncoderSettings } from './choose-encoder.ts';
export { createDotTable, createVectorTable, type DotTable, type VectorTable } from './vector-table.ts';
export { parseEndpoint, type Endpoint, type EndpointSettings } from './endpoint.ts';
export {
  createHttpEncoder,
  NO_FIT,
  wrongDimensions,
  type AskedVector,
  type HttpEncoder,
  type HttpLimits,
} from './http-encoder.ts';
export { createReranker, type Reranker, type RerankerLimits, type RerankerSettings } from './reranker.ts';
