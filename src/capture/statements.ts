/** Sentences of a conversation that decide something or leave something open, told by their form. */

export function decisionsIn(text: string): readonly string[] {
  return sentencesOf(text).filter(
    (sentence) => !isQuestion(sentence) && DECIDED.some((form) => form.test(sentence)),
  );
}

/** What a person says once the work goes on steers it, whatever its form; what only keeps it going does not. */
export function directionsIn(text: string): readonly string[] {
  if (text.length > MOST_DIRECTION_CHARS) return decisionsIn(text);
  return sentencesOf(text).filter(
    (sentence) =>
      !isQuestion(sentence) && !CHATTER.test(sentence) && sentence.split(/\s+/).length >= LEAST_WORDS,
  );
}

/** Sentences that say so themselves, and the items of a list below a line that does. */
export function openEndsIn(text: string): readonly string[] {
  const listed = new Set<string>();
  let isOpenList = false;
  for (const line of text.slice(0, MOST_READ_CHARS).split('\n')) {
    if (ITEM.test(line)) {
      if (isOpenList) for (const sentence of sentencesOf(line)) listed.add(sentence);
    } else if (line.trim() !== '') isOpenList = isLead(line) && OPEN.some((form) => form.test(line));
  }
  return sentencesOf(text).filter(
    (sentence) =>
      listed.has(sentence) ||
      (!isQuestion(sentence) && !isLead(sentence) && OPEN.some((form) => form.test(sentence))),
  );
}

const MOST_DIRECTION_CHARS = 600;
const LEAST_WORDS = 3;
const CHATTER =
  /^(?:ok(?:ay)?|yes|no|thanks?|thank you|great|good|nice|fine|perfect|sure|continue|go (?:on|ahead)|keep going|looks? good|well done|hm+|hello|hi)\b[^.]{0,40}[.!]?$|\b(?:take a look|have a look|tell me|show me|explain|summari[sz]e|commit (?:it|this|that)|run (?:it|the tests?))\b/i;
const ITEM = /^\s*(?:[-*+•]|\d{1,3}[.)]|\[[ x]\])\s+/i;

/** A heading, or a line that ends with a colon. */
function isLead(line: string): boolean {
  return /:\**\s*$/.test(line) || /^\s*#{1,6}\s/.test(line) || /^\s*\*\*[^*]+\*\*\s*$/.test(line);
}

const DECIDED: readonly RegExp[] = [
  /\b(?:decided|decision|chose|chosen|agreed|settled on|opted|going with|go with|went with|picked|stick(?:ing)? (?:with|to)|switch(?:ed|ing)? (?:from|over|to))\b/i,
  /\b(?:instead of|rather than|in favou?r of|over the alternative|trade-?off)\b/i,
  /\b(?:we|i|i'll|we'll|let's|let us)\s+(?:will |shall |should |now |only |always |never )*(?:use|keep|drop|avoid|prefer|leave|store|treat|reject|put|not use|never)\b/i,
  /^(?:please )?(?:always |never |do not |don't |from now on|use |keep |prefer |avoid )/i,
  /\b(?:must|should) (?:not |never |always |only )?(?:be|use|stay|go|live|have|keep)\b.{0,120}\b(?:because|since|so that|as)\b/i,
  /\b(?:never|always)\b|,\s(?:and\s)?not\s(?!yet|sure|done|tested|only)/i,
  /\b(?:the (?:convention|rule|policy|plan|approach|default) (?:is|will be))\b/i,
];

const OPEN: readonly RegExp[] = [
  /\b(?:todo|to do|fixme|follow[- ]?ups?|open(?: (?:question|point|end|issue)s?)?:|open (?:question|point|end|issue)s?|remaining|outstanding|left for later|not part of this)\b/i,
  /\b(?:next(?: step| up|,|:)|what(?:'s| is) (?:left|next)|left to do|still (?:needs?|have to|has to|to|missing|open|fails?|failing|red|broken|unclear|need)|remains?(?: to)?)\b/i,
  /\b(?:not (?:yet|done|implemented|covered|tested|handled|finished|wired)|hasn't been|haven't|have not|has not|isn't (?:done|covered|handled|tested|wired)|yet to)\b/i,
  /\b(?:needs? (?:to be|a|an|another|more)|will need|should (?:also|still|later)|later (?:we|i)|in a later|for later|another (?:day|session|time)|tomorrow)\b/i,
];

const LEAST_CHARS = 12;
const MOST_CHARS = 300;
const MOST_READ_CHARS = 20_000;
const FENCED = /^\s*(?:```|~~~)/;

function sentencesOf(text: string): readonly string[] {
  const sentences: string[] = [];
  let isCode = false;
  for (const line of text.slice(0, MOST_READ_CHARS).split('\n')) {
    if (FENCED.test(line)) isCode = !isCode;
    if (isCode || FENCED.test(line)) continue;
    const bare = line.replace(/^\s*(?:[-*+•]|\d{1,3}[.)]|#{1,6}|>|\[[ x]\])\s+/i, '').trim();
    sentences.push(...bare.split(/(?<=[.!?;])\s+(?=[A-Z`"'(\d])/).map((sentence) => sentence.trim()));
  }
  return sentences
    .filter((sentence) => sentence.length >= LEAST_CHARS)
    .map((sentence) => (sentence.length > MOST_CHARS ? `${sentence.slice(0, MOST_CHARS - 1)}…` : sentence));
}

function isQuestion(sentence: string): boolean {
  return /\?["')\]]?$/.test(sentence);
}
