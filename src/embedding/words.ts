/** The words the model knows: runs of ASCII letters and digits, cut at case borders, lower-case. */

// A plural acronym (`URLs`) loses its s; an acronym ends where a capitalised word begins (`HTTPServer`).
const WORD = /[A-Z]{2,}s(?![a-z])|[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+/g;
const PLURAL_ACRONYM = /^[A-Z]{2,}s$/;
/** Longer runs of digits are data. */
const MOST_DIGITS = 4;

export function modelWords(text: string): string[] {
  const words: string[] = [];
  for (const found of text.match(WORD) ?? []) {
    if (isDigit(found)) {
      if (found.length <= MOST_DIGITS) words.push(found);
    } else words.push((PLURAL_ACRONYM.test(found) ? found.slice(0, -1) : found).toLowerCase());
  }
  return words;
}

export function isDigit(word: string): boolean {
  const code = word.charCodeAt(0);
  return code >= 48 && code <= 57;
}
