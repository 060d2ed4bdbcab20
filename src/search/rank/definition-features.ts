/** What speaks for a definition as the answer to a pasted text, as numbers. */

/** Each feature's column in a row. */
export const DEFINITION_COLUMN = {
  fileScore: 0,
  fileRank: 1,
  messageWords: 2,
  share: 3,
  titleFirst: 4,
  markedFirst: 5,
  nameInText: 6,
  named: 7,
  containerInTitle: 8,
  namedContainer: 9,
  linked: 10,
  literal: 11,
  nearness: 12,
  passage: 13,
  titlePassage: 14,
  lines: 15,
  crowd: 16,
  isCallable: 17,
  isType: 18,
  isData: 19,
  isRest: 20,
} as const;

export type DefinitionFeature = keyof typeof DEFINITION_COLUMN;
/** By column. The keys of an object literal are just these. */
export const DEFINITION_FEATURES = Object.keys(DEFINITION_COLUMN) as readonly DefinitionFeature[];
/** In plain words, for people who ask why. */
export const DEFINITION_MEANINGS: Readonly<Record<DefinitionFeature, string>> = {
  fileScore: 'its file matches',
  fileRank: 'its file is among the first',
  messageWords: 'it holds the words of a quoted message',
  share: 'it holds most of what its file holds of the text',
  titleFirst: 'of its file it holds most of the title',
  markedFirst: 'of its file it holds most of what stands between backticks',
  nameInText: 'the text holds the words of its name',
  named: 'the text mentions its name',
  containerInTitle: 'the title holds the words of what it belongs to',
  namedContainer: 'the text mentions what it belongs to',
  linked: 'the text links to its lines',
  literal: 'the text holds a literal of it',
  nearness: 'its passage means the same',
  passage: 'its passage holds the words of the text',
  titlePassage: 'its passage holds the words of the title',
  lines: 'how long it is',
  crowd: 'how many definitions its file has',
  isCallable: 'a function or method',
  isType: 'the head of a class or module',
  isData: 'a constant or variable',
  isRest: 'outside of any definition',
};

export type DefinitionWeights = Readonly<Record<DefinitionFeature, number>>;
