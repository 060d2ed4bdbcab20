/** What a person chose when an agent asked: the option that the answer names, or the proposal that it agrees to. */
import type { Decision } from './decisions.ts';
import { isQuestion, sentencesOf } from './sentences.ts';

const SCORE = 4;
const MOST_ANSWER_CHARS = 160;
const MOST_ASKED_CHARS = 4_000;
const OPTION = /^[ \t]*(?:[-*]\s+)?\**\(?(?:option\s+)?([a-h]|[1-9])[).:]\**\s+(.{3,300})$/gim;
const NAMED =
  /^(?:(?:ja|yes|ok(?:ay)?|nimm|take|let's do|do|go with|i'd say)[,:]?\s+)?(?:option|variant|variante|number|nummer|nr\.?|the|die|den|das)?\s*\(?([a-h]|[1-9])\)?(?=$|[\s,.;:!)])/i;
const ORDINALS: readonly RegExp[] = [
  /\b(?:first|former|erste[rns]?)\b/i,
  /\b(?:second|latter|zweite[rns]?)\b/i,
  /\b(?:third|dritte[rns]?)\b/i,
];
const AGREES =
  /^(?:yes|yep|yeah|ja|jep|ok(?:ay)?|sure|fine|agreed|sounds good|go (?:for it|ahead)|do it|do that|let'?s do|love it|true|right|makes sense|good (?:idea|point)|please do|no,? go for it|no objections?|mach das|passt|einverstanden|gerne|stimmt|genau|klar)\b/i;
const PROPOSES =
  /\b(?:i(?:'d| would)|i (?:suggest|propose|recommend)|we could|my (?:suggestion|proposal)|i think (?:we|the)|i'd advise|the (?:best|cleanest|simplest|easiest) (?:is|way|option)|vorschlag|ich würde|ich schlage)\b/i;

/** `asked` is what the agent said right before. */
export function answerIn(asked: string, answer: string): Decision | undefined {
  if (answer.length > MOST_ANSWER_CHARS) return undefined;
  const chosen = optionOf(asked, answer) ?? agreedTo(asked, answer);
  if (chosen === undefined) return undefined;
  const rest = answer.split(/\s+/).length > 3 ? ` (${answer.replaceAll(/\s+/g, ' ')})` : '';
  return { text: `${chosen}${rest}`, score: SCORE };
}

function optionOf(asked: string, answer: string): string | undefined {
  const options = [...asked.slice(-MOST_ASKED_CHARS).matchAll(OPTION)]
    .map(([, label = '', text = '']) => ({ label: label.toLowerCase(), text: text.trim() }))
    .filter(({ text }) => !isQuestion(text));
  if (options.length < 2) return undefined;
  const label = NAMED.exec(answer.trim())?.[1]?.toLowerCase();
  const at = ORDINALS.findIndex((form) => form.test(answer));
  return options.find((option) => option.label === label)?.text ?? options[at]?.text;
}

/** What is proposed in so many words, or else what is asked about. */
function agreedTo(asked: string, answer: string): string | undefined {
  if (!AGREES.test(answer.trim())) return undefined;
  const sentences = sentencesOf(asked).map(({ text }) => text);
  const proposal = sentences.findLast((sentence) => !isQuestion(sentence) && PROPOSES.test(sentence));
  if (proposal !== undefined) return proposal;
  const question = sentences.at(-1);
  return question !== undefined && /^(?:shall|should|soll)\b/i.test(question) && isQuestion(question)
    ? question
    : undefined;
}
