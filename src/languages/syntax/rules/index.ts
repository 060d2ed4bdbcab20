/** Which languages are parsed, by which grammar and by which rules. */
import type { GrammarName } from '../grammar-files.ts';
import { C, CPP } from './c-family.ts';
import { CSHARP } from './csharp.ts';
import { DART } from './dart.ts';
import { ELIXIR } from './elixir.ts';
import { GO } from './go.ts';
import { HASKELL } from './haskell.ts';
import { JAVA } from './java.ts';
import { KOTLIN, SCALA } from './jvm.ts';
import { PHP } from './php.ts';
import { PYTHON } from './python.ts';
import { RUBY } from './ruby.ts';
import type { LanguageRules } from './rules.ts';
import { RUST } from './rust.ts';
import { JAVASCRIPT, TSX, TYPESCRIPT } from './script.ts';
import { BASH, LUA } from './shell.ts';
import { SQL } from './sql.ts';
import { CSS, HCL, JSON_RULES, TOML, YAML } from './structured.ts';
import { SWIFT } from './swift.ts';
import { ZIG } from './zig.ts';

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
  kotlin: { grammar: 'kotlin', rules: KOTLIN },
  scala: { grammar: 'scala', rules: SCALA },
  csharp: { grammar: 'c_sharp', rules: CSHARP },
  swift: { grammar: 'swift', rules: SWIFT },
  php: { grammar: 'php', rules: PHP },
  elixir: { grammar: 'elixir', rules: ELIXIR },
  haskell: { grammar: 'haskell', rules: HASKELL },
  zig: { grammar: 'zig', rules: ZIG },
  dart: { grammar: 'dart', rules: DART },
  sql: { grammar: 'sql', rules: SQL },
  json: { grammar: 'json', rules: JSON_RULES },
  yaml: { grammar: 'yaml', rules: YAML },
  toml: { grammar: 'toml', rules: TOML },
  hcl: { grammar: 'hcl', rules: HCL },
  css: { grammar: 'css', rules: CSS },
} as const satisfies Readonly<Record<string, Parsable>>;

export type ParsableLanguage = keyof typeof PARSABLE;

export function isGrammarLanguage(id: string): id is ParsableLanguage {
  return Object.hasOwn(PARSABLE, id);
}
