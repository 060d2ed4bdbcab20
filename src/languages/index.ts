/** What a language is: the table of languages, the fast outline, exact syntax and facts from grammars, and imports. */
export {
  type Binding,
  type Expr,
  type FactDefinition,
  type FactKind,
  type Scope,
  type Use,
} from './facts/facts.ts';
export { GLOBAL_NAMESPACE, GLOBAL_USING } from './facts/csharp/csharp-facts.ts';
export { EXTENDED_MODULE } from './facts/script/script-facts.ts';
export { hashName } from './facts/name-hashes.ts';
export { type FactRow, openRow, type OpenFacts, unpackFacts } from './facts/unpack-facts.ts';
export {
  type ImportFacts,
  type ImportResolver,
  createImportResolver,
  isImportConfig,
} from './imports/import-resolver.ts';
export { isParsable, languageKind, languageOf, languagesNamed, wantedLanguages } from './language-of.ts';
export { LANGUAGES, type Language, type LanguageId, type LanguageKind } from './languages.ts';
export { leadingCommentStart } from './outline/doc-comment.ts';
export { mergeDefinitions, outline } from './outline/outline.ts';
export {
  createExactParser,
  createParserPool,
  type ExactParser,
  type ExactParserParts,
  type ParserPool,
} from './syntax/parser-pool.ts';
export { type GrammarReport, PARSER_ID, reportGrammars } from './syntax/grammars.ts';
export {
  type FailedFile,
  PARSE_FAILURES,
  type ParseFailure,
  type ParseOutcome,
  type ParseRequest,
  type ParsedFile,
} from './syntax/messages.ts';
export { PARSER_LIMITS, type ParserLimits } from './syntax/parser-limits.ts';
