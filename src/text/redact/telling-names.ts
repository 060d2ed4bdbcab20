/** Values beside a name that tells: what is a secret because of both. */
import type { Assignment } from './assignment.ts';
import { isPlaceholder } from './placeholder.ts';
import { isCapitalised, looksRandom, wordiness } from './randomness.ts';
import { spellings } from './rule.ts';

export interface TellingName {
  readonly kind: string;
  readonly words: readonly string[];
}

export const TELLING_NAMES: readonly TellingName[] = [
  { kind: 'password', words: ['pass', 'pwd', '_pw', '-pw'] },
  { kind: 'secret', words: ['secret', 'credential'] },
  { kind: 'token', words: ['token', 'bearer', 'authorization', 'jwt'] },
  {
    kind: 'key',
    words: [
      '_key',
      '-key',
      'key_base',
      ...[
        'api',
        'access',
        'private',
        'auth',
        'account',
        'encryption',
        'signing',
        'master',
        'app',
        'client',
      ].flatMap((word) => spellings(word, 'key')),
      ...['shared', 'service', 'license', 'session', 'webhook', 'storage'].flatMap((word) =>
        spellings(word, 'key'),
      ),
    ],
  },
];

/** What such names end in when they hold something about the secret and not the secret. */
const ABOUT =
  /^(?:ing|ed|es|er|ers|age|ive|port|enger|ary|aries|iz|is(?!h)|through|able|thru)|(?:^|[_.-]|s)(?:name|ids?|type|kind|urls?|uris?|path|files?|field|length|len|size|count|limit|expir\w*|label|text|title|hint|regexp?|pattern|class|policy|format|prefix|suffix|header|endpoint|algorithm|alg|version|digest|checksum|sha\d*|arn|ref|selector|style|rules?|input|icon|index|status|error|message|usage|ttl|lifetime|scopes?|issuer|audience|provider|store|manager|generator|address|column|table|fingerprint|thumbprint)s?$/i;
const ABOUT_CAMEL =
  /(?:Name|Ids?|ID|Type|Kind|Ur[li]s?|UR[LI]|Path|Files?|Field|Length|Size|Count|Limit|Expir\w*|Label|Text|Title|Hint|Regexp?|Pattern|Class|Policy|Format|Prefix|Suffix|Header|Endpoint|Algorithm|Version|Digest|Checksum|Arn|ARN|Ref|Selector|Style|Rules?|Input|Icon|Index|Status|Error|Message|Usage|Scopes?|Provider|Store|Manager|Address|Column|Table|Fingerprint)$/;
const PUBLIC_KEY =
  /(?:public|publishable|primary|foreign|cache|sort|partition|hash|site|i18n|translation|index|range|pub|row|map|dedup|websocket)$/i;
const IN_PLACE =
  /^(?:https?:|file:|\.{0,2}\/(?![\w+/]{30,200}={1,2}$)|[A-Za-z]:\\|~\/|arn:|urn:|data:|sha\d+-|[\w.+-]+@[\w-]+\.\w)/;
/** What may stand in front of a name that starts a line of configuration. */
const LINE_START =
  /^[ \t>#*$-]{0,40}(?:(?:export|set|setenv|env|ENV|ARG|-e|-D)[ \t]{0,3})?["']?[\w.:/-]{0,60}$/;
const OPTION = /^["']?--?[\w-]{0,40}$/;
/** A longer line in front of a name is no line of configuration. */
const MOST_BEFORE = 120;

export interface Place {
  readonly text: string;
  /** Where the telling word starts. */
  readonly wordStart: number;
}

/** Whether the assigned value is a secret, given that its name contains a telling word of this kind. */
export function isTellingSecret(kind: string, found: Assignment, place: Place): boolean {
  const { suffix, value, quoted } = found;
  if (value.length < 6 || ABOUT.test(suffix) || ABOUT_CAMEL.test(suffix)) return false;
  if (isPlaceholder(value) || IN_PLACE.test(value)) return false;
  if (kind === 'key' && PUBLIC_KEY.test(place.text.slice(Math.max(0, place.wordStart - 12), place.wordStart)))
    return false;
  const isStrong =
    kind === 'password' ? isPassword(value) : looksRandom(value, kind === 'key' ? 16 : 12) && !isPath(value);
  if (quoted) return isStrong && !/[\s(){}<>]/.test(value);
  if (isStrong && isLineOfConfig(found, place)) return true;
  if (inConnectionString(found, place)) return !/^[a-z.]+$/i.test(value);
  // An expression of code: only what no one would write as one.
  return isStrong && /[A-Za-z0-9]{12}/.test(value) && looksRandom(value, 20);
}

/** Chosen by a person, so shorter and less random; still letters, digits, and a third kind of character. */
function isPassword(value: string): boolean {
  if (value.length > 200 || isPath(value)) return false;
  if (looksRandom(value, 12)) return true;
  const hasDigit = /\d/.test(value);
  const hasMark = /[!@#$%^&*?~+=]/.test(value);
  const hasBothCases = /[a-z]/.test(value) && /[A-Z]/.test(value);
  if (value.length < 8 || !/[A-Za-z]/.test(value)) return false;
  if (hasDigit && hasMark) return true;
  if (hasDigit && hasBothCases) return (wordiness(value) ?? 0) < 0.8 || /[a-z]\d+[a-z]/i.test(value);
  return hasMark && hasBothCases && (wordiness(value) ?? 0) < 0.5;
}

/** `a.b.c`, `a/b/c`, `a-b-c`, `A_B_C`: named by a person, however many digits the parts have. */
function isPath(value: string): boolean {
  const parts = value.split(/[./:_-]/);
  return (
    parts.length > 2 &&
    !isCapitalised(value) &&
    parts.filter((part) => /^[A-Za-z]*\d{0,4}$/.test(part)).length >= parts.length - 1 &&
    (wordiness(value) ?? 1) >= 0.4
  );
}

/** `NAME=value` or `name: value` alone on its line or in its quotes, or `--name=value` on a command line. */
function isLineOfConfig(found: Assignment, { text, wordStart }: Place): boolean {
  if (/^[\w.]*[([]/.test(found.value)) return false;
  const before = text.slice(Math.max(0, wordStart - MOST_BEFORE), wordStart);
  const line = before.slice(/[^\r\n"'`]*$/.exec(before)?.index ?? 0);
  if (OPTION.test(line.slice(line.lastIndexOf(' ') + 1))) return true;
  if (line.length === MOST_BEFORE || !LINE_START.test(line)) return false;
  const end = found.valueStart + found.value.length;
  return /^(?:;?\s*$|\s*[\r\n]|;\s*[\r\n]|\s+(?:#|\/\/|\\|[a-z./])|["'`])/.test(text.slice(end, end + 40));
}

/** `…;Password=x;…` and `…?user=u&password=x`. */
function inConnectionString(found: Assignment, { text, wordStart }: Place): boolean {
  const before = text.slice(Math.max(0, wordStart - 24), wordStart);
  return (
    /(?:(?<!&)[?&]|; ?)[\w ]{0,20}$/.test(before) && /[^=]=$/.test(text.slice(wordStart, found.valueStart))
  );
}
