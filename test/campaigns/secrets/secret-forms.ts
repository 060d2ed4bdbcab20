/** The forms in which a secret could lie in a file: as it is, in another case, encoded, turned around, or cut into words. */

const LEAST_PIECE = 12;

export function secretForms(secret: string): readonly string[] {
  const lines = secret.split(/\n|\\n/).filter((line) => line.length >= 6);
  return lines.flatMap((line) => [
    ...inCases(line),
    ...inCases([...line].reverse().join('')),
    Buffer.from(line).toString('hex'),
    ...base64Forms(line),
    ...words(line),
  ]);
}

/** Words as the index cuts them: long enough that they can only come from here. */
export function words(line: string): readonly string[] {
  const found = line.match(/[A-Za-z_][A-Za-z0-9_]*/g) ?? [];
  return found.filter((word) => word.length >= LEAST_PIECE).flatMap((word) => [word, word.toLowerCase()]);
}

function inCases(text: string): readonly string[] {
  return [text, text.toLowerCase(), text.toUpperCase()];
}

/** Three ways, by where the text begins within three bytes; the ends depend on the neighbours and are left out. */
function base64Forms(text: string): readonly string[] {
  return [0, 1, 2]
    .map((shift) =>
      Buffer.from('x'.repeat(shift) + text)
        .toString('base64')
        .replaceAll('=', '')
        .slice(shift === 0 ? 0 : 4, -2),
    )
    .filter((form) => form.length >= LEAST_PIECE);
}
