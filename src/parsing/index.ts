/** Exact definitions, references and imports of a file, from grammars that run in processes of their own. */
export { createExactParser, type ExactParser, type ExactParserParts } from './exact-parser.ts';
export { isParsable, PARSER_ID, reportGrammars, type GrammarReport } from './grammars.ts';
export {
  createImportResolver,
  isImportConfig,
  type ImportFacts,
  type ImportResolver,
} from './imports/import-resolver.ts';
export { mergeDefinitions } from './merge-definitions.ts';
export { PARSER_LIMITS, type ParserLimits } from './parser-limits.ts';
export {
  PARSE_FAILURES,
  type FailedFile,
  type ParsedFile,
  type ParseFailure,
  type ParseOutcome,
  type ParseRequest,
} from './parsed.ts';
