/** Questions about a project that its own code answers: what the files that most others refer to say of themselves. */
import type { Definition } from '../../core/index.ts';
import { partsIn } from '../../text/index.ts';
import { pathFlags } from '../view/file-facts.ts';
import type { View } from '../view/view.ts';

const MOST_FILES = 20;
const MOST_QUESTIONS = 3;
const MOST_WORDS = 8;
const LEAST_WORDS = 3;
const SENTENCE_END = /[.;:!?](?:\s|$)|\s[(—–]/;
const NOT_ABOUT_CODE =
  /copyright|licen[cs]e|rights reserved|eslint|prettier|deprecated|\bTODO\b|generated|@\w/i;
const TELLING = new Set<Definition['kind']>([
  'class',
  'interface',
  'struct',
  'trait',
  'function',
  'method',
  'type',
]);

export interface FirstQuestion {
  readonly query: string;
  /** Where the definition is that says this of itself. */
  readonly path: string;
  readonly name: string;
}

/** The most telling first; none for a project without definitions. */
export async function firstQuestions(
  view: View,
  definitionsOf: (path: string) => Promise<readonly Definition[]>,
): Promise<readonly FirstQuestion[]> {
  const told: FirstQuestion[] = [];
  const named: FirstQuestion[] = [];
  for (const path of mostReferred(view)) {
    const definitions = (await definitionsOf(path)).filter(({ kind }) => TELLING.has(kind));
    for (const { doc, name } of definitions) {
      const words = toWords(doc ?? '');
      const parts = partsIn(name).map(({ word }) => word);
      if (words.length >= LEAST_WORDS) told.push({ query: words.join(' ').toLowerCase(), path, name });
      else if (parts.length > 1) named.push({ query: parts.join(' '), path, name });
    }
    if (told.length >= MOST_QUESTIONS) break;
  }
  return [...told, ...named].slice(0, MOST_QUESTIONS);
}

/** The first sentence, if it is one that a person would ask for: short, whole, and about code. */
function toWords(doc: string): readonly string[] {
  const [sentence = ''] = doc.trim().split(SENTENCE_END);
  if (NOT_ABOUT_CODE.test(sentence)) return [];
  const words = sentence.match(/[A-Za-z][A-Za-z'-]+/g) ?? [];
  return words.length > MOST_WORDS ? [] : words;
}

function mostReferred(view: View): string[] {
  const counts = new Uint32Array(view.fileCount);
  for (const { references } of view.segments)
    for (const target of references) counts[view.now(target)] = (counts[view.now(target)] ?? 0) + 1;
  return view.segments
    .flatMap(({ files, alive, firstFile }) =>
      files.flatMap(({ path }, local) => {
        const { test, example, vendored } = pathFlags(path, () => false);
        const isOwn = alive[local] === 1 && !test && !example && !vendored;
        return isOwn ? [{ path, count: counts[firstFile + local] ?? 0 }] : [];
      }),
    )
    .sort((a, b) => b.count - a.count || (a.path < b.path ? -1 : 1))
    .slice(0, MOST_FILES)
    .map(({ path }) => path);
}
