/** Somebody else's word on its way into one of our messages: short, visible, and plainly a quotation. */
import { escapeControl } from './escape-control.ts';

const MOST_CHARS = 60;

export function quoteForeign(text: string): string {
  const short = text.length > MOST_CHARS ? `${text.slice(0, MOST_CHARS)}…` : text;
  return `\`${escapeControl(short).replaceAll('`', "'")}\``;
}
