/** What an entry may hold: how long its texts are, flagged where they talk to a model, and what they cost in tokens. Pure. */
import { AppError } from '../core/index.ts';

const KB = 1024;

/** In bytes of UTF-8. What is too long is refused with the figure, never cut in silence. */
export const LIMITS = {
  name: 200,
  summary: 4 * KB,
  content: 256 * KB,
  error: 10 * KB,
  solution: 10 * KB,
  fact: 2 * KB,
  stack: 50 * KB,
  cause: 10 * KB,
  context: 10 * KB,
  when: 2 * KB,
  metadata: 16 * KB,
  tag: 64,
  query: 60 * KB,
} as const;

export const MOST_TAGS = 32;
export const MOST_FILES = 200;

export type LimitedText = keyof typeof LIMITS;

export function checkLimit(what: LimitedText, text: string): void {
  const sizeBytes = new TextEncoder().encode(text).length;
  if (sizeBytes <= LIMITS[what]) return;
  throw new AppError('bad_argument', `\`${what}\` has ${sizeBytes} bytes; ${LIMITS[what]} is the most.`, {
    hint: `Shorten \`${what}\` to what matters and call again.`,
  });
}

/** For text that no caller could shorten: what is too long loses its end, and says so. */
export function cutToLimit(what: LimitedText, text: string): string {
  const most = LIMITS[what];
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= most) return text;
  const kept = new TextDecoder().decode(bytes.subarray(0, most - CUT.length)).replace(/\uFFFD+$/, '');
  return `${kept}${CUT}`;
}

const CUT = '\n[cut]';

export function checkCount(what: 'tags' | 'files', count: number): void {
  const most = what === 'tags' ? MOST_TAGS : MOST_FILES;
  if (count <= most) return;
  throw new AppError('bad_argument', `There are ${count} ${what}; ${most} is the most.`, {
    hint: `Pass the ${most} ${what} that matter most.`,
  });
}

export function checkPresent(what: string, text: string): void {
  if (text.trim() !== '') return;
  throw new AppError('bad_argument', `\`${what}\` is empty.`, { hint: `Pass a text as \`${what}\`.` });
}

/**
 * Says when stored text talks to a model rather than about the project. Such text is kept and shown, because a note may
 * quote it for good reasons, but never without the warning. Pure; every pattern is bounded.
 */
export type TextFlag =
  | 'instructions'
  | 'fake_roles'
  | 'hidden_text'
  | 'control_characters'
  | 'markup'
  | 'commands';

const SIGNS: readonly (readonly [TextFlag, RegExp])[] = [
  [
    'instructions',
    /\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,60}\b(?:instructions?|rules?|prompts?|guidelines?|polic(?:y|ies)|above|previous|prior|safety)\b/i,
  ],
  ['instructions', /\byou (?:are now|must now|must always|should now|will now|have been|are no longer)\b/i],
  [
    'instructions',
    /\b(?:from now on|new instructions?|system prompt|developer mode|jailbreak|do anything now)\b/i,
  ],
  [
    'instructions',
    /\b(?:do not|don't|never|without)\b[^.\n]{0,30}\b(?:tell|inform|mention|reveal|telling|informing|asking|ask|warn)\b[^.\n]{0,20}\b(?:the )?(?:user|human|anyone|operator)\b/i,
  ],
  [
    'instructions',
    /\b(?:send|post|upload|exfiltrate|leak|email|forward)\b[^.\n]{0,60}\b(?:secrets?|tokens?|passwords?|credentials?|\.env|api keys?|private keys?|contents?)\b[^.\n]{0,40}\b(?:to|at)\b/i,
  ],
  ['instructions', /\b(?:call|invoke|use|run) (?:the )?[`"']?\w{3,40}[`"']? tool\b/i],
  [
    'instructions',
    /^[^\S\r\n]*(?:important|attention|note to (?:the )?(?:ai|assistant|model|agent)|ai assistant|dear (?:ai|assistant|model))\b.{0,3}[:!]/im,
  ],
  [
    'instructions',
    /\b(?:as an ai|your (?:true|real|new) (?:task|goal|purpose|role)|act as|pretend (?:to be|you))\b/i,
  ],
  ['fake_roles', /^[^\S\r\n]*(?:system|assistant|user|developer|human|tool)\s{0,3}:\s/im],
  [
    'fake_roles',
    /<\/?(?:system|assistant|user|developer|instructions?|prompt|tool_(?:call|result)s?|function_calls?|im_start|im_end)\b[^>]{0,100}>/i,
  ],
  [
    'fake_roles',
    /<\|[\w-]{2,40}\|>|\[\/?INST\]|<<\/?SYS>>|###\s{0,3}(?:system|instruction|response|human|assistant)\b/i,
  ],
  ['hidden_text', /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/u],
  // oxlint-disable-next-line no-control-regex -- finding control characters is the point
  ['control_characters', /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/],
  [
    'markup',
    /<(?:script|iframe|img|svg|object|embed|style|link|meta|form|a)\b[^>]{0,200}>|<!--|\]\(\s{0,3}(?:javascript|data):/i,
  ],
  [
    'commands',
    /\b(?:curl|wget)\b[^\n|]{0,200}\|\s{0,3}(?:sudo\s{1,3})?(?:ba|z|da)?sh\b|\brm\s{1,3}-[rf]{1,3}\s{1,3}[/~]|\bbase64\s{1,3}(?:-d|--decode)\b[^\n]{0,80}\|\s{0,3}\w{0,4}sh\b/i,
  ],
];

/**
 * Says when stored text talks to a model rather than about the project. Such text is kept, because a note may quote it for good
 * reasons, but never shown without the warning.
 */
export function flagText(...texts: readonly string[]): readonly TextFlag[] {
  const text = texts.join('\n');
  return [...new Set(SIGNS.filter(([, sign]) => sign.test(text)).map(([flag]) => flag))];
}

/** How many tokens a text costs a model: an estimate that errs upwards, so that a limit kept by it is kept. Pure. */
const PIECE =
  /(?=[\w+/=-]{0,23}\d[\w+/=-]{0,23}\d)[\w+/=-]{24,64}|[A-Za-z]+|\d{1,3}|\n+|[ \t]{2,}|[^\sA-Za-z\d]/gu;
/** Keys and digests have no words to be short by. */
const PACKED_CHARS = 24;
const PER_PACKED_CHAR = 0.72;
const LETTERS_PER_TOKEN = 4;
/** Words of no language: five consonants in a row, case that changes to and fro, no end. */
const NO_WORD = /[bcdfghjklmnpqrstvwxz]{5}|[a-z][A-Z][^]*[a-z][A-Z][^]*[a-z][A-Z]|[A-Za-z]{21}/;
const PER_STRANGE_LETTER = 0.65;
/** Shown as an escape, such as `\u{e0041}`. */
const HIDDEN = 7;

export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(PIECE)) tokens += pieceTokens(piece);
  return Math.ceil(tokens);
}

