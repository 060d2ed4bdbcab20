/** A message that was asked for as it was printed: the files whose code spells it. */
import type { TextLines } from '../../text/index.ts';
import type { Question } from '../query/question.ts';
import { literalsIn } from './literals.ts';

const FEWEST_WORDS = 4;
const SHORTEST = 20;
const LONGEST = 300;
const KIND_OF_ERROR = /^(?:[\w.:\\]*(?:error|exception|warning|panic)\w*:\s+)+/;
/** Of a message with values filled in, one literal is this share at least. */
const LEAST_SHARE = 0.6;

/** In lower case, with single blanks; undefined where the question is no sentence. */
export function messageOf({ text, isSymbol, report }: Question): string | undefined {
  if (isSymbol || report !== undefined || text.length > LONGEST) return undefined;
  const plain = text
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .replace(KIND_OF_ERROR, '')
    .replace(/[\s.!?:]+$/, '');
  return plain.length >= SHORTEST && plain.split(' ').length >= FEWEST_WORDS ? plain : undefined;
}

/** From 1. */
export function linesSpelling(lines: TextLines, message: string): readonly number[] {
  const found: number[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines.at(at);
    const isWhole = line.toLowerCase().replaceAll(/\s+/g, ' ').includes(message);
    if (isWhole || literalsIn(line, message).some((one) => one.length >= LEAST_SHARE * message.length))
      found.push(at + 1);
  }
  return found;
}
