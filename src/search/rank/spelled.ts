/** The lines of code that spell a message as it was printed. */
import type { TextLines } from '../../text/index.ts';
import { literalsIn } from './literals.ts';

/** Of a message with values filled in, one literal is this share at least. */
const LEAST_SHARE = 0.5;

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
