/**
 * What a file defines, read line by line: fast, never exact, never wrong about where a line is. And how an outline and what a parser
 * found become one list.
 */
import type { Definition, LineRange } from '../../core/index.ts';
import type { LanguageId } from '../languages.ts';
import type { FoundInFile } from '../syntax/messages.ts';
import { type BraceRules, outlineBraces } from './braces.ts';
import { C_LIKE } from './c-like.ts';
import { outlineDockerfile, outlineJson, outlineMakefile, outlineToml, outlineYaml } from './config-like.ts';
import { ERLANG_LIKE, HASKELL_LIKE, OCAML_LIKE, SCALA_LIKE } from './functional.ts';
import { type IndentRules, outlineIndents } from './indents.ts';
import { CSHARP_LIKE, DART_LIKE, GROOVY_LIKE, JAVA_LIKE, KOTLIN_LIKE, SWIFT_LIKE } from './java-like.ts';
import { LONGEST_READ_LINE } from './lexer.ts';
import { outlineMarkdown, outlineRst } from './markup.ts';
import { PYTHON_LIKE } from './python-like.ts';
import { ELIXIR_LIKE, JULIA_LIKE, LUA_LIKE, RUBY_LIKE } from './ruby-like.ts';
import { CSS_LIKE, GRAPHQL_LIKE, HCL_LIKE, PROTOBUF_LIKE, SCSS_LIKE } from './schema-like.ts';
import { SCRIPT_LIKE } from './script-like.ts';
import { BASH_LIKE, NIX_LIKE, PERL_LIKE, POWERSHELL_LIKE, R_LIKE } from './shell-like.ts';
import { outlineSql } from './sql.ts';
import { GO_LIKE, PHP_LIKE, RUST_LIKE, ZIG_LIKE } from './systems-like.ts';

type Outliner = (lines: readonly string[]) => Definition[];

const OUTLINERS: Readonly<Record<LanguageId, Outliner | undefined>> = {
  typescript: braces(SCRIPT_LIKE),
  tsx: braces(SCRIPT_LIKE),
  javascript: braces(SCRIPT_LIKE),
  python: indents(PYTHON_LIKE),
  go: braces(GO_LIKE),
  rust: braces(RUST_LIKE),
  java: braces(JAVA_LIKE),
  kotlin: braces(KOTLIN_LIKE),
  scala: indents(SCALA_LIKE),
  groovy: braces(GROOVY_LIKE),
  c: braces(C_LIKE),
  cpp: braces(C_LIKE),
  csharp: braces(CSHARP_LIKE),
  swift: braces(SWIFT_LIKE),
  ruby: indents(RUBY_LIKE),
  php: braces(PHP_LIKE),
  elixir: indents(ELIXIR_LIKE),
  erlang: indents(ERLANG_LIKE),
  haskell: indents(HASKELL_LIKE),
  ocaml: indents(OCAML_LIKE),
  lua: indents(LUA_LIKE),
  zig: braces(ZIG_LIKE),
  bash: indents(BASH_LIKE),
  powershell: indents(POWERSHELL_LIKE),
  dart: braces(DART_LIKE),
  r: indents(R_LIKE),
  julia: indents(JULIA_LIKE),
  perl: indents(PERL_LIKE),
  sql: outlineSql,
  graphql: braces(GRAPHQL_LIKE),
  protobuf: braces(PROTOBUF_LIKE),
  html: outlineEmbedded,
  css: braces(CSS_LIKE),
  scss: braces(SCSS_LIKE),
  vue: outlineEmbedded,
  svelte: outlineEmbedded,
  xml: undefined,
  json: outlineJson,
  yaml: outlineYaml,
  toml: outlineToml,
  ini: outlineToml,
  dockerfile: outlineDockerfile,
  makefile: outlineMakefile,
  hcl: braces(HCL_LIKE),
  nix: indents(NIX_LIKE),
  markdown: outlineMarkdown,
  rst: outlineRst,
  text: undefined,
};

