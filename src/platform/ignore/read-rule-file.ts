/** Reads a rule file that someone else may have prepared: regular files only, bounded, never waiting, never following. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { parseRules } from './parse-rules.ts';
import { createRuleSet, type RuleSet } from './rule-set.ts';

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
}

export interface RuleFilePlace {
  readonly absPath: string;
  readonly label: string;
  readonly base: string;
  readonly fold: boolean;
  /** A user's own global file may be a link; one that comes with a repository may not, as in git. */
  readonly links: 'follow' | 'refuse';
}

/** Undefined if there is no such file, if it is not a regular one, or if it holds no rule. */
export function readRuleFile(place: RuleFilePlace): RuleFile | undefined {
  const read = readBytes(place);
  if (read === undefined) return undefined;
  const { rules, isCut } = parseRules(read.text, { maxRules: MAX_RULES_PER_FILE, fold: place.fold });
  if (rules.length === 0 && !isCut) return undefined;
  const notice =
    read.isCut || isCut
      ? `${place.label} is too large: only its first ${rules.length} rules count`
      : undefined;
  return { ...createRuleSet(rules), label: place.label, base: place.base, notice };
}

function readBytes(place: RuleFilePlace): { text: string; isCut: boolean } | undefined {
  let fd: number;
  try {
    const follow = place.links === 'follow' ? 0 : constants.O_NOFOLLOW;
    fd = openSync(place.absPath, constants.O_RDONLY | constants.O_NONBLOCK | follow);
  } catch {
    return undefined;
  }
  try {
    const { size } = fstatSync(fd);
    if (!fstatSync(fd).isFile() || size === 0) return undefined;
    const buffer = Buffer.alloc(Math.min(size, MAX_RULE_FILE_BYTES));
    let length = 0;
    for (let got = -1; got !== 0 && length < buffer.length; length += got) {
      got = readSync(fd, buffer, length, buffer.length - length, null);
    }
    const text = buffer.toString('latin1', 0, length);
    if (size <= MAX_RULE_FILE_BYTES) return { text, isCut: false };
    // The last line may have lost its end and would then mean something else.
    return { text: text.slice(0, text.lastIndexOf('\n') + 1), isCut: true };
  } catch {
    return undefined;
  } finally {
    closeSync(fd);
  }
}
