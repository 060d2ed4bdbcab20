/** A query becomes ranked hits: candidates from cheap lists, named features, one linear score per file. */
export { FEATURES, FEATURE_MEANINGS, type Feature, type FeatureVector, type Weights } from './features.ts';
export { readQuestion, type Question } from './question.ts';
export { RANK_LISTS, type Analysis, type AnalyzedHit, type RankList, type Stage } from './analyze.ts';
export { noteGuess, noteNoMatch, noteNoneLeft, noteNothingNear } from './answer-notes.ts';
export {
  DETAILS,
  meaningOf,
  symbolOf,
  type Detail,
  type EncoderNote,
  type Hit,
  type Reason,
  type SearchAnswer,
  type SearchRequest,
} from './hit.ts';
export {
  FILTER_LIMITS,
  parseQuery,
  type Filters,
  type ParsedQuery,
  type WrittenQuery,
} from './parse-query.ts';
export type {
  IndexedText,
  LanguageKind,
  LineMatches,
  LineMatchInput,
  SearchParts,
  SourceText,
} from './ports.ts';
export { createSearch, type Search } from './search.ts';
export { createRanker, type RankedFile, type Ranker, type Ranking } from './rank.ts';
export { createViewLoader, type View, type ViewLoader } from './view.ts';
export { WEIGHTS } from './weights.ts';