/** Ordered by first line; what holds others comes before them. */
export function outline(language: LanguageId | undefined, lines: readonly string[]): Definition[] {
  const outliner = language === undefined ? undefined : OUTLINERS[language];
  return outliner === undefined ? [] : outliner(lines);
}

function braces(rules: BraceRules): Outliner {
  return (lines) => outlineBraces(rules, lines);
}

function indents(rules: IndentRules): Outliner {
  return (lines) => outlineIndents(rules, lines);
}

const OPEN = /<script\b([^>]*)>\s*$/i;
const CLOSE = /<\/script\s*>/i;
const NOT_CODE =
  /\btype\s*=\s*["']?(?:application\/(?:ld\+)?json|text\/(?:template|x-|html)|importmap|speculationrules)/i;

export function outlineEmbedded(lines: readonly string[]): Definition[] {
  const found: Definition[] = [];
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    const attributes = line.length > LONGEST_READ_LINE ? undefined : OPEN.exec(line)?.[1];
    if (attributes === undefined) continue;
    const first = index + 1;
    let end = first;
    while (end < lines.length && !CLOSE.test((lines[end] ?? '').slice(0, LONGEST_READ_LINE))) end++;
    if (!NOT_CODE.test(attributes)) found.push(...outlineScript(lines.slice(first, end), first));
    index = end;
  }
  return found;
}

function outlineScript(lines: readonly string[], offset: number): Definition[] {
  return outlineBraces(SCRIPT_LIKE, lines).map((definition) => ({
    ...definition,
    startLine: definition.startLine + offset,
    endLine: definition.endLine + offset,
  }));
}

/**
 * Without errors this is what the parser found. Around lines it could not read (a macro in C, a dialect of SQL) it loses
 * whole classes, and there the outline's definitions are kept.
 */
export function mergeDefinitions(
  outlined: () => readonly Definition[],
  parsed: Pick<FoundInFile, 'definitions' | 'errors'>,
): readonly Definition[] {
  if (parsed.errors.length === 0) return parsed.definitions;
  const isUnread = unreadLines(parsed.errors);
  const exact = new Map(parsed.definitions.map((each) => [keyOf(each), each]));
  const rescued = outlined().filter((each) => {
    const twin = exact.get(keyOf(each));
    return isUnread(each) && (twin === undefined || twin.endLine < each.endLine);
  });
  if (rescued.length === 0) return parsed.definitions;
  const replaced = new Set(rescued.map(keyOf));
  const names = new Set(rescued.map(({ name }) => name));
  const kept = parsed.definitions.filter(
    (each) => !replaced.has(keyOf(each)) && !(isOneLine(each) && names.has(each.name)),
  );
  return renest([...rescued, ...kept], new Set(rescued));
}

function keyOf({ name, startLine }: Definition): string {
  return `${startLine} ${name}`;
}

function isOneLine({ startLine, endLine }: LineRange): boolean {
  return startLine === endLine;
}

/** Whether some line of a range was not read. */
function unreadLines(errors: readonly LineRange[]): (range: LineRange) => boolean {
  return ({ startLine, endLine }) =>
    errors.some((error) => error.startLine <= endLine && error.endLine >= startLine);
}

/** What stands in a rescued definition belongs to it, unless its own head says otherwise. */
function renest(definitions: readonly Definition[], rescued: ReadonlySet<Definition>): Definition[] {
  const sorted = [...definitions].sort((a, b) => a.startLine - b.startLine || b.endLine - a.endLine);
  const around: Definition[] = [];
  return sorted.map((each) => {
    while (around.length > 0 && (around.at(-1)?.endLine ?? 0) < each.startLine) around.pop();
    const parent = around.at(-1);
    around.push(each);
    const isOutside = parent === undefined || !rescued.has(parent) || rescued.has(each);
    const grandparent = around.at(-3)?.name;
    if (isOutside || (each.container !== undefined && each.container !== grandparent)) return each;
    const kind =
      each.kind === 'function' && parent.kind !== 'module' && parent.kind !== 'function'
        ? 'method'
        : each.kind;
    return { ...each, kind, container: parent.name };
  });
}
