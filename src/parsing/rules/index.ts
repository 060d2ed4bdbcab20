/** Which languages are parsed, by which grammar and by which rules. */
import type { GrammarName } from '../grammar-files.ts';
import { C, CPP } from './c-family.ts';
import { GO } from './go.ts';
import { JAVA } from './java.ts';
import { PYTHON } from './python.ts';
import { RUBY } from './ruby.ts';
import type { LanguageRules } from './rules.ts';
import { RUST } from './rust.ts';
import { JAVASCRIPT, TSX, TYPESCRIPT } from './script.ts';
import { BASH, LUA } from './shell.ts';

interface Parsable {
  readonly grammar: GrammarName;
  readonly rules: LanguageRules;
}

export const PARSABLE = {
  typescript: { grammar: 'typescript', rules: TYPESCRIPT },
  tsx: { grammar: 'tsx', rules: TSX },
  javascript: { grammar: 'javascript', rules: JAVASCRIPT },
  python: { grammar: 'python', rules: PYTHON },
  go: { grammar: 'go', rules: GO },
  rust: { grammar: 'rust', rules: RUST },
  java: { grammar: 'java', rules: JAVA },
  c: { grammar: 'c', rules: C },
  cpp: { grammar: 'cpp', rules: CPP },
  ruby: { grammar: 'ruby', rules: RUBY },
  bash: { grammar: 'bash', rules: BASH },
  lua: { grammar: 'lua', rules: LUA },
} as const satisfies Readonly<Record<string, Parsable>>;

export type ParsableLanguage = keyof typeof PARSABLE;

export function isGrammarLanguage(id: string): id is ParsableLanguage {
  return Object.hasOwn(PARSABLE, id);
}
