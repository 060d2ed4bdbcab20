/** Sentences that leave something open, told by their form, in English and German. */
import { isQuestion, type Sentence, sentencesOf } from './sentences.ts';

/** Sentences that say so themselves, those below a line that does, and of a closing what its end says is missing. */
export function openEndsIn(text: string, place: 'closing' | 'elsewhere' = 'elsewhere'): readonly string[] {
  const sentences = sentencesOf(text);
  const isOpenHere = openAmong(sentences, place);
  return sentences.filter(isOpenHere).map((sentence) => sentence.text);
}

/** An agent ends with what it leaves: there, less evidence is enough, and so it is beside what is open for certain. */
export function openAmong(
  sentences: readonly Sentence[],
  place: 'closing' | 'elsewhere',
): (sentence: Sentence) => boolean {
  const certain = new Set(sentences.filter(isCertain));
  if (place === 'elsewhere') return (sentence) => certain.has(sentence);
  const parts = new Set([...certain].map(({ part }) => part));
  const last = sentences.findLast(({ text }) => !OFFER.test(text))?.part ?? 0;
  if (last > 0) parts.add(last);
  return (sentence) =>
    certain.has(sentence) ||
    (parts.has(sentence.part) && !OFFER.test(sentence.text) && isLacking(sentence.text));
}

function isCertain({ text, lead, isItem, isUnticked }: Sentence): boolean {
  return (
    isUnticked || (isOpenLead(lead) && (isItem || /^\s*#/.test(lead))) || (!isQuestion(text) && isOpen(text))
  );
}

function isOpenLead(lead: string): boolean {
  return isOpen(lead) || OPEN_LEAD.test(lead);
}

export function isOpen(text: string): boolean {
  return OPEN.some((form) => form.test(text));
}

function isLacking(text: string): boolean {
  return isQuestion(text) || LACKING.some((form) => form.test(text));
}

const OPEN_LEAD =
  /\b(?:risks?|limitations?|limits|caveats?|known (?:issues?|gaps?|problems?)|gaps?|heads[- ]up|watch out|bekannte probleme|einschränkungen|risiken)\b/i;
const OFFER =
  /^(?:let me know|tell me|just say|say the word|happy to|feel free|shall i|should i|would you like|do you want me|want me to|anything else|sag (?:mir )?(?:bescheid|einfach)|soll ich)\b/i;

/** What is not there, not right, as it was, or for another to do. */
const LACKING: readonly RegExp[] = [
  /\b(?:no|not|never|none|nothing|nobody|without|cannot|only|kein(?:e[nmrs]?)?|nicht|nie|ohne|niemand|nur)\b|n't\b/i,
  /\b(?:still|as before|unchanged|legacy|old|(?:its|their) own|same|also|as well|too|elsewhere|so far|today|currently|right now|weiterhin|noch|auch|bisher|derzeit|alte[nrs]?)\b/i,
  /\b(?:fail(?:s|ed|ing)?|flaky|crash(?:es)?|wrong|incorrect|outdated|stale|broken|breaks?|garbled|duplicates?|slow(?:er)?|grow(?:s|ing)?|leaks?|bypass(?:es)?|ignores?|locks?|los(?:es?|t)|lacks?|limitations?|unlimited|unbounded|delay(?:s|ed)?|refuses?|warn(?:s|ing)?|careful|risk(?:y|s)?|falsch|veraltet|langsam|kaputt)\b/i,
  /\b(?:should|must|ought|(?:has|have|needs?) to|needs?|please|until|unless|once|someone|somebody|ask|check with|verify|confirm|depends on|waits? for|sollten?|müsste[nr]?|muss|müssen|bitte|jemand|sobald)\b/i,
  /\b(?:next|later|follow[- ]?up|obvious|further|improve(?:ment|ments)?|migrate|upgrade|bump|release|worth|would be|could be|i'd|später|danach|als nächstes)\b/i,
];

const OPEN: readonly RegExp[] = [
  /\b(?:todo|to do|fixme|follow[- ]?ups?|loose ends?|backlog|out of scope|open (?:question|point|end|issue)s?|remaining|outstanding|left for (?:later|another)|not part of this)\b|\b(?:open|left):/i,
  /\bnext[,:]|\b(?:next(?: steps?| up)|what(?:'s| is) (?:left|next)|left to do|remains?(?: to)?)\b|\bstill (?!green|pass(?:es)?\b|works?\b|holds?\b|fine\b|sure\b)\w/i,
  /\bnot (?:yet|done|implemented|covered|tested|tried|handled|finished|wired|verified|proven)\b|\b(?:untested|unverified|unresolved|yet to)\b/i,
  /\b(?:have|has|is|was|were|did|could|can|does)(?:n't| not)(?: yet| really| actually)? (?:been|touch|touched|look|looked|test|tested|try|tried|cover|covered|handle|handled|done|wired|verify|verified|check|checked|migrate|migrated|resolve|resolved|reproduce|record|prove|proven|get to)/i,
  /\b(?:haven't|have not|hasn't been)\b|\bnot\b.{1,40}\byet\b|n't\b.{1,40}\byet\b/i,
  /\b(?:is|are)(?:n't| not) (?:(?!changed|touched|affected|needed|allowed|dropped|trusted)\w+ed|part of|shared|there|done)\b|\bmissing\b|\bleft open\b|\bto be (?:investigated|decided|done|checked|confirmed)\b|\bthere (?:is|are) no\b|\b(?:not|n't|un)\s?able to\b/i,
  /\bneeds? (?:to|a|an|the|another|more|its|their|your|some)\b|\bwill need\b|\b(?:has|have) to (?:be|get)\b|\b(?:someone|somebody) (?:from|has|should|needs|must)\b/i,
  /\bshould (?:also|still|later|probably)\b|\byou (?:may|might|will|probably) want to\b|\bworth (?:asking|having|checking|looking|a look|doing|adding|considering)\b/i,
  /\b(?:later (?:we|i)|in a later|for later|another (?:day|session|time)|tomorrow|at the moment|for the time being)\b/i,
  /\boffen(?:e punkte)?:|\b(?:offen (?:ist|sind|bleibt|bleiben)|noch (?:zu tun|offen|nicht|keine?n?)|fehlt|fehlen|steh(?:t|en) (?:noch )?aus|brauch(?:t|en) noch|muss noch|müssen noch|jemand muss|später|beim nächsten mal|nächste schritte|demnächst)\b/i,
];
