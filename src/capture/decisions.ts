/**
 * Sentences that state a choice, told by their form, in English and German: each form is evidence, and where a sentence stands counts
 * with it. The best of a session are kept.
 */
import { isOpen, openAmong } from './open-ends.ts';
import { isQuestion, type Sentence, sentencesOf } from './sentences.ts';

export interface Decision {
  readonly text: string;
  readonly score: number;
}

/**
 * `reason`: said right before something is edited. `closing`: what an agent says of what it has edited before a person has the word.
 * `commit`: below the first line of its message.
 */
export type Place = 'reason' | 'closing' | 'commit' | 'elsewhere';

const LEAST_SCORE = 2;

export function decisionsIn(text: string, place: Place = 'elsewhere'): readonly Decision[] {
  const sentences = sentencesOf(text);
  const isOpenHere = openAmong(sentences, place === 'closing' ? place : 'elsewhere');
  return sentences.flatMap((sentence, at) => {
    if (isQuestion(sentence.text)) return [];
    const score = scoreOf(sentence, place) + (isOpenHere(sentence) ? 0 : standing(sentences, at, place));
    return score < LEAST_SCORE ? [] : [{ text: sentence.text, score }];
  });
}

/** What a person says once the work goes on steers it, whatever its form; what only keeps it going does not. */
export function directionsIn(text: string): readonly Decision[] {
  if (text.length > MOST_DIRECTION_CHARS) return decisionsIn(text);
  return sentencesOf(text).flatMap((sentence) => {
    const { text: said } = sentence;
    const forms = Math.max(0, formsOf(said));
    const isShort = said.split(/\s+/).length < (forms > 0 ? LEAST_WORDS : USUAL_WORDS);
    return isQuestion(said) || CHATTER.test(said) || isShort
      ? []
      : [{ text: said, score: LEAST_SCORE + forms }];
  });
}

const MOST_DIRECTION_CHARS = 600;
const LEAST_WORDS = 3;
/** A shorter one is a command for the moment, unless its form says otherwise. */
const USUAL_WORDS = 4;
const CHATTER =
  /^(?:ok(?:ay)?|yes|no|thanks?|thank you|great|good|nice|fine|perfect|sure|continue|go (?:on|ahead)|keep going|looks? good|well done|hm+|hello|hi|hey|ja|nein|danke|gut|passt|super|weiter)\b[^.]{0,24}[.!]?$|\b(?:take a look|have a look|tell me|show me|explain|summari[sz]e|commit (?:it|this|that|and|all)|push (?:it|all)|run (?:it|the tests?))\b/i;

function scoreOf({ text, lead, isItem }: Sentence, place: Place): number {
  const forms = formsOf(text);
  const plain = text.replaceAll('*', '');
  let score = forms;
  if (!isItem && DOING.test(plain)) score += 1;
  if (DECISION_LEAD.test(lead)) score += 3;
  if (place === 'reason' && score > 0) score += 1;
  if (place === 'reason' && !PAST.test(plain) && HOLDS.test(plain)) score += 1;
  return score;
}

/** A closing begins with what was done, and goes on with how things are; the last words before an edit are what will be done. */
function standing(sentences: readonly Sentence[], at: number, place: Place): number {
  const { text = '', isItem = false } = sentences[at] ?? {};
  if (PAST.test(text.replaceAll('*', '')) || text.split(/\s+/).length < LEAST_WORDS) return 0;
  if (place === 'commit') return 2;
  if (place === 'closing') return at > 0 || isItem ? 2 : HOLDS.test(text) ? 1 : 0;
  return place === 'reason' && at === sentences.length - 1 && formsOf(text) > 0 ? 1 : 0;
}

/** What the words alone say for it, and against. */
function formsOf(text: string): number {
  const plain = text.replaceAll('*', '');
  const evidence = FORMS.reduce((sum, [weight, form]) => (form.test(plain) ? sum + weight : sum), 0);
  return isOpen(plain) ? evidence - 2 : evidence;
}

const DECISION_LEAD =
  /\b(?:decisions?|decided|chosen|rationale|behaviou?r|conventions?|ended up with|entscheidung(?:en)?|beschl(?:uss|üsse)|verhalten)\b/i;
/** What was done, as opposed to what holds. */
const PAST =
  /^(?:added|removed|fixed|created|updated|changed|wrote|moved|ran|implemented|done|committed|pushed|checked|verified|tested|installed)\b|\b(?:passed|passes|green|was|were)\b/i;
const HOLDS =
  /\b(?:is|are|gets?|goes|takes?|becomes?|has|have|can|means?|goes?|uses?|reads?|counts?|runs?|comes?|follows?|tr(?:y|ies)|retry|retries|stays?|carr(?:y|ies)|ist|sind|hat|haben|wird|werden|bekommt|läuft|gilt|gelten)\b/i;

/** `Moving them into the loader.` */
const DOING =
  /^(?!look|check|read|run|start|list|profil|investigat|trac|search|test|go|work|measur|verify|explor)[a-z]+ing\b/i;

