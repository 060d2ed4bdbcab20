/** The rules by which each language is read from its syntax tree. */
import type { ParsableLanguage } from '../grammar-files.ts';
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
import { JAVASCRIPT, TYPESCRIPT } from './script.ts';
import { BASH, LUA } from './shell.ts';
import { SQL } from './sql.ts';
import { CSS, HCL, JSON_RULES, TOML, YAML } from './structured.ts';
import { SWIFT } from './swift.ts';
import { ZIG } from './zig.ts';

export const RULES: Readonly<Record<ParsableLanguage, LanguageRules>> = {
  typescript: TYPESCRIPT,
  tsx: TYPESCRIPT,
  javascript: JAVASCRIPT,
  python: PYTHON,
  go: GO,
  rust: RUST,
  java: JAVA,
  c: C,
  cpp: CPP,
  ruby: RUBY,
  bash: BASH,
  lua: LUA,
  kotlin: KOTLIN,
  scala: SCALA,
  csharp: CSHARP,
  swift: SWIFT,
  php: PHP,
  elixir: ELIXIR,
  haskell: HASKELL,
  zig: ZIG,
  dart: DART,
  sql: SQL,
  json: JSON_RULES,
  yaml: YAML,
  toml: TOML,
  hcl: HCL,
  css: CSS,
};
