/** Light stemming: enough that `indexes`, `indexing` and `indexed` meet, never so much that words lose their meaning. */
const SUFFIXES: readonly (readonly [suffix: string, replacement: string])[] = [
  ['ization', 'ize'],
  ['ations', 'ate'],
  ['ation', 'ate'],
  ['ingly', ''],
  ['ings', ''],
  ['ing', ''],
  ['ies', 'y'],
  ['ied', 'y'],
  ['sses', 'ss'],
  ['ers', 'er'],
  ['ed', ''],
  ['es', 'e'],
  ['s', ''],
];

const LAST_LETTERS = new Set(SUFFIXES.map(([suffix]) => suffix.charCodeAt(suffix.length - 1)));

/** Takes a lower-case word. Words of three letters and fewer stay as they are. */
export function stem(word: string): string {
  if (word.length <= 3) return word;
  let stemmed = word;
  // Most words end in none of them, and that is seen from the last letter.
  if (LAST_LETTERS.has(word.charCodeAt(word.length - 1)))
    for (const [suffix, replacement] of SUFFIXES) {
      if (word.length - suffix.length < 3 || !word.endsWith(suffix)) continue;
      stemmed = word.slice(0, word.length - suffix.length) + replacement;
      break;
    }
  const last = stemmed.at(-1);
  if (stemmed.length > 4 && last === stemmed.at(-2) && last !== 's' && last !== 'l')
    stemmed = stemmed.slice(0, -1);
  if (stemmed.length > 4 && stemmed.endsWith('e')) stemmed = stemmed.slice(0, -1);
  return stemmed;
}
