/** The same question as other people would ask it, made by rules: the same question is always rewritten the same way. */

export const REWRITES = ['typos', 'padding', 'paraphrase'] as const;
export type Rewrite = (typeof REWRITES)[number];

/** Undefined for the name of something, which is not asked in a sentence. */
export function rewrite(query: string, how: Rewrite): string | undefined {
  if (!/\s/.test(query.trim())) return undefined;
  return MAKERS[how](query.trim());
}

const MAKERS: Readonly<Record<Rewrite, (query: string) => string>> = {
  typos: withTypos,
  padding: (query) => choose(PADDINGS, query).replace('…', query.replace(/[?.!\s]+$/, '')),
  paraphrase: (query) =>
    query.replaceAll(/[A-Za-z]+/g, (word) => {
      const other = SYNONYMS.get(word.toLowerCase());
      return other === undefined ? word : other;
    }),
};

const TYPOS = 2;
const SHORTEST = 5;

/** One letter slips in each of the two longest words, of equal ones the first. */
function withTypos(query: string): string {
  const words = [...query.matchAll(/[A-Za-z]+/g)]
    .filter(([word]) => word.length >= SHORTEST)
    .sort(([a], [b]) => b.length - a.length)
    .slice(0, TYPOS)
    .sort((a, b) => b.index - a.index);
  return words.reduce(
    (text, { 0: word, index }) => text.slice(0, index) + slip(word) + text.slice(index + word.length),
    query,
  );
}

/** Two letters swapped, one left out, one twice, or one in place of its neighbour on the keyboard. */
function slip(word: string): string {
  const seed = hash(word);
  const at = 1 + (seed % (word.length - 2));
  const [before, letter, behind] = [word.slice(0, at), word.charAt(at), word.slice(at + 1)];
  switch ((seed >>> 8) % 4) {
    case 0:
      return before + behind.charAt(0) + letter + behind.slice(1);
    case 1:
      return before + behind;
    case 2:
      return before + letter + letter + behind;
    default:
      return before + neighbourOf(letter.toLowerCase()) + behind;
  }
}

const KEYS = 'qwertyuiopasdfghjklzxcvbnmn';
const neighbourOf = (letter: string): string => KEYS.charAt(KEYS.indexOf(letter) + 1);

const PADDINGS = [
  'Hi! Could you please help me find the place where … ? Thanks a lot in advance.',
  "I'm new to this codebase and I was wondering: …? I would really like to understand it before I change anything.",
  'We are looking into a problem at work. Can you show me … please',
  'Hello there, I need to know … in this project, and which file I have to open first',
  'ok so basically what I want is … and I have already searched for a while without any luck',
  'Please explain … to me, step by step, and tell me where I should look for it in the repository.',
] as const;

const SYNONYMS = new Map(
  Object.entries({
    handle: 'deal with',
    handles: 'deals with',
    handling: 'dealing with',
    create: 'make',
    creates: 'makes',
    creating: 'making',
    creation: 'making',
    remove: 'delete',
    removes: 'deletes',
    removing: 'deleting',
    delete: 'remove',
    convert: 'transform',
    converts: 'transforms',
    converting: 'transforming',
    conversion: 'transformation',
    check: 'verify',
    checks: 'verifies',
    checking: 'verifying',
    validate: 'verify',
    validation: 'verification',
    retrieve: 'fetch',
    get: 'obtain',
    error: 'failure',
    errors: 'failures',
    function: 'routine',
    functions: 'routines',
    method: 'routine',
    methods: 'routines',
    start: 'begin',
    starts: 'begins',
    stop: 'end',
    build: 'construct',
    builds: 'constructs',
    building: 'constructing',
    list: 'sequence',
    argument: 'parameter',
    arguments: 'parameters',
    parameter: 'argument',
    parameters: 'arguments',
    option: 'setting',
    options: 'settings',
    configuration: 'settings',
    send: 'transmit',
    sending: 'transmitting',
    store: 'keep',
    stores: 'keeps',
    register: 'sign up',
    registration: 'signing up',
    manage: 'look after',
    manages: 'looks after',
    management: 'care',
    define: 'declare',
    defines: 'declares',
    definition: 'declaration',
    support: 'allow',
    implement: 'realize',
    implementation: 'realization',
    execute: 'run',
    execution: 'running',
    directory: 'folder',
    dispatch: 'hand out',
    merge: 'combine',
    merging: 'combining',
    combine: 'merge',
    read: 'load',
    reading: 'loading',
    write: 'output',
    writing: 'outputting',
    logic: 'code',
    mechanism: 'way',
  }),
);

function choose<T>(list: readonly T[], query: string): T {
  const one = list[hash(query) % list.length];
  if (one === undefined) throw new RangeError('Nothing to choose from.');
  return one;
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const letter of text) value = Math.imul(value ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return value >>> 0;
}