const FORMS: readonly (readonly [weight: number, form: RegExp])[] = [
  // A choice, by name.
  [
    3,
    /\b(?:decided|decision|chose|chosen|agreed|settled on|opted|going with|go with|went with|ended up with|picked|stick(?:ing)? (?:with|to)|switch(?:ed|ing)? (?:from|over|to)|my call|(?:we|i) (?:can )?live with|entschieden|entscheidung|einigen uns)\b/i,
  ],
  // One and not the other.
  [
    2,
    /\b(?:instead|rather than|in place of|in favou?r of|over the alternative|trade-?off|as opposed to|ruled out|decided against|advise against|tried and|(?:was|were) considered|verworfen|wins over|prefer(?:red)?|statt(?:dessen)?|anstatt|anstelle|lieber|sondern)\b|,\s(?:and\s)?(?:not|never|nicht|kein)\s(?!yet|sure|done|tested|only|so\b)|\b(?:not|nicht)\b.{1,60}, (?:but|sondern)\b/i,
  ],
  // A rule.
  [
    2,
    /\b(?:never|always|must(?: not)?|only ever|from (?:now|here) on|no longer|by default|at most|everywhere|mandatory|forbidden|immer|nie(?:mals)?|nur noch|nicht mehr|ab (?:jetzt|sofort)|höchstens|standardmäßig|darf nicht|dürfen nicht)\b/i,
  ],
  [
    2,
    /\b(?:we|i|i'll|we'll|let's|let us|wir|ich)\s+(?:will |shall |should |now |only |always |never )*(?:use|keep|drop|avoid|prefer|leave|store|treat|reject|put|not use|never|nehmen?|lassen?|verwenden?)\b/i,
  ],
  [
    2,
    /^(?:please |bitte )?(?:always |never |do not |don'?t |from now on|use |keep |prefer |avoid |kein(?:e|en)? |nimm )/i,
  ],
  [
    2,
    /\b(?:must|should) (?:not |never |always |only )?(?:be|use|stay|go|live|have|keep)\b.{0,120}\b(?:because|since|so that|as)\b/i,
  ],
  [2, /\b(?:the (?:convention|rule|policy|plan|approach|default) (?:is|will be))\b/i],
  // What is left as it is.
  [
    2,
    /\b(?:stays?|remains?|kept|keeps?|keeping|untouched|unchanged|as (?:it )?is|as before|left (?:to|alone|out)|bleib(?:t|en)|weggelassen|unverändert)\b/i,
  ],
  // What is meant to be done.
  [
    1,
    /^(?:(?:so|then|ok|okay|right|good|fine|also|therefore|gut|dann)[,:]? )?(?:(?:i|we)(?:'ll|'m|'ve|'d| will| am| have| would| need| set| made| make| take| went)|ich|wir)\b/i,
  ],
  // Why.
  [
    1,
    /\b(?:because|since|so that|so (?:it|we|they|that|each|the)|otherwise|therefore|hence|weil|damit|sonst|deshalb|daher)\b/i,
  ],
  // All, once, only: how a rule speaks.
  [
    1,
    /\b(?:only|once|each|every|all|any|per|whole|exactly|single|means?|alle[sn]?|jede[rsn]?|pro|einmal|nur|over \w+, for)\b/i,
  ],
  // What it is worth.
  [
    1,
    /\b(?:enough|simpler|cheaper|safer|overkill|(?:not|isn't) worth|no need|not needed|suffices?|covers?|too (?:much|many|slow|complex)|considered|reicht|genügt|einfacher)\b/i,
  ],
  // How things are from then on.
  [
    1,
    /\b(?:is|are|be|becomes?|ist|sind|wird|werden) (?:now |always |never |an? )?(?:gone|optional|required|rejected|refused|ignored|dropped|deleted|removed|allowed|tolerated|excluded|pinned|renamed|disabled|enabled|turned|capped|limited|stored|derived|looked up|cached|sorted|ordered|partial|opaque|opak|error|skipped|retried|replaced|trusted|read|taken|counted|additive)\b|\b(?:goes away|moves? to)\b/i,
  ],
  [1, /^(?:no|kein(?:e|en)?|without|ohne) [a-zäöü]/i],
  [0.5, /`[^`]+`|\b\d+(?:[.,]\d+)?\s?(?:%|[a-zA-Z]+)\b/],
  // Looking, hoping and reporting.
  [
    -3,
    /^(?:(?:ok|okay|perfect|excellent|great|good|now|sure|next)[,!.:]* )?(?:let me|let's (?:see|look|check|run|start)|now (?:let|i'll)|looking|checking|done|finished|all (?:green|tests)|found|here(?:'s| is)|i can see|i see)\b/i,
  ],
  [
    -3,
    /\b(?:i'll|i will|i'm going to|ich|let me|need to)\s+(?:first |now |also |then |just |quickly |mir )*(?:look|check|read|run|see|trace|measure|profile|list|start|begin|investigate|search|find|scan|inspect|open|verify|test|reproduce|explore|examine|analy[sz]e|review|gather|continue|proceed|commit|push|help|get a|understand|schaue|messe|prüfe|lese|suche)\b/i,
  ],
  [
    -2,
    /\b(?:the (?:problem|issue|cause|reason|bug|failure)|root cause|turns out|i noticed|looks like|seems|probably|could be|might be|vermutlich|das problem|liegt daran)\b/i,
  ],
];
