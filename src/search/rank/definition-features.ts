/** What speaks for a definition as the answer to a pasted text, as numbers. */

/** Each feature's column in a row. */
export const DEFINITION_COLUMN = {
  fileScore: 0,
  share: 1,
  nameInText: 2,
  named: 3,
  containerInTitle: 4,
  linked: 5,
  literal: 6,
  titlePassage: 7,
  lines: 8,
  crowd: 9,
  isCallable: 10,
  isType: 11,
  isRest: 12,
} as const;

export type DefinitionFeature = keyof typeof DEFINITION_COLUMN;
/** By column. The keys of an object literal are just these. */
export const DEFINITION_FEATURES = Object.keys(DEFINITION_COLUMN) as readonly DefinitionFeature[];
/** In plain words, for people who ask why. */
export const DEFINITION_MEANINGS: Readonly<Record<DefinitionFeature, string>> = {
  fileScore: 'its file matches, and holds literals that the text holds',
  share: 'it holds most of what its file holds of the text',
  nameInText: 'the text holds the words of its name',
  named: 'the text mentions its name',
  containerInTitle: 'the title holds the words of what it belongs to',
  linked: 'the text links to its lines',
  literal: 'the text holds a literal of it',
  titlePassage: 'its passage holds the words of the title',
  lines: 'how long it is',
  crowd: 'how many definitions its file has',
  isCallable: 'a function or method',
  isType: 'the head of a class or module',
  isRest: 'outside of any definition',
};

export type DefinitionWeights = Readonly<Record<DefinitionFeature, number>>;
