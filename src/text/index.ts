/** Pure text work that several rooms need: decoding, escaping, taking out secrets, log lines, near words. */
export {
  estimateCodeTokens,
  estimateListingTokens,
  countOf,
  escapeControl,
  escapeName,
  escapeControlInJson,
  escapeControlKeepingLines,
  quoteForeign,
  renderCodeLine,
  TextLines,
} from './shown-text.ts';
export {
  decodeText,
  splitLines,
  TEXT_ENCODINGS,
  type DecodedText,
  type TextEncodingName,
} from './decode-text.ts';
export { HIDDEN, hideSecrets, isSecretName } from './hide-secrets.ts';
export { isLoopback } from './is-loopback.ts';
export { jsoncValue, parseJsonc, type JsoncNode } from './jsonc.ts';
export { createLogger, silentLogger, type LoggerOptions } from './logger.ts';
export { isReference } from './redact/placeholder.ts';
export { redactSecrets, renderClient, type FoundSecret, type Redaction } from './redact/redact-secrets.ts';
export { editDistance, nearest } from './nearest.ts';
export { renderDuration, renderSize } from './units.ts';
export {
  createStemFinder,
  hashWord,
  identifiersIn,
  partHashesOf,
  partsIn,
  termsOf,
  trigramsOf,
  type Identifier,
  type Part,
  type StemFinder,
  type Term,
} from './words.ts';
