/** A question without what people say around it: greetings, thanks, and that they want to know. Pure. */

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

/** As it is where nothing else would be left. */
export function withoutCourtesy(text: string): string {
  const ends = text.replace(GREETING, ' ').replace(THANKS, ' ');
  const rest = AROUND.reduce((left, said) => left.replaceAll(said, ' '), ends).replaceAll(/\s+/g, ' ');
  return HAS_WORDS.test(rest) ? rest.trim() : text;
}