export interface CutText {
  readonly text: string;
  readonly isCut: boolean;
}

/** The beginning of a text that costs at most this much, cut at a line or a word where one is near. */
export function cutToTokens(text: string, most: number): CutText {
  let tokens = 0;
  for (const { 0: piece, index } of text.matchAll(PIECE)) {
    tokens += pieceTokens(piece);
    if (tokens > most) return { text: trimToBreak(text.slice(0, index)), isCut: true };
  }
  return { text, isCut: false };
}

function pieceTokens(piece: string): number {
  const first = piece.codePointAt(0) ?? 0;
  if (first > 0x7e || first < 0x09) return foreignTokens(first);
  if (piece.length >= PACKED_CHARS && /\d/.test(piece)) return piece.length * PER_PACKED_CHAR;
  if (!/[A-Za-z]/.test(piece)) return first >= 0x20 || first <= 0x0a ? 1 : HIDDEN;
  return NO_WORD.test(piece)
    ? Math.ceil(piece.length * PER_STRANGE_LETTER)
    : Math.ceil(piece.length / LETTERS_PER_TOKEN);
}

/** Measured with o200k_base, on random letters of each script: real text costs less. */
const COSTS: readonly (readonly [upTo: number, cost: number])[] = [
  [0x08, HIDDEN],
  [0x9f, HIDDEN],
  [0x7ff, 2],
  [0x8ff, 3],
  [0x10ff, 2.1],
  [0x1fff, 3],
  // Dashes, quotes and spaces of print, and what hides among them.
  [0x200a, 2],
  [0x200f, HIDDEN],
  [0x2027, 2],
  [0x202e, HIDDEN],
  [0x205f, 2],
  [0x206f, HIDDEN],
  [0x2fff, 3],
  [0x30ff, 2],
  [0x33ff, 3],
  [0x9fff, 2.2],
  [0xabff, 3],
  [0xd7ff, 2.5],
  [0xdfff, HIDDEN],
  [0xfefe, 3],
  [0xfeff, HIDDEN],
  [0xffff, 3],
  [0xdffff, 4],
  [0xe00ff, HIDDEN],
];

function foreignTokens(point: number): number {
  return COSTS.find(([upTo]) => point <= upTo)?.[1] ?? 4;
}

function trimToBreak(text: string): string {
  const line = text.lastIndexOf('\n');
  if (line > text.length * 0.8) return text.slice(0, line);
  const blank = text.lastIndexOf(' ');
  return blank > text.length * 0.8 ? text.slice(0, blank) : text;
}
