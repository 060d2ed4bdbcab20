/** The sentences of a message, without code, tables and what merely makes it look nice. */

export interface Sentence {
  readonly text: string;
  /** The heading, or the line with a colon, that it stands below; empty if there is none. */
  readonly lead: string;
  readonly isItem: boolean;
  /** `- [ ] the docs` */
  readonly isUnticked: boolean;
  /** Which paragraph or list of the message it belongs to, from 0. */
  readonly part: number;
}

const LEAST_CHARS = 12;
const MOST_CHARS = 300;
const MOST_READ_CHARS = 20_000;
const FENCED = /^\s*(?:```|~~~)/;
const DRAWN = /^\s*(?:\||[─━│┌└├╔╚═*_-]{3,}|`?★)/;
const ITEM = /^\s*(?:[-*+•]|\d{1,3}[.)]|\(?[a-h][.)]|\[[ x]\])\s+/i;
const UNTICKED = /^\s*(?:[-*+•]\s+)?\[ \]\s/;
const MARK = /^\s*(?:(?:[-*+•]|\d{1,3}[.)]|#{1,6}|>)\s+)?(?:\[[ x]\]\s+)?/i;
/** After the end of a sentence; a point after these ends none. */
const BETWEEN =
  /(?<=[.!?][")\]]?)(?<!\b(?:e\.g|i\.e|etc|vs|z\.B|d\.h|u\.a|bzw|ca|approx|Nr|No|Fig|resp)\.)\s+(?=\S)|(?<=;)\s+(?=[A-Z`"'(\d])/;

export function sentencesOf(text: string): readonly Sentence[] {
  const sentences: Sentence[] = [];
  let isCode = false;
  let lead = '';
  let part = 0;
  for (const line of text.slice(0, MOST_READ_CHARS).split('\n')) {
    if (line.trim() === '') part += 1;
    if (FENCED.test(line)) isCode = !isCode;
    if (isCode || FENCED.test(line) || DRAWN.test(line) || line.trim() === '') continue;
    if (isLead(line)) {
      lead = line;
      continue;
    }
    const isItem = ITEM.test(line);
    const isUnticked = UNTICKED.test(line);
    if (!isItem && !isHeading(lead)) lead = '';
    const bare = line.replace(MARK, '').trim();
    for (const sentence of bare.split(BETWEEN)) {
      const plain = sentence.trim();
      if (plain.length >= LEAST_CHARS && /\s/.test(plain))
        sentences.push({ text: cut(plain), lead, isItem, isUnticked, part });
    }
  }
  return sentences;
}

/** A line with a colon speaks of the items below it, a heading of all until the next. */
function isHeading(lead: string): boolean {
  return /^\s*#/.test(lead);
}

/** A heading, or a line that ends with a colon. */
function isLead(line: string): boolean {
  return /:\**\s*$/.test(line) || /^\s*#{1,6}\s/.test(line) || /^\s*\*\*[^*]+\*\*\s*$/.test(line);
}

/** With its mark, or by its first word, as people type. */
export function isQuestion(sentence: string): boolean {
  return /\?["')\]*]*$/.test(sentence) || ASKS.test(sentence);
}

const ASKS =
  /^(?:(?:can|could|would|will) (?:you|we|i)|how (?:do|does|can|to|many|much|is|are)|what (?:is|are|does|do|about)|why (?:is|are|do|does|did)|is (?:it|this|that|there)|are (?:you|there|we)|do (?:you|we|i) |does (?:it|this)|where (?:is|are)|kannst du|könntest du|wie (?:viel|ist|kann)|warum|wo (?:ist|sind))\b/i;

function cut(text: string): string {
  return text.length > MOST_CHARS ? `${text.slice(0, MOST_CHARS - 1)}…` : text;
}
