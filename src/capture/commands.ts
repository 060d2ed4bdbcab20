/** Which runs of commands belong together, which failures count, and what an output says went wrong. */

const BEFORE =
  /^(?:(?:cd|pushd)\s+\S+\s*(?:&&|;)\s*|(?:export\s+)?[A-Z_][A-Z0-9_]*=\S*\s+(?:&&\s*)?|(?:time|sudo|env|command|npx|timeout\s+\d+\w?)\s+)+/;
const BEHIND =
  /\s*(?:2>&1|\|\s*(?:tail|head|cat|tee|less|grep|sed|awk)\b.*|>\s*\S+|&&\s*echo\b.*|\|\|\s*(?:true|echo\b.*)|;\s*echo\b.*)\s*$/;

/** A command without what stands around it. */
export function bareCommand(command: string): string {
  let bare = command.trim().replaceAll(/\s+/g, ' ').replace(BEFORE, '');
  for (let before = ''; before !== bare;) [before, bare] = [bare, bare.replace(BEHIND, '')];
  return bare;
}

/** Looking for something and not finding it is no error. */
const LOOKS =
  /^(?:grep|rg|ag|ls|cat|find|test|\[|diff|which|type|head|tail|wc|stat|file|ps|pgrep|kill|sleep|true|false|echo|sed -n|git (?:status|diff|log|grep|show|check-ignore|rev-parse|ls-files))(?:\s|$)/;

export function isLook(command: string): boolean {
  return LOOKS.test(bareCommand(command));
}

/** The same command, or one of them with fewer or more arguments: a test of one file, then of all. */
export function isSameCommand(one: string, other: string): boolean {
  const [first, second] = [wordsOf(one), wordsOf(other)];
  const head = (words: readonly string[]): string =>
    words
      .filter((word) => !word.startsWith('-'))
      .slice(0, 2)
      .join(' ');
  if (first.join(' ') === second.join(' ')) return true;
  if (first.length < 2 || second.length < 2 || head(first) !== head(second)) return false;
  return first.every((word) => second.includes(word)) || second.every((word) => first.includes(word));
}

function wordsOf(command: string): readonly string[] {
  return bareCommand(command)
    .split(' ')
    .filter((word) => word !== 'run' && word !== '--');
}

const TELLS =
  /error|exception|fail(?:ed|ure|ing)?\b|cannot|can't|could not|not found|no such|undefined|unexpected|denied|refused|timed? ?out|panic|traceback|\bnot ok\b|assert|expected|actual|\bgot\b|\bwant(?:ed)?\b|fatal|✗|✖|×|\bE[A-Z]{3,}\b|\bTS\d{3,5}\b/i;
const NOISE = /^\s*(?:at\s|npm (?:err!|error) (?:a complete log|path|command)|\d+ \|)/i;
const MOST_LINES = 8;
const MOST_CHARS = 1_200;
// oxlint-disable-next-line no-control-regex -- colours of a terminal are no part of an error
const COLOURS = /\u001b\[[0-9;]{0,20}[A-Za-z]/g;

/** The lines of an output that say what went wrong; its last ones, if none does. */
export function errorIn(output: string): string {
  const lines = output
    .replaceAll(COLOURS, '')
    .split('\n')
    .map((line) => line.trimEnd())
    .filter(
      (line) =>
        line.trim() !== '' &&
        !/^\s*(?:"?exit[_ ]code"?|Process exited|Wall time|Chunk ID|Original token count|Output:)/i.test(
          line,
        ),
    );
  // What stands below a line such as `Failure:` is what failed.
  const telling = lines.filter(
    (line, at) =>
      (TELLS.test(line) || /(?:failure|error|exception)s?:$/i.test(lines[at - 1] ?? '')) && !NOISE.test(line),
  );
  const kept = telling.length === 0 ? lines.slice(-MOST_LINES) : telling.slice(0, MOST_LINES);
  return kept.join('\n').slice(0, MOST_CHARS);
}

export interface CommitMessage {
  readonly subject: string;
  readonly body: string;
}

/** In quotes, or from a here-document. */
const MESSAGE =
  /\bgit(?: -\S+ \S+)? commit\b[^\n]{0,80}?(?: -\w*m| --message)[ =]?(?:"\$\(cat <<-?\s*['"]?(\w+)['"]?\n([\s\S]{1,4000}?)\n\s*\1|"((?:[^"\\]|\\.){1,4000})"|'([^']{1,4000})')/;
const TELLS_NOTHING =
  /^(?:wip|tmp|temp|initial commit|merge|bump|format|lint|typo|update|updates|(?:\w+: )?(?:fix|update|add|change)s?(?:ed)? (?:tests?|typos?|lint|docs?|readme|deps?|dependencies|formatting|stuff))\b.{0,20}$/i;
const LEAST_WORDS = 4;

/** What a command commits with; undefined if it commits nothing, or says nothing. */
export function commitMessageIn(command: string): CommitMessage | undefined {
  const found = MESSAGE.exec(command);
  const text = (found?.[2] ?? found?.[3] ?? found?.[4] ?? '').trim();
  const [subject = '', ...body] = text.split('\n').map((line) => line.trim());
  if (subject.split(/\s+/).length < LEAST_WORDS || TELLS_NOTHING.test(subject)) return undefined;
  return {
    subject,
    body: body.filter((line) => !/^(?:co-authored-by|signed-off-by|🤖)/i.test(line)).join('\n'),
  };
}
