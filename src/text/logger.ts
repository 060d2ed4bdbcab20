/** Turns log calls into lines: levels, one escaped and redacted line per record, as text or JSON. */
import {
  LOG_LEVELS,
  type Clock,
  type LogFields,
  type LogLevel,
  type LogValue,
  type Logger,
} from '../core/index.ts';
import { escapeControl } from './shown-text.ts';
import { HIDDEN, hideSecrets, isSecretName } from './hide-secrets.ts';

export interface LoggerOptions {
  readonly level: LogLevel;
  readonly format: 'text' | 'json';
  readonly clock: Clock;
  /** Takes one finished line without its line break. */
  readonly write: (line: string) => void;
}

export function createLogger(options: LoggerOptions, bound: LogFields = {}): Logger {
  const threshold = LOG_LEVELS.indexOf(options.level);
  const log = (level: LogLevel, message: string, fields: LogFields = {}): void => {
    if (LOG_LEVELS.indexOf(level) < threshold) return;
    options.write(renderRecord(options, level, message, { ...bound, ...fields }));
  };
  return {
    debug: (message, fields) => log('debug', message, fields),
    info: (message, fields) => log('info', message, fields),
    warn: (message, fields) => log('warn', message, fields),
    error: (message, fields) => log('error', message, fields),
    child: (fields) => createLogger(options, { ...bound, ...fields }),
  };
}

/** A logger that keeps nothing; for callers that want no log. */
export const silentLogger: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  child: () => silentLogger,
};

function renderRecord(options: LoggerOptions, level: LogLevel, message: string, fields: LogFields): string {
  const time = new Date(options.clock.now()).toISOString();
  const safe = Object.entries(fields)
    .filter((entry): entry is [string, Exclude<LogValue, undefined>] => entry[1] !== undefined)
    .map(([name, value]) => [name, safeValue(name, value)] as const);
  if (options.format === 'json') {
    return JSON.stringify({ time, level, message: clean(message), ...Object.fromEntries(safe) });
  }
  const pairs = safe.map(([name, value]) => ` ${name}=${quoteIfNeeded(value)}`).join('');
  return `${time} ${level} ${clean(message)}${pairs}`;
}

function safeValue(name: string, value: Exclude<LogValue, undefined>): Exclude<LogValue, undefined> {
  if (isSecretName(name)) return HIDDEN;
  return typeof value === 'string' ? clean(value) : value;
}

function clean(text: string): string {
  return escapeControl(hideSecrets(text));
}

function quoteIfNeeded(value: Exclude<LogValue, undefined>): string {
  if (typeof value !== 'string') return String(value);
  return value === '' || /[\s="]/.test(value) ? JSON.stringify(value) : value;
}
