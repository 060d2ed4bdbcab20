/** A message that was asked for as it was printed: the files whose code spells it. */
import type { TextLines } from '../../text/index.ts';
import type { Question } from '../query/question.ts';
import { literalsIn } from './literals.ts';

const FEWEST_WORDS = 4;
const SHORTEST = 20;
const LONGEST = 300;
const KIND_OF_ERROR = /^(?:[\w.:\\]*(?:error|exception|warning|panic)\w*:\s+)+/;
/** Of a message with values filled in, one literal is this share at least. */
const LEAST_SHARE = 0.5;

/** How questions begin, and messages hardly ever. */
const QUESTION = /^(?:how|what|where|which|who|why|when|does|do|is|are|can|find|show|explain)\b/;

/** In lower case, with single blanks; undefined where the question is no sentence, or asks. */
export function messageOf({ text, isSymbol, report }: Question): string | undefined {
  if (isSymbol || report !== undefined || text.length > LONGEST) return undefined;
  const plain = text
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .replace(KIND_OF_ERROR, '')
    .replace(/[\s.!?:]+$/, '');
  if (QUESTION.test(plain)) return undefined;
  return plain.length >= SHORTEST && plain.split(' ').length >= FEWEST_WORDS ? plain : undefined;
}

/** A number, a path or a quoted value may have been filled in. */
export const hasValues = (message: string): boolean => /[\d"'`/\\<>=]/.test(message);

/** From 1. */
export function linesSpelling(lines: TextLines, message: string): readonly number[] {
  const isThere = lines.piece(0, lines.length).toLowerCase().includes(message);
  if (!isThere && !hasValues(message)) return [];
  const found: number[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines.at(at);
    if (
      isThere
        ? line.toLowerCase().includes(message)
        : literalsIn(line, message).some((one) => one.length >= LEAST_SHARE * message.length)
    )
      found.push(at + 1);
  }
  return found;
}
