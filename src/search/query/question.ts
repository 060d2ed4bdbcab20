/** What a query asks for, in the words of the index. Pure. */
import { hashWord, identifiersIn, termsOf, type Identifier, type Term } from '../../text/index.ts';
import { once } from '../../core/index.ts';
import { readReport, type LinkedLines, type Mention } from './report.ts';

/** Compared after stemming; only left out of queries, never of the index. */
const STOP_WORDS =
  'a an and are as at be by do does for from has have how if in is it its not of on or the to was what when where ' +
  'which who why with that this into via using used use can between';
const stopHashes = once(() => new Set(identifiersIn(STOP_WORDS).map(({ whole }) => whole?.hash ?? 0)));

const SYMBOL = /^[A-Za-z_$][\w$]*(?:(?:::|\\|->|\.|#|\/)[A-Za-z_$][\w$!?]*)*$/;
/** Between the parts of a qualified name. */
export const SEPARATORS = /::|\\|->|\.|#|\//;
/** Of several words, or not as words are written. */
export const LOOKS_LIKE_NAME = /[a-z0-9][A-Z]|[A-Z]{2,}|_/;
const NAMES_SPECIAL_FILES =
  /\b(?:tests?|testing|specs?|mocks?|fixtures?|examples?|samples?|demos?|benchmarks?|bench|docs?|documentation|tutorials?|vendor(?:ed)?|generated|scripts?|templates?)\b/i;
const SHORTEST_WORD = 2;
/** Each is compared with the words of many paths; a question of more words is a pasted text, and its start says enough. */
const MOST_WORDS = 128;
const SHORTEST_PLAIN_NAME = 4;

export interface Question {
  readonly text: string;
  /** Nothing but the name of something. */
  readonly isSymbol: boolean;
  /** Hashes of the distinct terms to look for, with how often each is asked for. */
  readonly tokens: ReadonlyMap<number, number>;
  /** The same terms, each once. */
  readonly terms: readonly Term[];
  /** Distinct parts of its identifiers, lower-case, without stop words. */
  readonly words: readonly string[];
  /** The hash of each word's stem. */
  readonly stems: readonly number[];
  /** Hashes of what reads like the name of a definition. */
  readonly names: readonly number[];
  /** The same as they are written. */
  readonly spelled: readonly string[];
  /** Other words of a sentence that may be names: hashes. */
  readonly plainNames: readonly number[];
  /** It asks for tests, examples, docs and their like. */
  readonly wantsSpecial: boolean;
  /** Of a pasted text: what its parts say. */
  readonly report?: ReportQuestion;
}

/** What a pasted text asks for beside its words. */
export interface ReportQuestion {
  /** Terms of the title alone. */
  readonly title: ReadonlyMap<number, number>;
  /** Terms of the messages it quotes. */
  readonly messages: ReadonlyMap<number, number>;
  readonly mentions: readonly Mention[];
  /** Hashes of names that it mentions, and how much each says: a name in the title more than one in a trace. */
  readonly mentioned: ReadonlyMap<number, number>;
  /** The same by the name as it is written, where it looks like one, or stands in code, a trace or between backticks. */
  readonly named: ReadonlyMap<string, number>;
  readonly links: readonly LinkedLines[];
  /** All of it in lower case, white space as single blanks: literals of the code are looked for in it. */
  readonly plainText: string;
  /** Its runs of letters. */
  readonly plainWords: ReadonlySet<string>;
}

export function readQuestion(text: string): Question {
  const trimmed = text.trim();
  const identifiers = identifiersIn(trimmed);
  const isSymbol = SYMBOL.test(trimmed);
  const spelled = isSymbol ? symbolNames(trimmed) : sentenceNames(trimmed, identifiers);
  const words = distinctWords(identifiers);
  return {
    text: trimmed,
    isSymbol,
    ...countTerms(wantedTerms(identifiers)),
    words: [...words.keys()],
    stems: [...words.values()],
    names: spelled.map(hashWord),
    spelled,
    plainNames: isSymbol ? [] : plainNames(identifiers, spelled).map(hashWord),
    wantsSpecial: NAMES_SPECIAL_FILES.test(trimmed),
  };
}

/** How much a word of each part of a report counts, before it is damped. */
const PART_WEIGHTS = { title: 3, marked: 1, prose: 1, code: 0.5, traces: 0.3 } as const;
const NAME_WEIGHTS = { title: 3, marked: 2, prose: 1, code: 0.7, traces: 0.5 } as const;
/** As a name of a definition: of a title, words that look like one. */
const DEFINED_WEIGHTS = { title: 1, marked: 1, prose: 0.5, code: 0.65, traces: 1.2 } as const;
/** The static model averages its words: those of the start are what a report is about. */
const MOST_ENCODED_CHARS = 600;

/** A pasted text: its title says what it is about, the other parts where that may be. */
export function readReportQuestion(text: string): Question {
  const report = readReport(text);
  const parts = {
    title: identifiersIn(report.title),
    marked: identifiersIn(report.marked.join(' ')),
    prose: identifiersIn(report.prose),
    code: identifiersIn(report.code),
    traces: identifiersIn(report.traces),
  } as const;
  const counts = new Map<number, number>();
  const terms = new Map<number, Term>();
  const mentioned = new Map<number, number>();
  const named = new Map<string, number>();
  for (const [name, identifiers] of entriesOf(parts)) {
    for (const term of identifiers.flatMap(termsOf)) {
      if (isStopWord(term)) continue;
      terms.set(term.hash, term);
      counts.set(term.hash, (counts.get(term.hash) ?? 0) + PART_WEIGHTS[name]);
    }
    for (const { name: spelled } of identifiers) {
      if (name === 'prose' && !LOOKS_LIKE_NAME.test(spelled)) continue;
      const hash = hashWord(spelled);
      mentioned.set(hash, Math.max(mentioned.get(hash) ?? 0, NAME_WEIGHTS[name]));
      if (name !== 'title' || LOOKS_LIKE_NAME.test(spelled))
        named.set(spelled, Math.max(named.get(spelled) ?? 0, DEFINED_WEIGHTS[name]));
    }
  }
  const tokens = new Map([...counts].map(([hash, count]) => [hash, Math.log2(1 + count)]));
  const title = readQuestion(report.title);
  const spelled = [...new Set([...title.spelled, ...parts.marked.map(({ name }) => name)])];
  const plainText = text.toLowerCase().replaceAll(/\s+/g, ' ');
  return {
    ...title,
    text: `${report.title}\n${report.prose}`.slice(0, MOST_ENCODED_CHARS),
    isSymbol: false,
    tokens,
    terms: [...terms.values()],
    spelled,
    names: spelled.map(hashWord),
    report: {
      title: title.tokens,
      messages: countTerms(wantedTerms(identifiersIn(report.messages.join('\n')))).tokens,
      mentions: report.mentions,
      mentioned,
      named,
      links: report.links,
      plainText,
      plainWords: new Set(plainText.match(/[a-z]+/g)),
    },
  };
}

const entriesOf = <K extends string, V>(record: Readonly<Record<K, V>>): [K, V][] =>
  // The keys of an object literal are just these.
  Object.entries(record) as [K, V][];

function isStopWord(term: Term | undefined): boolean {
  return term !== undefined && stopHashes().has(term.hash);
}

/** All of them where there are only stop words. */
function wantedTerms(identifiers: readonly Identifier[]): readonly Term[] {
  const all = identifiers.flatMap(termsOf);
  const wanted = all.filter((term) => !isStopWord(term));
  return wanted.length === 0 ? all : wanted;
}

function countTerms(terms: readonly Term[]): Pick<Question, 'tokens' | 'terms'> {
  const tokens = new Map<number, number>();
  const distinct = new Map<number, Term>();
  for (const term of terms) {
    tokens.set(term.hash, (tokens.get(term.hash) ?? 0) + 1);
    distinct.set(term.hash, term);
  }
  return { tokens, terms: [...distinct.values()] };
}

/** Each with the hash of its stem. */
function distinctWords(identifiers: readonly Identifier[]): ReadonlyMap<string, number> {
  const parts = identifiers
    .flatMap((identifier) => identifier.parts)
    .filter(({ word }) => word.length >= SHORTEST_WORD);
  const wanted = parts.filter((part) => !isStopWord(part));
  const words = new Map((wanted.length === 0 ? parts : wanted).map(({ word, hash }) => [word, hash]));
  return new Map([...words].slice(0, MOST_WORDS));
}

function symbolNames(symbol: string): string[] {
  const last = symbol.split(SEPARATORS).at(-1) ?? symbol;
  return [...new Set([last, symbol])];
}

/** `app.set` in a sentence: its last part is a name, however plain. */
const QUALIFIED = /[A-Za-z_]\w*(?:(?:::|->|\.|#)[A-Za-z_]\w*)+/g;

function sentenceNames(text: string, identifiers: readonly Identifier[]): string[] {
  const qualified = (text.match(QUALIFIED) ?? []).flatMap(symbolNames);
  const first = text.match(/^\W*([A-Za-z_]\w*)/)?.[1];
  const names = identifiers
    .map(({ name }) => name)
    .filter(
      (name, at) => LOOKS_LIKE_NAME.test(name) || (/^[A-Z][a-z]/.test(name) && !(at === 0 && name === first)),
    );
  return [...new Set([...qualified, ...names])];
}

function plainNames(identifiers: readonly Identifier[], names: readonly string[]): string[] {
  const plain = identifiers.filter(
    ({ name, whole }) => name.length >= SHORTEST_PLAIN_NAME && !names.includes(name) && !isStopWord(whole),
  );
  return [...new Set(plain.map(({ name }) => name))];
}

const FEWEST_WORDS = 4;
const SHORTEST_MESSAGE = 20;
const LONGEST_MESSAGE = 300;
const KIND_OF_ERROR = /^(?:[\w.:\\]*(?:error|exception|warning|panic)\w*:\s+)+/;
/** How questions begin, and messages hardly ever. */
const ASKS = /^(?:how|what|where|which|who|why|when|does|do|is|are|can|find|show|explain)\b/;

/** A question that reads like a message as it was printed, in lower case, with single blanks; undefined where it is no sentence, or asks. */
export function messageOf({ text, isSymbol, report }: Question): string | undefined {
  if (isSymbol || report !== undefined || text.length > LONGEST_MESSAGE) return undefined;
  const plain = text
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .replace(KIND_OF_ERROR, '')
    .replace(/[\s.!?:]+$/, '');
  if (ASKS.test(plain)) return undefined;
  return plain.length >= SHORTEST_MESSAGE && plain.split(' ').length >= FEWEST_WORDS ? plain : undefined;
}

const GREETING =
  /^\s*(?:hi|hello|hey|good (?:morning|day|evening))\b(?: (?:there|all|everyone|folks|team))?[\s,!.:-]*/i;
const THANKS =
  /[\s,.!?-]*\b(?:many )?(?:thanks|thank you|thx|cheers)\b(?: a lot| so much| very much)?(?: in advance)?[\s!.]*$/i;
/** What is asked for stands behind them, or before them. */
const AROUND = [
  /\b(?:ok(?:ay)? )?(?:so |well )?basically\b,?/gi,
  /\b(?:please|kindly)\b,?/gi,
  /\b(?:can|could|would|will) (?:you|someone|anyone|anybody)\b/gi,
  /\b(?:help|show|tell|give|teach|let) (?:me|us)\b(?: (?:to )?(?:find|understand|see|know|locate)\b)?/gi,
  /\b(?:explain|describe)(?: (?:to )?(?:me|us))\b/gi,
  /\b(?:i|we)(?:'m|'re| am| are| was| were)? (?:just |also |currently )?(?:wondering|curious|trying|looking|hoping)\b(?: (?:to (?:find|understand|see|know|learn|figure)(?: out)?|for|into|about)\b)?/gi,
  /\b(?:i|we)(?:'d| would)? (?:just |really |also )?(?:need|want|like|have) to (?:find|understand|see|know|learn|figure)(?: out)?(?: it)?\b/gi,
  /\bwhat (?:i|we) (?:want|need|mean|am looking for)(?: to know)? is\b/gi,
  /\b(?:i|we)(?:'m| am|'re| are) new to (?:this|the) [a-z]+(?: and)?\b/gi,
  /\b(?:the|a) place where\b/gi,
  /\b(?:in|of|within|inside) (?:this|our|my|the) (?:code ?base|repo|repository|project|application|app)\b/gi,
  /\b(?:to|for) (?:me|us)\b/gi,
  /\bstep by step\b/gi,
  /\b(?:for (?:a while|some time|hours|days)|without (?:any )?(?:luck|success))\b/gi,
] as const;
const HAS_WORDS = /[\p{L}\p{N}_]{2,}[^\p{L}\p{N}_]+[\p{L}\p{N}_]{2,}/u;

/** A question without what people say around it: greetings, thanks, and that they want to know. As it is where nothing else would be left. */
export function withoutCourtesy(text: string): string {
  const ends = text.replace(GREETING, ' ').replace(THANKS, ' ');
  const rest = AROUND.reduce((left, said) => left.replaceAll(said, ' '), ends).replaceAll(/\s+/g, ' ');
  return HAS_WORDS.test(rest) ? rest.trim() : text;
}
