/** What speaks for a definition as the answer to a pasted text, as numbers. */

/** Each feature's column in a row. */
export const DEFINITION_COLUMN = {
  fileScore: 0,
  fileRank: 1,
  words: 2,
  titleWords: 3,
  messageWords: 4,
  nameCoverage: 5,
  nameInText: 6,
  mentioned: 7,
  nearness: 8,
  isHead: 9,
  isData: 10,
  lines: 11,
  namedContainer: 12,
  share: 13,
  isRest: 14,
  localWords: 15,
  localTitle: 16,
  passage: 17,
  titlePassage: 18,
  distinct: 19,
} as const;

export type DefinitionFeature = keyof typeof DEFINITION_COLUMN;
/** By column. The keys of an object literal are just these. */
export const DEFINITION_FEATURES = Object.keys(DEFINITION_COLUMN) as readonly DefinitionFeature[];
/** In plain words, for people who ask why. */
export const DEFINITION_MEANINGS: Readonly<Record<DefinitionFeature, string>> = {
  fileScore: 'its file matches',
  fileRank: 'its file is among the first',
  words: 'it holds the words of the text',
  titleWords: 'it holds the words of the title',
  messageWords: 'it holds the words of a quoted message',
  nameCoverage: 'the title holds the words of its name',
  nameInText: 'the text holds the words of its name',
  mentioned: 'the text mentions its name',
  nearness: 'it means the same',
  isHead: 'the head of a class or module',
  isData: 'a constant or variable',
  lines: 'how long it is',
  namedContainer: 'the text mentions what it belongs to',
  share: 'it holds most of what its file holds of the text',
  isRest: 'outside of any definition',
  localWords: 'it holds words of the text that its neighbours do not hold',
  localTitle: 'it holds words of the title that its neighbours do not hold',
  passage: 'its passage holds the words of the text',
  titlePassage: 'its passage holds the words of the title',
  distinct: 'it holds many words of the text',
};

export type DefinitionWeights = Readonly<Record<DefinitionFeature, number>>;
