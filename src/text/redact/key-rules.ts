/** Private keys of every armour, and credentials in headers and URLs. */
import { isFilled, isPlaceholder, isReference } from './placeholder.ts';
import { looksRandom, mixesKinds } from './randomness.ts';
import { shape, type ShapeRule } from './rule.ts';

/**
 * Between the lines of a key: breaks, real or written as `\n`, and what holds a key inside code, quotes or comments. It
 * shares no character with the lines themselves, so that a key without an end is given up in linear time.
 */
const SEPARATOR = String.raw`(?:\s|\\[nrt\\]|["'\x60,;#*|>&()-](?!---))`;
const HEADERS = String.raw`(?:(?:\s|\\[nr]|["'#*|>]){1,20}[A-Za-z][A-Za-z-]{2,20}: [^\n\\]{1,120}){0,6}`;
const BEGIN = String.raw`-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}`;
const END = String.raw`${SEPARATOR}{1,40}-{4,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}`;

/** A whole key, or the start of one: without an end only lines that are surely key material belong to it. */
const PRIVATE_KEY = new RegExp(
  `${BEGIN}${HEADERS}(?:(?:${SEPARATOR}{1,40}[A-Za-z0-9+/=]{1,8000}){1,2000}${END}|(?:${SEPARATOR}{1,40}[A-Za-z0-9+/=]{30,8000}){1,2000})`,
  'y',
);

/** User names and passwords that come with every tutorial. */
const COMMON_PASSWORDS =
  /^(?:pass|pwd|user(?:name)?|root|admin|guest|postgres|mysql|mongo|redis|rabbitmq|minio|me|foo|bar|baz|x{1,}|p|pw|key|port|host|\d{1,5}|[a-z])$/i;

export const KEY_SHAPES: readonly ShapeRule[] = [
  shape('private-key', ['-----begin ', '---- begin '], PRIVATE_KEY, {
    place: 'inside',
    accept: (key) => /[A-Za-z0-9+/=]{30}/.test(key),
  }),
  shape(
    'putty-key',
    'private-lines:',
    /(?<lead>Private-Lines: \d{1,4}\r?\n)(?:[A-Za-z0-9+/=]{1,80}\r?\n){1,400}(?:Private-(?:MAC|Hash): [0-9a-f]{32,128})?/y,
  ),
  shape('age-key', 'age-secret-key-1', /AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}(?!\w)/y),
  shape(
    'jwk-private-key',
    '"d" "p" "q" "dp" "dq" "qi"',
    /(?<lead>"(?:d|p|q|dp|dq|qi)"\s{0,5}:\s{0,5}")[\w-]{43,1400}(?=")/y,
    { place: 'inside', accept: (key) => looksRandom(key, 43) },
  ),
  shape('jwt', 'eyj', /eyJ[\w-]{10,4000}\.[\w-]{0,8000}\.[\w-]{6,8000}(?:\.[\w-]{6,8000}\.[\w-]{6,200})?/y, {
    accept: (token) => token.length >= 40 && !isFilled(token),
  }),
  shape('jwt-base64', 'zxlk', /ZXlK[A-Za-z0-9+/_-]{56,8000}={0,2}/y),
  shape('basic-auth', ['basic '], /(?<lead>Basic\s{1,3})[A-Za-z0-9+/]{8,2000}={0,2}(?![\w+/=])/iy, {
    accept: isUserAndPassword,
  }),
  shape('bearer-token', ['bearer '], /(?<lead>Bearer\s{1,3})[\w.~+/-]{16,4000}={0,2}/iy, {
    accept: (token) => !isPlaceholder(token) && looksRandom(token, 16),
  }),
  shape(
    'authorization-header',
    'authorization',
    /(?<lead>authorization\\?["'\]]{0,2}\s{0,3}[:=,]\s{0,3}\\?["'`]?(?:token|apikey|api-key|key|digest|[A-Z]{3,8})?\s{0,3})[\w.~+/-]{16,4000}={0,2}/iy,
    { place: 'inside', accept: (token) => !isPlaceholder(token) && looksRandom(token, 16) },
  ),
  shape('url-password', '://', /(?<lead>:\/\/[^\s:/@"'<>`\\]{0,100}:)[^\s/"'<>`\\]{2,300}(?=@[\w[.-])/y, {
    place: 'inside',
    accept: (password, behind) => isUrlPassword(password) && !(isPlain(password) && isNoHost(behind)),
  }),
  shape('url-token', '://', /(?<lead>:\/\/)[\w~-]{20,300}(?=@[\w.-])/y, {
    place: 'inside',
    accept: (token) => !isPlaceholder(token) && looksRandom(token, 20),
  }),
  shape(
    'curl-user',
    ['curl '],
    /(?<lead>curl [^\n]{0,100}?(?:-u|--user)[ =]{1,3}["']?[^\s:"'$]{1,60}:)[^\s"'$<{]{4,100}/y,
    { accept: (password) => isUrlPassword(password) },
  ),
  shape(
    'netrc-password',
    ['login '],
    /(?<lead>login\s{1,5}\S{1,100}\s{1,20}password\s{1,5})[^\s"'`\\]{4,200}/y,
    {
      accept: (password) => isUrlPassword(password) && mixesKinds(password, 0, password.length),
    },
  ),
];

/** Base64 of `user:password`; the words behind "basic" in a sentence are not. */
function isUserAndPassword(encoded: string): boolean {
  if (encoded.length % 4 === 1 || isFilled(encoded)) return false;
  try {
    const password = /^[\x20-\x39\x3b-\x7e\u0080-\u00ff]*:([\x20-\x7e\u0080-\u00ff]+)$/.exec(
      atob(encoded),
    )?.[1];
    return password !== undefined && isUrlPassword(password);
  } catch {
    return false;
  }
}

function isUrlPassword(password: string): boolean {
  if (COMMON_PASSWORDS.test(password) || /[{}()|]|%[sdv]/.test(password)) return false;
  if (!isPlaceholder(password)) return true;
  // People put such words into passwords they mean, too: what is left without them tells.
  return !isReference(password) && password.replace(TYPED_IN_EXAMPLES, '').length >= LEFT_OF_A_PASSWORD;
}

/** Reserved for documents, or a word that stands for a host: a password for it that is a word is an example. */
function isNoHost(behind: string): boolean {
  return /^@(?:[\w-]{1,40}\.){0,4}(?:example(?:\.(?:com|org|net|edu))?|invalid|host(?:name)?|server|whatever|bar(?:\.com)?)(?![\w.-])/i.test(
    behind,
  );
}

const MOST_OF_A_WORD = 16;

function isPlain(password: string): boolean {
  return password.length <= MOST_OF_A_WORD && !/\d/.test(password.replaceAll(/%[0-9A-F]{2}/gi, ''));
}

const TYPED_IN_EXAMPLES =
  /example|placeholder|sample|dummy|fake|mock|secret|pass(?:w(?:or)?d?)?|tokens?|test(?:ing|er)?|demo|default|user|admin|root|your|here|this|with|change|replace|insert|me|my|db|app|api|key|some|super|real|not|[^a-z0-9]|0+|x{3,}|123\d*/gi;
const LEFT_OF_A_PASSWORD = 6;
