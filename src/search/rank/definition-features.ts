/** What speaks for a definition as the answer to a pasted text, as numbers. */

/** Each feature's column in a row. */
export const DEFINITION_COLUMN = {
  fileScore: 0,
  share: 1,
  markedFirst: 2,
  nameInText: 3,
  named: 4,
  containerInTitle: 5,
  namedContainer: 6,
  linked: 7,
  literal: 8,
  nearness: 9,
  titlePassage: 10,
  lines: 11,
  crowd: 12,
  isCallable: 13,
  isType: 14,
  isRest: 15,
} as const;

export type DefinitionFeature = keyof typeof DEFINITION_COLUMN;
/** By column. The keys of an object literal are just these. */
export const DEFINITION_FEATURES = Object.keys(DEFINITION_COLUMN) as readonly DefinitionFeature[];
/** In plain words, for people who ask why. */
export const DEFINITION_MEANINGS: Readonly<Record<DefinitionFeature, string>> = {
  fileScore: 'its file matches',
  share: 'it holds most of what its file holds of the text',
  markedFirst: 'of its file it holds most of what stands between backticks',
  nameInText: 'the text holds the words of its name',
  named: 'the text mentions its name',
  containerInTitle: 'the title holds the words of what it belongs to',
  namedContainer: 'the text mentions what it belongs to',
  linked: 'the text links to its lines',
  literal: 'the text holds a literal of it',
  nearness: 'its passage means the same',
  titlePassage: 'its passage holds the words of the title',
  lines: 'how long it is',
  crowd: 'how many definitions its file has',
  isCallable: 'a function or method',
  isType: 'the head of a class or module',
  isRest: 'outside of any definition',
};

export type DefinitionWeights = Readonly<Record<DefinitionFeature, number>>;
