/** Where a command's words go: data on standard output, talk on standard error, both safe for a terminal. */
import { AppError } from '../core/index.ts';
import { escapeControl, escapeControlInJson } from '../text/index.ts';
import type { Pager } from './look/pager.ts';
import { createPaint, type Paint, type Theme } from './look/theme.ts';
import { mapLines, NARROW, widthOf, wrap } from './look/width.ts';

export interface Sink {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  /** Of a terminal, as it is now. */
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
}

export interface Streams {
  readonly out: Sink;
  readonly err: Sink;
  /** Opened on first use: most commands do not read it. */
  readonly in?: () => NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** Resolves when the readers have taken everything, or have gone; rejects if it cannot be written (a full disk). */
  drained?(): Promise<void>;
  /** Shows a text in the user's pager, until it is closed; false if that cannot be started. */
  page?(text: string, pager: Pager): Promise<boolean>;
}

export interface OutputOptions {
  readonly json: boolean;
  readonly debug: boolean;
  /** Per stream: a pipe next to a terminal gets no colours. */
  readonly theme: { readonly out: Theme | undefined; readonly err: Theme | undefined };
  /** For answers that do not fit the window; without one they are printed. */
  readonly pager?: Pager | undefined;
  /** Milliseconds, for `drawnAt`. */
  readonly elapsed: () => number;
}

export interface Output {
  readonly json: boolean;
  /** Standard error is a terminal, and --json is off. */
  readonly live: boolean;
  /** For the answer. */
  readonly paint: Paint;
  /** For talk. */
  readonly talkPaint: Paint;
  /** Whether talk goes to a terminal, where a line can be drawn again. */
  readonly isTerminal: boolean;
  /** The terminal that the answer goes to: nothing is cut without one. With --json there is none. */
  readonly window: { readonly columns: number; readonly rows: number } | undefined;
  /** The answer to what was asked: text for people, or the value itself with --json. */
  answer(text: string, value: unknown): void;
  /** Raw lines on standard output, for commands whose output is a file (completion scripts). */
  raw(text: string): void;
  /** A line on standard error. */
  talk(text: string): void;
  /** Replaces the current line on a terminal; does nothing elsewhere. What is printed next takes its place. */
  redraw(line: string): void;
  /** When a line was drawn last, if one stands there. */
  drawnAt(): number | undefined;
  /** With --json: something that happened on the way, as one line of JSON beside the answer. */
  event(name: string, value: Readonly<Record<string, unknown>>): void;
  fail(error: AppError): void;
  /** Shows what waits for the pager: at the end, when nothing is held open any more. */
  flush(): Promise<void>;
}

export function createOutput(streams: Streams, options: OutputOptions): Output {
  const paint = createPaint(options.theme.err);
  const { out, err } = streams;
  const isLive = err.isTTY === true && !options.json;
  let drawnAt: number | undefined;
  let paged = '';
  const print = (sink: Sink, text: string): void => {
    if (drawnAt !== undefined) err.write(ERASE);
    drawnAt = undefined;
    sink.write(text);
  };
  const window = (): Output['window'] =>
    out.isTTY === true && !options.json
      ? { columns: out.columns || NARROW, rows: out.rows || USUAL_ROWS }
      : undefined;
  /** Between words on a terminal, which would break them anywhere. */
  const broken = (text: string, indent: string): string =>
    escapeLines(text)
      .split('\n')
      .map((line) => (isLive ? wrap(line, indent, err.columns || NARROW) : line))
      .join('\n');
  /** The same of one that is indented, and may be coloured. */
  const fitting = (line: string): string => {
    const columns = err.columns || NARROW;
    const [indent = ''] = /^ */.exec(line) ?? [];
    return widthOf(line) <= columns ? line : indent + wrap(line.slice(indent.length), indent, columns);
  };
  return {
    json: options.json,
    live: isLive,
    paint: createPaint(options.theme.out),
    talkPaint: paint,
    isTerminal: err.isTTY === true,
    get window() {
      return window();
    },
    answer(text, value) {
      if (options.json) return print(out, `${toJson(value, 2)}\n`);
      const { rows, columns } = window() ?? {};
      const isLong = rows !== undefined && columns !== undefined && rowsOf(text, columns) >= rows;
      if (isLong && options.pager !== undefined && streams.page !== undefined) paged += `${text}\n`;
      else print(out, `${text}\n`);
    },
    raw: (text) => print(out, text),
    talk: (text) => print(err, `${isLive ? mapLines(text, fitting) : text}\n`),
    redraw(line) {
      if (!isLive) return;
      err.write(`${ERASE}${line}`);
      drawnAt = line === '' ? undefined : options.elapsed();
    },
    drawnAt: () => drawnAt,
    event: (name, value) => print(err, `${toJson({ event: name, ...value })}\n`),
    fail(error) {
      if (options.json) {
        print(err, `${toJson({ ok: false, error: renderErrorValue(error, options.debug) })}\n`);
        return;
      }
      print(err, `${paint.red('error:')} ${broken(error.message, '       ')}\n`);
      if (error.hint !== undefined) print(err, `${paint.dim('hint:')} ${broken(error.hint, '      ')}\n`);
      if (options.debug) print(err, `${renderStack(error)}\n`);
    },
    async flush() {
      const text = paged;
      paged = '';
      if (text === '' || options.pager === undefined) return;
      if ((await streams.page?.(text, options.pager)) !== true) print(out, text);
    },
  };
}

const USUAL_ROWS = 24;
const ERASE = '\r\u001b[K';

/** A long line takes several. */
function rowsOf(text: string, columns: number): number {
  return text.split('\n').reduce((rows, line) => rows + Math.max(1, Math.ceil(widthOf(line) / columns)), 0);
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
