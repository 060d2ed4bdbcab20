/** Numbers, times and names as people read them. Pure, but for the clock. */

const WHOLE = new Intl.NumberFormat('en');
const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const CLOCK = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const DAY = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });
const MOMENT = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' });
const MINUTE = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' });

export const whole = (value: number): string => WHOLE.format(value);
export const compact = (value: number): string => COMPACT.format(value);
export const clockTime = (at: number): string => CLOCK.format(at);
export const minuteTime = (at: number): string => MINUTE.format(at);
export const day = (at: number): string => DAY.format(at);
export const moment = (at: number): string => MOMENT.format(at);

export function count(value: number, one: string, many = `${one}s`): string {
  return `${whole(value)} ${value === 1 ? one : many}`;
}

export function bytes(value: number): string {
  if (value < 1_000) return `${value} B`;
  const units = ['KB', 'MB', 'GB', 'TB'];
  const step = Math.min(units.length, Math.floor(Math.log10(value) / 3));
  const scaled = value / 1_000 ** step;
  return `${scaled < 10 ? scaled.toFixed(1) : Math.round(scaled)} ${units[step - 1] ?? 'B'}`;
}

export function milliseconds(value: number): string {
  if (value < 10) return `${Number(value.toFixed(1))} ms`;
  return value < 1_000 ? `${Math.round(value)} ms` : `${Number((value / 1_000).toFixed(1))} s`;
}

/** What is not all is never said to be 100 %, and what is something never 0 %. */
export function percent(share: number): string {
  const value = share * 100;
  if (value <= 0 || value >= 100) return value <= 0 ? '0 %' : '100 %';
  if (value < 10) return `${Math.max(0.1, Number(value.toFixed(1)))} %`;
  return value < 99 ? `${Math.round(value)} %` : `${Math.min(99.9, Math.floor(value * 10) / 10)} %`;
}

export function ago(at: number): string {
  const seconds = Math.max(0, (Date.now() - at) / 1_000);
  if (seconds < 60) return 'just now';
  if (seconds < 3_600) return `${count(Math.floor(seconds / 60), 'minute')} ago`;
  if (seconds < 86_400) return `${count(Math.floor(seconds / 3_600), 'hour')} ago`;
  return seconds < 30 * 86_400 ? `${count(Math.floor(seconds / 86_400), 'day')} ago` : day(at);
}

export function baseName(path: string): string {
  return path.replace(/\/$/, '').split('/').at(-1) ?? path;
}

/** Words for people: `left_out` and `leftOut` become `left out`. */
export function words(name: string): string {
  return name
    .replaceAll('_', ' ')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
}

/** A kind of entry, as people and the terminal call it. */
export function kindWord(kind: string, size = 1): string {
  if (kind === 'remediation') return size === 1 ? 'fix' : 'fixes';
  return size === 1 ? words(kind) : `${words(kind)}s`;
}
