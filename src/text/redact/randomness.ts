/** Was this made by a machine or a person? Judged by how its characters are spread and how its letters follow each other. */

/** Shannon entropy in bits per character. */
export function entropyOf(text: string): number {
  const counts = new Uint16Array(128);
  for (let at = 0; at < text.length; at++)
    counts[text.charCodeAt(at) & 127] = (counts[text.charCodeAt(at) & 127] ?? 0) + 1;
  let bits = 0;
  for (const count of counts) if (count > 0) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/**
 * Pairs of letters that make up most of English text and of identifiers. Random letters hit one in four of them, words
 * three in four; digits and entropy alone cannot tell `oauth2_client_token_v1` from a key.
 */
const COMMON_PAIRS: ReadonlySet<string> = new Set(
  (
    'th he in er an re nd at on nt ha es st en ed to it ou ea hi is or ti as te et ng of al de se le sa si ar ve ra ' +
    'ld ur me ll ne ro ri io ic co ma ce li ch om be el la ho us ta il no ec tr di ut pe pr ac un id ss ge ns ts rs ' +
    'ee em ly ie lo ol so na ct ot mo po wh sh fo wo ke ai ad ul ir up op su tu ca bl pl ab ap ag am ay ef ex ey fi ' +
    'ig im iv mp ni oa od og oo os ov ow oy pa pi pu qu rd rt rm ru sc sp sw ty ub ui um va vi wa we wi ye ck cr cl ' +
    'da do ds du ef fa fe fl fr ft ga gh gi gr gs gu ha if ip ki ks ls mb mi mu nc nk nu ny ob oc ok pp ps py rc rg ' +
    'rk rl rn rr ry sk sl sm sn tt tw ua ud ue ug ux xt xp ys'
  ).split(' '),
);

/** The share of neighbouring letters that words are made of; undefined when there are too few letters to say. */
export function wordiness(text: string): number | undefined {
  let pairs = 0;
  let common = 0;
  for (let at = 1; at < text.length; at++) {
    const pair = text.slice(at - 1, at + 1);
    // A capital starts a new word: the pair across `nK` in `tokenKind` says nothing.
    if (!/^(?:[A-Za-z][a-z]|[A-Z]{2})$/.test(pair)) continue;
    pairs += 1;
    if (COMMON_PAIRS.has(pair.toLowerCase())) common += 1;
  }
  return pairs < 4 ? undefined : common / pairs;
}

/** Whether there is a digit, or both cases, between two places: without either nothing was generated. */
export function mixesKinds(text: string, start: number, end: number): boolean {
  let cases = 0;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0x30 && code <= 0x39) return true;
    if (code >= 0x61 && code <= 0x7a) cases |= 1;
    else if (code >= 0x41 && code <= 0x5a) cases |= 2;
  }
  return cases === 3;
}

/** How often the kind of character changes (lower case, capital, digit), per character. Words change rarely. */
function switchesOf(text: string): number {
  const changes = text.match(/[a-z](?=[A-Z0-9])|[A-Z](?=[a-z0-9])|[0-9](?=[A-Za-z])/g);
  return (changes?.length ?? 0) / text.length;
}

/** In names a capital begins a word, and a digit ends one; where every second character is either, letters make words by chance. */
const MOST_CAPITALS = 0.34;
const ENOUGH_TO_COUNT = 16;
const LEAST_SWITCHES = 0.2;
const THREE_CAPITALS = /[A-Z].*[A-Z].*[A-Z]/s;

export function isCapitalised(text: string): boolean {
  if (text.length < ENOUGH_TO_COUNT || !/[a-z]/.test(text) || !THREE_CAPITALS.test(text)) return false;
  // `SOME_NAMES.of` has many, and they stand together.
  if (switchesOf(text) < LEAST_SWITCHES) return false;
  const letters = text.replace(/[^A-Za-z0-9]/g, '').length;
  return text.replace(/[^A-Z0-9]/g, '').length >= MOST_CAPITALS * letters;
}

/** Named by a person: made of words, in the rhythm of words. */
export function isWordy(text: string): boolean {
  if (isCapitalised(text)) return false;
  // Names change at every part and every capital; where there are neither, a few changes tell.
  const rhythm = /^(?:[a-z0-9]*|[A-Z0-9]*)$/.test(text) ? 0.3 : 0.42;
  return (wordiness(text) ?? 0) >= 0.5 && (text.length < 16 || switchesOf(text) < rhythm);
}

/** Behind a start that names share with it: capitals, and digits or letters that make no word. */
export function isMixedKey(key: string): boolean {
  return /[A-Z]/.test(key) && (/\d/.test(key) || !isWordy(key));
}

const HEX = /^[0-9a-f]+$|^[0-9A-F]+$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The letters of hexadecimal digits pair up like those of words, so it is judged by itself, also behind a prefix. */
function holdsHex(text: string): boolean {
  const [longest = ''] = text.split(/[^A-Za-z0-9]/).toSorted((a, b) => b.length - a.length);
  if (longest.length < 20 || !HEX.test(longest)) return UUID.test(text) && entropyOf(text) >= 2.7;
  return /\d\D*\d\D*\d/.test(longest) && /[a-f].*[a-f]/i.test(longest) && entropyOf(longest) >= 2.7;
}

/** Nearly only letters: no word may be in them, and their case changes to and fro. Long ones without a trace of words may do so less. */
function isJumbled(text: string): boolean {
  const switches = switchesOf(text);
  if (switches >= 0.42) return !isWordy(text);
  return text.length >= 24 && switches >= 0.2 && (wordiness(text) ?? 1) < 0.3;
}

/** Whether text of at least `minLength` characters looks like key material and not like something a person named. */
export function looksRandom(text: string, minLength: number): boolean {
  if (text.length < minLength) return false;
  const digits = text.replace(/\D/g, '').length;
  const letters = text.replace(/[^A-Za-z]/g, '').length;
  const entropy = entropyOf(text);
  if (HEX.test(text)) return text.length >= 16 && digits >= 3 && letters >= 2 && entropy >= 2.7;
  if (letters < 3) return false;
  if (holdsHex(text)) return true;
  if (digits < 2) return text.length >= 20 && entropy >= 3.8 && (isJumbled(text) || isCapitalised(text));
  const wanted = text.length >= 24 ? 3.3 : text.length >= 16 ? 3 : 2.7;
  return entropy >= wanted && !isWordy(text);
}
