/** Times as people read them: how long ago, and dates of their own time zone. Pure. */
import { countOf } from '../../text/index.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Older times are easier to place by their date. */
const MOST_DAYS = 14;

/** `just now`, `5 min ago`, `2 h ago`, `3 days ago`, then the date. */
export function renderAgo(at: number, now: number): string {
  const past = now - at;
  if (past < MINUTE) return 'just now';
  if (past < HOUR) return `${Math.floor(past / MINUTE)} min ago`;
  if (past < DAY) return `${Math.floor(past / HOUR)} h ago`;
  const days = Math.floor(past / DAY);
  return days <= MOST_DAYS ? `${countOf(days, 'day')} ago` : renderDate(at);
}

/** `2026-11-18` in the local time zone. */
export function renderDate(at: number): string {
  const time = new Date(at);
  return [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-');
}

/** `2026-11-18 20:04` in the local time zone. */
export function renderTime(at: number): string {
  const time = new Date(at);
  return `${renderDate(at)} ${two(time.getHours())}:${two(time.getMinutes())}`;
}

/** Relative on a terminal, where it is read now; the time itself in a pipe or a file, where it is read later. */
export function renderWhen(at: number, now: number, isTerminal: boolean): string {
  return isTerminal ? renderAgo(at, now) : renderTime(at);
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
