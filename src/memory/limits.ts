/** How much of each sort of text is kept. What is too long is refused with the figure, never cut in silence. */
import { AppError } from '../core/index.ts';

const KB = 1024;

/** In bytes of UTF-8. */
export const LIMITS = {
  name: 200,
  summary: 4 * KB,
  content: 256 * KB,
  error: 10 * KB,
  solution: 10 * KB,
  stack: 50 * KB,
  cause: 10 * KB,
  context: 10 * KB,
  when: 2 * KB,
  metadata: 16 * KB,
  tag: 64,
  query: 60 * KB,
} as const;

export const MOST_TAGS = 32;
export const MOST_FILES = 200;

export type LimitedText = keyof typeof LIMITS;

export function checkLimit(what: LimitedText, text: string): void {
  const sizeBytes = new TextEncoder().encode(text).length;
  if (sizeBytes <= LIMITS[what]) return;
  throw new AppError('bad_argument', `\`${what}\` has ${sizeBytes} bytes; ${LIMITS[what]} is the most.`, {
    hint: `Shorten \`${what}\` to what matters and call again.`,
  });
}

export function checkCount(what: 'tags' | 'files', count: number): void {
  const most = what === 'tags' ? MOST_TAGS : MOST_FILES;
  if (count <= most) return;
  throw new AppError('bad_argument', `There are ${count} ${what}; ${most} is the most.`, {
    hint: `Pass the ${most} ${what} that matter most.`,
  });
}

export function checkPresent(what: string, text: string): void {
  if (text.trim() !== '') return;
  throw new AppError('bad_argument', `\`${what}\` is empty.`, { hint: `Pass a text as \`${what}\`.` });
}
