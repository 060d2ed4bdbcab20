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
    /^\s*(?:important|attention|note to (?:the )?(?:ai|assistant|model|agent)|ai assistant|dear (?:ai|assistant|model))\b.{0,3}[:!]/im,
  ],
  [
    'instructions',
    /\b(?:as an ai|your (?:true|real|new) (?:task|goal|purpose|role)|act as|pretend (?:to be|you))\b/i,
  ],
  ['fake_roles', /^\s*(?:system|assistant|user|developer|human|tool)\s{0,3}:\s/im],
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

/** Whatever a text may hold, this much is looked at. */
const MOST_CHARS = 100_000;

export function flagText(...texts: readonly string[]): readonly TextFlag[] {
  const text = texts.join('\n').slice(0, MOST_CHARS);
  return [...new Set(SIGNS.filter(([, sign]) => sign.test(text)).map(([flag]) => flag))];
}
