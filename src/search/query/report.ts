/** A pasted text by its parts: title, prose, code, stack traces, messages, and the files and names that it mentions. Pure. */

/** A file as a text names it. */
export interface Mention {
  /** Parts of a path, the file last, in lower case; without its ending where the text gives none. */
  readonly parts: readonly string[];
  /** How it was named: by a path, as a frame of a stack trace, or as a module or a qualified name. */
  readonly by: 'path' | 'frame' | 'module';
}

/** Lines that a link to code points at, 1-based. */
export interface LinkedLines {
  /** From the root of the repository, in lower case. */
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
}

export interface Report {
  readonly title: string;
  /** What its author wrote, without what a template asked for. */
  readonly prose: string;
  /** Fenced or indented, and not a trace. */
  readonly code: string;
  readonly traces: string;
  /** Texts of errors, and what stands in quotes. */
  readonly messages: readonly string[];
  /** What stands between backticks in the prose. */
  readonly marked: readonly string[];
  readonly mentions: readonly Mention[];
  readonly links: readonly LinkedLines[];
}

const MOST_MENTIONS = 60;
const MOST_MESSAGES = 12;
const MOST_MESSAGE_CHARS = 300;
/** One that does not end is text. Bounded, so that many beginnings cost little. */
const COMMENT = /<!--[\s\S]{0,5000}?-->/g;
const FENCE = /^\s*(?:```+|~~~+)/;
/** Of a form that is filled in: they say nothing of the problem. */
const TEMPLATE_LINE =
  /^\s*(?:[-*]\s*\[[ xX]\]|_No response_|#{1,6}\s*(?:description|steps|expected|actual|environment|version|additional|checklist|context|reproduc|what version|does this|system info|operating|logs?|notes?|problem|issue|bug|summary|proposal|solution|alternatives|motivation)\b)/i;
const FRAME =
  /^\s*(?:at\s+\S|File "|#\d+\s|\d+:\s+0x|from\s+\S+:\d+|goroutine \d|\S+\.\w+:\d+:in\b|\s*\S+\.go:\d+|.*\(\w+\.(?:java|kt|scala|groovy):\d+\)|Traceback \(most recent|thread '.*' panicked|stack backtrace)/;
const LOG_LINE =
  /^\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:|\[?\d\d:\d\d:\d\d|(?:\[?(?:INFO|DEBUG|WARN|WARNING|ERROR|TRACE|FATAL)\b))/;
const ERROR_TEXT =
  /(?:\b[\w.:\\]*(?:Error|Exception|Warning|Failure|Fault|panic(?:ked)?|fatal)\b[^:\n]{0,40}:\s+|^\s*(?:error|fatal|panic|warning)(?:\[\w+\])?:\s*)(.+)$/i;
const QUOTED = /"([^"\n]{6,200})"|'([^'\n]{6,200})'|“([^”\n]{6,200})”/g;
const BACKTICKS = /`([^`\n]{2,120})`/g;
const PATH = /(?:[A-Za-z]:)?(?:[\w@.+~-]*[\\/])*[\w@+~-][\w@.+~-]*\.[A-Za-z][A-Za-z0-9]{0,9}\b/g;
const URL = /\bhttps?:\/\/[^\s)>\]"'`]+/g;
/** Where code is looked at on the web: the path is that of the repository. */
const CODE_URL = /\/(?:blob|tree|raw|src|blame)\/[^/]+\/([^\s#?)]+)/;
const LINKED_LINES = /\/(?:blob|blame)\/[^/]+\/([^\s#?)]+)#L(\d+)(?:-L?(\d+))?/;
const QUALIFIED = /\b[A-Za-z_]\w*(?:(?:::|\\|\.)[A-Za-z_]\w*)+/g;
const WEB_ENDING = /\.(?:com|org|net|io|dev|html?|md|png|jpe?g|gif|svg|zip|gz|log|txt)$/i;

export function readReport(text: string): Report {
  const clean = text.replaceAll(/\r\n?/g, '\n').replaceAll(COMMENT, '\n');
  const lines = clean.split('\n');
  const first = titleLine(lines);
  const title = (lines[first] ?? '').trim();
  const [prose, code, traces]: [string[], string[], string[]] = [[], [], []];
  let isFenced = false;
  for (const [at, line] of lines.entries()) {
    if (at === first) continue;
    if (FENCE.test(line)) {
      isFenced = !isFenced;
      continue;
    }
    if (FRAME.test(line) || LOG_LINE.test(line)) traces.push(line);
    else if (isFenced || /^(?: {4}|\t)\S/.test(line)) code.push(line);
    else if (!TEMPLATE_LINE.test(line)) prose.push(line);
  }
  const written = [title, ...prose].join('\n');
  return {
    title,
    prose: prose.join('\n').replaceAll(URL, ' '),
    code: code.join('\n'),
    traces: traces.join('\n'),
    messages: messagesIn([title, ...prose, ...code, ...traces]),
    marked: [...written.matchAll(BACKTICKS)].map(([, inside = '']) => inside),
    mentions: mentionsIn({ written, code: code.join('\n'), traces: traces.join('\n') }),
    links: linksIn(written),
  };
}

/** The first line that says something. */
const firstWritten = (lines: readonly string[]): number =>
  Math.max(
    0,
    lines.findIndex((line) => /[\p{L}\p{N}]/u.test(line)),
  );

/** Of a pasted stack trace or log the error that it ends with, of other texts the first line. */
function titleLine(lines: readonly string[]): number {
  const first = firstWritten(lines);
  const isTrace = (line: string): boolean => FRAME.test(line) || LOG_LINE.test(line);
  if (!isTrace(lines[first] ?? '')) return first;
  const error = lines.findLastIndex((line) => !FRAME.test(line) && ERROR_TEXT.test(line));
  return error < 0 ? first : error;
}

function linksIn(written: string): readonly LinkedLines[] {
  return [...written.matchAll(URL)].slice(0, MOST_MENTIONS).flatMap(([url]) => {
    const [, path, from, to] = LINKED_LINES.exec(url) ?? [];
    if (path === undefined) return [];
    const startLine = Number(from);
    return [{ path: path.toLowerCase(), startLine, endLine: Math.max(startLine, Number(to ?? from)) }];
  });
}

function messagesIn(lines: readonly string[]): readonly string[] {
  const found = new Set<string>();
  for (const line of lines) {
    if (found.size >= MOST_MESSAGES) break;
    const [, message] = ERROR_TEXT.exec(line.slice(0, 1_000)) ?? [];
    if (message !== undefined && /[a-z]{3}.*[a-z]{3}/i.test(message))
      found.add(message.trim().slice(0, MOST_MESSAGE_CHARS));
    for (const [, double, single, curly] of line.slice(0, 1_000).matchAll(QUOTED)) {
      const quoted = double ?? single ?? curly ?? '';
      if (/[a-z]{3,}\s+[a-z]{2,}/i.test(quoted)) found.add(quoted);
    }
  }
  return [...found].slice(0, MOST_MESSAGES);
}

function mentionsIn({
  written,
  code,
  traces,
}: {
  readonly written: string;
  readonly code: string;
  readonly traces: string;
}): readonly Mention[] {
  const mentions = new Map<string, Mention>();
  const add = (path: string, by: Mention['by']): void => {
    const parts = path
      .toLowerCase()
      .split(/[\\/]+/)
      .filter((part) => part !== '' && part !== '.' && part !== '..');
    const key = parts.join('/');
    if (parts.length > 0 && mentions.size < MOST_MENTIONS && !mentions.has(key))
      mentions.set(key, { parts, by });
  };
  for (const [url] of written.matchAll(URL)) {
    const [, path] = CODE_URL.exec(url) ?? [];
    if (path !== undefined) add(path, 'path');
  }
  const plain = written.replaceAll(URL, ' ');
  for (const [path] of traces.matchAll(PATH)) add(path, 'frame');
  for (const [path] of plain.matchAll(PATH)) if (!WEB_ENDING.test(path)) add(path, 'path');
  for (const [path] of code.matchAll(PATH))
    if (/[\\/]/.test(path) && !WEB_ENDING.test(path)) add(path, 'path');
  for (const part of [plain, code, traces])
    for (const [name] of part.replaceAll(URL, ' ').matchAll(QUALIFIED))
      add(name.replaceAll(/::|\\|\./g, '/'), 'module');
  return [...mentions.values()];
}
