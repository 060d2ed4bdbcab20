/** Markdown and reStructuredText: headings are sections that hold what is below them. */
import type { Definition } from '../../core/index.ts';
import { finishDrafts, type Draft } from './declaration.ts';
import { LONGEST_READ_LINE } from './lexer.ts';

const HEADING = /^ {0,3}(#{1,6})\s+(.*)$/;
const FENCE = /^\s*(`{3,}|~{3,})/;
const UNDERLINE = /^ {0,3}(?:=+|-{2,})\s*$/;

interface OpenSection {
  readonly draft: Draft;
  readonly level: number;
}

export function outlineMarkdown(lines: readonly string[]): Definition[] {
  const sections = createSections(lines);
  let fence: string | undefined;
  const first = frontMatterEnd(lines);
  for (let index = first; index < lines.length; index++) {
    const line = lines[index] ?? '';
    if (line.length > LONGEST_READ_LINE) continue;
    const mark = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) === true) fence = undefined;
      continue;
    }
    fence = mark;
    const heading = HEADING.exec(line);
    if (heading !== null) sections.add(index + 1, heading[1]?.length ?? 1, plain(heading[2] ?? ''));
    else if (isUnderlined(lines, index)) {
      sections.add(index + 1, (lines[index + 1] ?? '').trim().startsWith('=') ? 1 : 2, plain(line));
    }
  }
  return sections.finish();
}

/** The index of the first line behind `---` … `---`. */
function frontMatterEnd(lines: readonly string[]): number {
  if (lines[0]?.trim() !== '---') return 0;
  for (let index = 1; index < Math.min(lines.length, 200); index++)
    if (lines[index]?.trim() === '---') return index + 1;
  return 0;
}

function isUnderlined(lines: readonly string[], index: number): boolean {
  const line = lines[index] ?? '';
  if (!UNDERLINE.test((lines[index + 1] ?? '').slice(0, 200))) return false;
  return /^ {0,3}[^\s#>|*+-]/.test(line) && !(lines[index - 1] ?? '').trim();
}

function plain(text: string): string {
  return text
    .replace(/\s#+\s*$/, '')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .trim();
}

export function outlineRst(lines: readonly string[]): Definition[] {
  const sections = createSections(lines);
  const levels: string[] = [];
  for (let index = 0; index + 1 < lines.length; index++) {
    const title = lines[index] ?? '';
    const ruler = lines[index + 1] ?? '';
    if (
      !isRuler(ruler) ||
      title.trim() === '' ||
      isRuler(title) ||
      ruler.trimEnd().length < title.trim().length
    )
      continue;
    const hasOverline = isRuler(lines[index - 1] ?? '');
    if (title.startsWith(' ') && !hasOverline) continue;
    const style = ruler.charAt(0) + (hasOverline ? '^' : '');
    if (!levels.includes(style)) levels.push(style);
    sections.add(index + 1, levels.indexOf(style) + 1, title.trim(), hasOverline ? index : index + 1);
    index++;
  }
  return sections.finish();
}

function isRuler(line: string): boolean {
  const text = line.trimEnd();
  return text.length >= 3 && text.length <= 200 && /^([=\-~^"'`#*+.:_<>])\1*$/.test(text);
}

function createSections(lines: readonly string[]): {
  add(headLine: number, level: number, name: string, startLine?: number): void;
  finish(): Definition[];
} {
  const drafts: Draft[] = [];
  const stack: OpenSection[] = [];
  const closeTo = (level: number, endLine: number): void => {
    for (let top = stack.at(-1); top !== undefined && top.level >= level; top = stack.at(-1)) {
      top.draft.endLine = lastContent(lines, endLine, top.draft.headLine);
      stack.pop();
    }
  };
  return {
    add(headLine, level, name, startLine = headLine) {
      closeTo(level, startLine - 1);
      const container = stack.at(-1)?.draft;
      const draft: Draft = {
        name,
        kind: 'section',
        container,
        startLine,
        headLine,
        endLine: headLine,
        hasBody: true,
      };
      drafts.push(draft);
      stack.push({ draft, level });
    },
    finish() {
      closeTo(0, lines.length);
      return finishDrafts(drafts, lines, () => undefined);
    },
  };
}

function lastContent(lines: readonly string[], from: number, atLeast: number): number {
  let line = from;
  while (line > atLeast && (lines[line - 1] ?? '').trim() === '') line--;
  return line;
}
