/** A query becomes ranked hits: candidates from cheap lists, named features, one linear score per file. */
export {
  FEATURES,
  FEATURE_MEANINGS,
  type Feature,
  type FeatureVector,
  type Weights,
} from './rank/features.ts';
export { areWholeRows } from './view/segment.ts';
export { readQuestion, readReportQuestion, type Question } from './query/question.ts';
export { DEFINITION_FEATURES, type DefinitionWeights } from './rank/definition-features.ts';
export { measureDefinitions } from './rank/definitions.ts';
export { createLineWords } from './show/snippet.ts';
export { RANK_LISTS, type Analysis, type AnalyzedHit, type RankList, type Stage } from './show/analyze.ts';
export { noteGuess, noteNoMatch, noteNoneLeft, noteNothingNear } from './show/answer-notes.ts';
export {
  DETAILS,
  MEANINGS,
  type Detail,
  type EncoderNote,
  type Hit,
  type Reason,
  type SearchAnswer,
  type SearchRequest,
} from './show/hit.ts';
export {
  FILTER_LIMITS,
  parseQuery,
  type Filters,
  type ParsedQuery,
  type WrittenQuery,
} from './query/parse-query.ts';
export type {
  IndexedText,
  LanguageKind,
  MatchedFile,
  MatchFiles,
  MatchFilesInput,
  MatchOutcome,
  SearchParts,
  SourceText,
} from './ports.ts';
export {
  PLAIN_LOOK,
  renderCut,
  renderHit,
  renderLocation,
  renderMatch,
  renderPlace,
  symbolOf,
  type HitLook,
} from './show/render-hit.ts';
export { createSearch, type Search } from './search.ts';
export { createRanker, type RankedFile, type Ranker, type Ranking } from './rank/rank.ts';
export { createViewLoader, type View, type ViewLoader } from './view/view.ts';
export { REPORT_WEIGHTS, WEIGHTS } from './rank/weights.ts';
