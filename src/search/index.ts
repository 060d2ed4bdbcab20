/** A query becomes ranked hits: candidates from cheap lists, named features, one linear score per file. */
export { FEATURES, FEATURE_MEANINGS, type Feature, type FeatureVector, type Weights } from './features.ts';
export { readQuestion, type Question } from './question.ts';
export { createRanker, type RankedFile, type Ranker, type Ranking } from './rank.ts';
export { createViewLoader, type View, type ViewLoader } from './view.ts';
export { WEIGHTS } from './weights.ts';
