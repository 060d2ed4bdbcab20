/** Where a command's words go: data on standard output, talk on standard error, both safe for a terminal. */
import { AppError } from '../core/index.ts';
import { escapeControl, escapeControlInJson } from '../text/index.ts';

export interface Sink {
  write(text: string): unknown;
  readonly isTTY?: boolean;
}

export interface Streams {
  readonly out: Sink;
  readonly err: Sink;
  /** Opened on first use: most commands do not read it. */
  readonly in?: () => NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** Resolves when the readers have taken everything, or have gone; rejects if it cannot be written (a full disk). */
  drained?(): Promise<void>;
}

interface OutputOptions {
  readonly json: boolean;
  readonly debug: boolean;
  /** Per stream: a pipe next to a terminal gets none. */
  readonly color: { readonly out: boolean; readonly err: boolean };
}

export interface Output {
  readonly json: boolean;
  /** Standard error is a terminal, and --json is off. */
  readonly live: boolean;
  /** For the answer. */
  readonly paint: Paint;
  /** Whether talk goes to a terminal, where a line can be drawn again. */
  readonly isTerminal: boolean;
  /** The answer to what was asked: text for people, or the value itself with --json. */
  answer(text: string, value: unknown): void;
  /** Raw lines on standard output, for commands whose output is a file (completion scripts). */
  raw(text: string): void;
  /** A line on standard error. */
  talk(text: string): void;
  /** Replaces the current line on a terminal; does nothing elsewhere. */
  redraw(line: string): void;
  /** With --json: something that happened on the way, as one line of JSON beside the answer. */
  event(name: string, value: Readonly<Record<string, unknown>>): void;
  fail(error: AppError): void;
}

export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
}

export function createOutput(streams: Streams, options: OutputOptions): Output {
  const paint = createPaint(options.color.err);
  return {
    json: options.json,
    live: streams.err.isTTY === true && !options.json,
    paint: createPaint(options.color.out),
    isTerminal: streams.err.isTTY === true,
    answer: (text, value) => void streams.out.write(options.json ? `${toJson(value, 2)}\n` : `${text}\n`),
    raw: (text) => void streams.out.write(text),
    talk: (text) => void streams.err.write(`${text}\n`),
    redraw(line) {
      if (this.live) streams.err.write(`\r\u001b[K${line}`);
    },
    event: (name, value) => void streams.err.write(`${toJson({ event: name, ...value })}\n`),
    fail(error) {
      if (options.json) {
        streams.err.write(`${toJson({ ok: false, error: renderErrorValue(error, options.debug) })}\n`);
        return;
      }
      streams.err.write(`${paint.red('error:')} ${escapeLines(error.message)}\n`);
      if (error.hint !== undefined) streams.err.write(`${paint.dim('hint:')} ${escapeLines(error.hint)}\n`);
      if (options.debug) streams.err.write(`${renderStack(error)}\n`);
    },
  };
}

function toJson(value: unknown, indent?: number): string {
  return escapeControlInJson(JSON.stringify(value, null, indent));
}

function renderErrorValue(error: AppError, debug: boolean): Record<string, unknown> {
  return {
    code: error.code,
    message: error.message,
    hint: error.hint,
    stack: debug ? renderStack(error) : undefined,
  };
}

function renderStack(error: AppError): string {
  const cause = error.cause instanceof Error ? `\ncaused by ${error.cause.stack ?? error.cause.message}` : '';
  return `${error.stack ?? ''}${cause}`.split('\n').map(escapeControl).join('\n');
}

function escapeLines(text: string): string {
  return text.split('\n').map(escapeControl).join('\n');
}

function createPaint(color: boolean): Paint {
  const wrap = (code: number) => (text: string) => (color ? `\u001b[${code}m${text}\u001b[0m` : text);
  return { bold: wrap(1), dim: wrap(2), red: wrap(31), green: wrap(32) };
}
