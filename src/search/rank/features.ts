/** What speaks for and against a file, as numbers. A score is their weighted sum; `hit.reasons` names them. */

/** Each feature's column in the matrix. */
export const COLUMN = {
  passageBm25: 0,
  fileBm25: 1,
  definitionBm25: 2,
  passageNearness: 3,
  fileNearness: 4,
  secondPassageNearness: 5,
  pathNearness: 6,
  pathCoverage: 7,
  wholeFileName: 8,
  definitionCoverage: 9,
  definesName: 10,
  definesWord: 11,
  folderSupport: 12,
  referenceSupport: 13,
  relativeDepth: 14,
  testOrVendored: 15,
  compatibility: 16,
  header: 17,
  tiny: 18,
  titleFileBm25: 19,
  messageBm25: 20,
  mentionedPath: 21,
  mentionedFrame: 22,
  notCode: 23,
  historyBm25: 24,
  historyCommits: 25,
} as const;

export type Feature = keyof typeof COLUMN;

/** By column. The keys of an object literal are just these. */
export const FEATURES = Object.keys(COLUMN) as readonly Feature[];

/** In plain words, for people who ask why. */
export const FEATURE_MEANINGS: Readonly<Record<Feature, string>> = {
  passageBm25: 'its best passages hold the words of the query',
  fileBm25: 'the file as a whole holds the words',
  definitionBm25: 'the names it defines hold the words',
  passageNearness: 'its best passage means the same',
  fileNearness: 'the file as a whole means the same',
  secondPassageNearness: 'another passage means the same too',
  pathNearness: 'its path means the same',
  pathCoverage: 'each word has a like one in the path',
  wholeFileName: 'the query holds its whole name',
  definitionCoverage: 'one definition is named by the words',
  definesName: 'it defines the name that was asked for',
  definesWord: 'it defines a word of the sentence',
  folderSupport: 'files beside it match too',
  referenceSupport: 'files that match refer to it',
  relativeDepth: 'how deep it lies beside the others',
  testOrVendored: 'a test, an example or vendored code',
  compatibility: 'kept for compatibility',
  header: 'a header or stub',
  tiny: 'hardly any code',
  titleFileBm25: 'the file as a whole holds the words of the title',
  messageBm25: 'a passage holds the words of a quoted message',
  mentionedPath: 'the text names its path',
  mentionedFrame: 'a stack trace names it',
  notCode: 'not code',
  historyBm25: 'commits that changed it hold the words in their subjects',
  historyCommits: 'how many commits changed it',
};

export type FeatureVector = Readonly<Record<Feature, number>>;
export type Weights = Readonly<Record<Feature, number>>;
