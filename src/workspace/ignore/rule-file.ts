/** A rule file of git's syntax: read with limits, parsed line by line, and indexed so that most rules are never tried one by one. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { isWhereNamed } from '../reading/folder-inside.ts';
import { compilePattern, matchPattern, MAX_PATTERN_BYTES, type Pattern, type Subject } from './pattern.ts';
import type { StepBudget } from './wildcards.ts';

/** The largest one in the wild is some 30 KB; git's own limit is far above what a listing should spend. */
export const MAX_RULE_FILE_BYTES = 1024 * 1024;
export const MAX_RULES_PER_FILE = 10_000;

export interface RuleFile extends RuleSet {
  /** How it is shown: its path from the root, or what it is. */
  readonly label: string;
  /** The folder its patterns are relative to, in byte text; empty at the top. */
  readonly base: string;
  /** What was left out of it, in words. */
  readonly notice: string | undefined;
  /** What it cost to read and compile it, in steps of matching. */
  readonly steps: number;
}

/** A byte of a rule takes about as long to compile as this many steps of matching. */
const STEPS_PER_BYTE = 40;
/** What it costs to try a rule that fails at its first character: ten thousand of them for every file add up. */
const STEPS_PER_TRY = 2;

export interface RuleFilePlace {
  readonly absPath: string;
  readonly label: string;
  readonly base: string;
  readonly fold: boolean;
  readonly links: LinkPolicy;
}

/** Undefined if there is no such file, if it is not a regular one, or if it holds no rule. */
export function readRuleFile(place: RuleFilePlace): RuleFile | undefined {
  const read = readLines(place);
  if (read === undefined) return undefined;
  const { rules, isCut } = parseRules(read.text, { maxRules: MAX_RULES_PER_FILE, fold: place.fold });
  if (rules.length === 0 && !isCut) return undefined;
  const notice =
    read.isCut || isCut
      ? `${place.label} is too large: only its first ${rules.length} rules count`
      : undefined;
  return {
    ...createRuleSet(rules),
    label: place.label,
    base: place.base,
    notice,
    steps: read.text.length * STEPS_PER_BYTE,
  };
}

function readLines({ absPath, links }: RuleFilePlace): { text: string; isCut: boolean } | undefined {
  const read = readBounded(absPath, MAX_RULE_FILE_BYTES, links);
  if (read === undefined || read.bytes.length === 0) return undefined;
  const text = read.bytes.toString('latin1');
  if (!read.isCut) return { text, isCut: false };
  // The last line may have lost its end and would then mean something else.
  return { text: text.slice(0, text.lastIndexOf('\n') + 1), isCut: true };
}

export interface ParsedRules {
  readonly rules: readonly Rule[];
  /** Lines after the last one that was allowed. */
  readonly isCut: boolean;
}

const BOM = '\xef\xbb\xbf';

/** `text` is byte text. */
export function parseRules(
  text: string,
  { maxRules, fold }: { readonly maxRules: number; readonly fold: boolean },
): ParsedRules {
  /** Lines by their patterns. Of the same rule twice only the last can decide, and it counts where that one stands. */
  const lines = new Map<string, number>();
  const toRules = (): readonly Rule[] =>
    Array.from(lines, ([pattern, line]) => ({ ...compilePattern(pattern, { fold }), text: pattern, line }));
  let isCut = false;
  let line = 0;
  for (let start = text.startsWith(BOM) ? BOM.length : 0; start < text.length;) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    line++;
    const written = text.slice(start, end);
    start = end + 1;
    const pattern = written.startsWith('#') ? '' : trimLine(written);
    if (pattern === '') continue;
    if (!lines.delete(pattern) && lines.size >= maxRules) return { rules: toRules(), isCut: true };
    if (pattern.length > MAX_PATTERN_BYTES) isCut = true;
    else lines.set(pattern, line);
  }
  return { rules: toRules(), isCut };
}

