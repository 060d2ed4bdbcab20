/** No answer is longer than a conversation can take: what is over is cut, and the answer says so. Pure. */
import type { ToolAnswer } from './define-tool.ts';

export const MOST_ANSWER_CHARS = 45_000;
const NOTE_CHARS = 200;

/** For every tool; those with a budget of their own never come near it. */
export function fitAnswer(answer: ToolAnswer): ToolAnswer {
  const text = fitText(answer.text);
  const structured = fitValue(answer.structured);
  return text === answer.text && structured === answer.structured ? answer : { ...answer, text, structured };
}

function fitText(text: string): string {
  if (text.length <= MOST_ANSWER_CHARS) return text;
  const end = text.lastIndexOf('\n', MOST_ANSWER_CHARS - NOTE_CHARS);
  // A line that long has no better place to be cut at; half a surrogate pair is none.
  const kept = text
    .slice(0, end > MOST_ANSWER_CHARS / 2 ? end : MOST_ANSWER_CHARS - NOTE_CHARS)
    .replace(/[\ud800-\udbff]$/, '');
  return `${kept}\n… ${text.length - kept.length} characters were left out: ask for less at a time, with a limit, a filter or a range.`;
}

type Value = Readonly<Record<string, unknown>>;

/** Its longest list or text is halved until all fits: what is left keeps its shape. */
function fitValue(value: Value): Value {
  let fitting = value;
  let size = JSON.stringify(fitting).length;
  while (size > MOST_ANSWER_CHARS - NOTE_CHARS) {
    fitting = halveLongest(fitting);
    const smaller = JSON.stringify(fitting).length;
    // Nothing left that could be shortened: many small fields, which no tool has.
    if (smaller >= size) break;
    size = smaller;
  }
  return fitting === value ? value : { ...fitting, left_out: 'what is too long for one answer was cut' };
}

function halveLongest(value: Value): Value {
  const sizes = Object.entries(value).map(([key, part]) => ({
    key,
    part,
    size: JSON.stringify(part)?.length ?? 0,
  }));
  const longest = sizes.toSorted((a, b) => b.size - a.size)[0];
  return longest === undefined ? value : { ...value, [longest.key]: halve(longest.part) };
}

function halve(part: unknown): unknown {
  if (typeof part === 'string')
    return part.slice(0, Math.floor(part.length / 2)).replace(/[\ud800-\udbff]$/, '');
  if (Array.isArray(part))
    return part.length > 1 ? part.slice(0, Math.ceil(part.length / 2)) : part.map(halve);
  // What is neither text nor list is an object here; numbers are never the longest.
  return typeof part === 'object' && part !== null ? halveLongest({ ...part }) : part;
}
