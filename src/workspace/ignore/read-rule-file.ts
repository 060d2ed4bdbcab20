/** A rule file as rules: as many as count, and a notice if there were more. */
import { parseRules } from './parse-rules.ts';
import { readBounded, type LinkPolicy } from './read-bounded.ts';
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
  return { ...createRuleSet(rules), label: place.label, base: place.base, notice };
}

function readLines({ absPath, links }: RuleFilePlace): { text: string; isCut: boolean } | undefined {
  const read = readBounded(absPath, MAX_RULE_FILE_BYTES, links);
  if (read === undefined || read.bytes.length === 0) return undefined;
  const text = read.bytes.toString('latin1');
  if (!read.isCut) return { text, isCut: false };
  // The last line may have lost its end and would then mean something else.
  return { text: text.slice(0, text.lastIndexOf('\n') + 1), isCut: true };
}
