/** JSON, YAML, TOML, INI, Dockerfile and Makefile: the outer keys, tables, stages and targets. */
import type { Definition } from '../../core/index.ts';
import { type Draft, finishDrafts, type Found } from './declaration.ts';
import { createLexer, LONGEST_READ_LINE } from './lexer.ts';
import { DOUBLE, slashes, type LexRules } from './lex-rules.ts';

const JSON_LEX: LexRules = slashes([DOUBLE]);

// A long list of keys is data: its first keys say what it is.
const MOST_SECTIONS = 200;

type ReadLine = (line: string) => Found | undefined;

/** Blank lines, comments and rulers before a section lead to it and do not end the one above. */
const LEADS = /^\s*(?:[#;].*|---)?$/;
const LEADS_OR_CLOSES = /^(?:\s*|[}\]].*)$/;

/** Each section goes on until the next. */
function outlineFlat(lines: readonly string[], readLine: ReadLine, leads = LEADS): Definition[] {
  const drafts: Draft[] = [];
  let index = 0;
  for (; index < lines.length && drafts.length < MOST_SECTIONS; index++) {
    const line = lines[index] ?? '';
    const found = line.length > LONGEST_READ_LINE ? undefined : readLine(line);
    if (found === undefined) continue;
    endLast(drafts, lines, { behind: index, leads });
    const at = index + 1;
    drafts.push({ ...found, container: undefined, startLine: at, headLine: at, endLine: at, hasBody: true });
  }
  endLast(drafts, lines, { behind: index, leads });
  return finishDrafts(drafts, lines);
}

function endLast(
  drafts: readonly Draft[],
  lines: readonly string[],
  { behind, leads }: { readonly behind: number; readonly leads: RegExp },
): void {
  const last = drafts.at(-1);
  if (last === undefined) return;
  if (last.kind === 'variable') {
    while ((lines[last.endLine - 1] ?? '').endsWith('\\') && last.endLine < behind) last.endLine++;
    return;
  }
  let end = behind;
  while (end > last.headLine && leads.test((lines[end - 1] ?? '').slice(0, 200))) end--;
  last.endLine = end;
}

export function outlineJson(lines: readonly string[]): Definition[] {
  const lexer = createLexer(JSON_LEX);
  const readLine: ReadLine = (line) => {
    const isKey = lexer.inCode && lexer.depth === 1 && lexer.parens === 0;
    lexer.scan(line);
    const name = isKey ? /^\s*"((?:[^"\\]|\\.){1,120})"\s*:/.exec(line)?.[1] : undefined;
    return name === undefined ? undefined : { name, kind: 'section' };
  };
  return outlineFlat(lines, readLine, LEADS_OR_CLOSES);
}

export function outlineYaml(lines: readonly string[]): Definition[] {
  return outlineFlat(lines, (line) => {
    const match = /^(?:"([^"]{1,120})"|'([^']{1,120})'|([^\s#\-'"{[&*!|>%@`,][^:#]{0,119})):(?:\s|$)/.exec(
      line,
    );
    const name = match?.[1] ?? match?.[2] ?? match?.[3];
    return name === undefined ? undefined : { name: name.trim(), kind: 'section' };
  });
}

export function outlineToml(lines: readonly string[]): Definition[] {
  let inTable = false;
  let inText = false;
  return outlineFlat(lines, (line) => {
    const wasInText = inText;
    if ((line.split(/"""|'''/).length - 1) % 2 === 1) inText = !inText;
    if (wasInText) return undefined;
    const table = /^\s*\[{1,2}([^\]]{1,120})\]{1,2}\s*(?:[#;].*)?$/.exec(line)?.[1];
    if (table !== undefined) inTable = true;
    const name = table ?? (inTable ? undefined : /^([\w."-]{1,120})\s*=/.exec(line)?.[1]);
    return name === undefined ? undefined : { name: name.trim(), kind: 'section' };
  });
}

export function outlineDockerfile(lines: readonly string[]): Definition[] {
  return outlineFlat(lines, (line) => {
    const match = /^\s*from\s+(?:--\S+\s+)*(\S+)(?:\s+as\s+(\S+))?/i.exec(line);
    const name = match?.[2] ?? match?.[1];
    return name === undefined ? undefined : { name, kind: 'section' };
  });
}

export function outlineMakefile(lines: readonly string[]): Definition[] {
  return outlineFlat(lines, (line) => {
    const target = /^([A-Za-z0-9_./%$(){}-][\w./%$(){} -]{0,119}?)\s*::?(?![=:])/.exec(line)?.[1];
    if (target !== undefined)
      return target.startsWith('.') ? undefined : { name: target.trim(), kind: 'function' };
    const macro = /^define\s+([\w.-]+)/.exec(line)?.[1];
    if (macro !== undefined) return { name: macro, kind: 'macro' };
    const variable = /^(?:export\s+|override\s+)?([A-Za-z_][\w.-]*)\s*[:?+!]{0,3}=/.exec(line)?.[1];
    return variable === undefined ? undefined : { name: variable, kind: 'variable' };
  });
}