/** One carriage return at the end goes, then everything from a NUL on, then trailing spaces that no backslash keeps. */
function trimLine(written: string): string {
  const line = written.endsWith('\r') ? written.slice(0, -1) : written;
  const nul = line.indexOf('\0');
  const text = nul === -1 ? line : line.slice(0, nul);
  if (!text.endsWith(' ')) return text;
  let end = text.length;
  while (end > 0 && text[end - 1] === ' ') end--;
  let backslashes = 0;
  while (text[end - 1 - backslashes] === '\\') backslashes++;
  // An odd number of backslashes keeps the space that follows it, but not the ones after that.
  return text.slice(0, backslashes % 2 === 1 ? end + 1 : end);
}

export interface Rule extends Pattern {
  /** As written, in byte text. */
  readonly text: string;
  /** 1-based. */
  readonly line: number;
}

export interface RuleSet {
  /** The rule that decides about this path, negated ones included. */
  find(subject: Subject, budget: StepBudget): Rule | undefined;
}

/** Positions of rules by what they are looked up with, in rising order. */
type Positions = ReadonlyMap<string, readonly number[]>;

export function createRuleSet(rules: readonly Rule[]): RuleSet {
  const byName = new Map<string, number[]>();
  const byEnding = new Map<string, number[]>();
  const byPath = new Map<string, number[]>();
  const others: number[] = [];
  rules.forEach(({ test }, position) => {
    if (test.kind === 'never') return;
    if (test.kind === 'name') add(byName, test.text, position);
    else if (test.kind === 'path') add(byPath, test.text, position);
    // With one dot, at its start, the ending is what follows a name's last dot: one look-up for all such rules.
    else if (test.kind === 'ending' && test.text.lastIndexOf('.') === 0) add(byEnding, test.text, position);
    else others.push(position);
  });

  function last(positions: Positions, key: string, isFolder: boolean): number {
    const found = positions.get(key);
    if (found === undefined) return -1;
    for (let index = found.length - 1; index >= 0; index--) {
      const position = found[index] ?? -1;
      if (isFolder || rules[position]?.foldersOnly === false) return position;
    }
    return -1;
  }

  return {
    find(subject, budget) {
      const { name, path, isFolder } = subject;
      let best = byName.size === 0 ? -1 : last(byName, name, isFolder);
      if (byPath.size > 0) best = Math.max(best, last(byPath, path, isFolder));
      if (byEnding.size > 0) {
        const dot = name.lastIndexOf('.');
        if (dot !== -1) best = Math.max(best, last(byEnding, name.slice(dot), isFolder));
      }
      for (let index = others.length - 1; index >= 0; index--) {
        const position = others[index] ?? -1;
        // Without a budget the answer does not count: the listing ends here.
        if (position < best || budget.left < 0) break;
        const rule = rules[position];
        budget.left -= STEPS_PER_TRY;
        if (rule !== undefined && matchPattern(rule, subject, budget)) return rule;
      }
      return rules[best];
    },
  };
}

function add(map: Map<string, number[]>, key: string, position: number): void {
  const found = map.get(key);
  if (found === undefined) map.set(key, [position]);
  else found.push(position);
}

/** A user's own file may be a link; one that comes with a repository may not, as in git. */
export type LinkPolicy = 'follow' | 'refuse';

export interface BoundedRead {
  readonly bytes: Buffer;
  readonly isCut: boolean;
}

/** Undefined if there is no such file, or if it is not a regular one. */
export function readBounded(absPath: string, maxBytes: number, links: LinkPolicy): BoundedRead | undefined {
  let fd: number;
  try {
    const follow = links === 'follow' ? 0 : constants.O_NOFOLLOW;
    fd = openSync(absPath, constants.O_RDONLY | constants.O_NONBLOCK | follow);
  } catch {
    return undefined;
  }
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile() || (links === 'refuse' && !isWhereNamed(fd, absPath))) return undefined;
    const buffer = Buffer.alloc(Math.min(stats.size, maxBytes));
    let length = 0;
    for (let got = -1; got !== 0 && length < buffer.length; length += got) {
      got = readSync(fd, buffer, length, buffer.length - length, null);
    }
    return { bytes: buffer.subarray(0, length), isCut: stats.size > maxBytes };
  } catch {
    return undefined;
  } finally {
    closeSync(fd);
  }
}
