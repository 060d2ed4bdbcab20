/** Sentences that leave something open, told by their form, in English and German. */
import { isQuestion, sentencesOf } from './sentences.ts';

/** Sentences that say so themselves, and those below a line that does. */
export function openEndsIn(text: string): readonly string[] {
  return sentencesOf(text)
    .filter(
      ({ text: sentence, lead, isItem }) =>
        (isItem && isOpen(lead)) || (!isQuestion(sentence) && isOpen(sentence)),
    )
    .map((sentence) => sentence.text);
}

export function isOpen(text: string): boolean {
  return OPEN.some((form) => form.test(text));
}

const OPEN: readonly RegExp[] = [
  /\b(?:todo|to do|fixme|follow[- ]?ups?|loose ends?|backlog|out of scope|open(?: (?:question|point|end|issue)s?)?:|open (?:question|point|end|issue)s?|remaining|outstanding|left for (?:later|another)|not part of this)\b/i,
  /\b(?:next(?: step| up|,|:)|what(?:'s| is) (?:left|next)|left to do|remains?(?: to)?)\b|\bstill (?!green|pass(?:es)?\b|works?\b|holds?\b|fine\b|sure\b)\w/i,
  /\bnot (?:yet|done|implemented|covered|tested|tried|handled|finished|wired|verified|proven)\b|\b(?:untested|unverified|unresolved|yet to)\b/i,
  /\b(?:have|has|is|was|were|did|could|can|does)(?:n't| not)(?: yet| really| actually)? (?:been|touch|touched|look|looked|test|tested|try|tried|cover|covered|handle|handled|done|wired|verify|verified|check|checked|migrate|migrated|resolve|resolved|reproduce|record|prove|proven|get to)/i,
  /\b(?:haven't|have not|hasn't been)\b|\bnot\b.{1,40}\byet\b|n't\b.{1,40}\byet\b/i,
  /\b(?:is|are)(?:n't| not) (?:(?!changed|touched|affected|needed|allowed|dropped|trusted)\w+ed|part of|shared|there|done)\b|\bmissing\b|\bleft open\b|\bto be (?:investigated|decided|done|checked|confirmed)\b|\bthere (?:is|are) no\b/i,
  /\bneeds? (?:to|a|an|the|another|more|its|their|your|some)\b|\bwill need\b|\b(?:has|have) to (?:be|get)\b|\b(?:someone|somebody) (?:from|has|should|needs|must)\b/i,
  /\bshould (?:also|still|later|probably)\b|\byou (?:may|might|will|probably) want to\b|\bworth (?:asking|having|checking|looking|a look|doing|adding|considering)\b/i,
  /\b(?:later (?:we|i)|in a later|for later|another (?:day|session|time)|tomorrow|at the moment|for the time being)\b/i,
  /\b(?:offen(?:e punkte)?:|offen (?:ist|sind|bleibt|bleiben)|noch (?:zu tun|offen|nicht|keine?n?)|fehlt|fehlen|steh(?:t|en) (?:noch )?aus|brauch(?:t|en) noch|muss noch|müssen noch|jemand muss|später|beim nächsten mal|nächste schritte|demnächst)\b/i,
];
