/** What speaks for and against a file, as numbers. A score is their weighted sum; `hit.reasons` names them. */

export const FEATURES = [
  'bsum',
  'bf',
  'bdef',
  'd1',
  'df',
  'd2n',
  'dpn',
  'msPath',
  'stemFull',
  'defBest',
  'symDef',
  'symPre',
  'dirco',
  'gin',
  'depthC',
  'bad',
  'compat',
  'hdr',
  'tiny',
] as const;
export type Feature = (typeof FEATURES)[number];

/** In plain words, for people who ask why. */
export const FEATURE_MEANINGS: Readonly<Record<Feature, string>> = {
  bsum: 'its best passages hold the words of the query',
  bf: 'the file as a whole holds the words',
  bdef: 'the names it defines hold the words',
  d1: 'its best passage means the same',
  df: 'the file as a whole means the same',
  d2n: 'another passage means the same too',
  dpn: 'its path means the same',
  msPath: 'each word has a like one in the path',
  stemFull: 'the query holds its whole name',
  defBest: 'one definition is named by the words',
  symDef: 'it defines the name that was asked for',
  symPre: 'it defines a word of the sentence',
  dirco: 'files beside it match too',
  gin: 'files that match refer to it',
  depthC: 'how deep it lies beside the others',
  bad: 'a test, an example or vendored code',
  compat: 'kept for compatibility',
  hdr: 'a header or stub',
  tiny: 'hardly any code',
};

export type FeatureVector = Readonly<Record<Feature, number>>;
export type Weights = Readonly<Record<Feature, number>>;
