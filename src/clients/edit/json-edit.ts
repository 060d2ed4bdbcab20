/** JSON with comments and trailing commas: one member is put in or taken out, every other byte stays. */
import { parseJson } from '../../config/index.ts';
import { jsoncValue, type JsoncNode } from '../../text/index.ts';
import {
  endOfLineOf,
  indentAt,
  indentLines,
  indentUnit,
  lineEnd,
  lineStart,
  nest,
  nextLine,
  splice,
  wrongKind,
  type DocumentFormat,
  type Entry,
  type EntryPlace,
} from './document-format.ts';

/**
 * `modify` of jsonc-parser is not used: it formats the lines it touches, moves a comment of the last member to the new one, and
 * removes comments between two members together with the first of them.
 */
export const jsonFormat: DocumentFormat = {
  parse: (text, file) => jsoncValue(parseJson(text, file).root),
  put(text, place, entry) {
    const { parent, member, rest } = find(text, place);
    if (member !== undefined) {
      const value = isOneLine(text, parent)
        ? renderCompact(text, parent, entry)
        : render(text, entry, indentAt(text, member.offset));
      return splice(text, valueStart(member), endOf(member), value);
    }
    const [key = '', ...inner] = rest;
    return insert(text, parent, key, nest(inner, entry));
  },
  drop(text, place) {
    const { parent, member } = find(text, place);
    return member === undefined ? text : remove(text, parent, member);
  },
  fresh: (path, entry) => `${JSON.stringify(nest(path, entry), null, 2)}\n`,
};

interface Found {
  /** The innermost object on the way that exists. */
  readonly parent: JsoncNode;
  /** The member that was asked for. */
  readonly member: JsoncNode | undefined;
  /** The keys below `parent`. */
  readonly rest: readonly string[];
}

function find(text: string, { path, file }: EntryPlace): Found {
  let parent = parseJson(text, file).root;
  for (const [depth, key] of path.entries()) {
    if (parent.type !== 'object') throw wrongKind(text, parent.offset, { file, kind: 'an object' });
    const member = membersOf(parent).find(({ children }) => children?.[0]?.value === key);
    const value = member?.children?.[1];
    if (value === undefined || depth === path.length - 1) return { parent, member, rest: path.slice(depth) };
    parent = value;
  }
  return { parent, member: undefined, rest: [] };
}

function insert(text: string, parent: JsoncNode, key: string, value: Entry): string {
  const endOfLine = endOfLineOf(text);
  const close = endOf(parent) - 1;
  const last = membersOf(parent).at(-1);
  const own = indentAt(text, parent.offset);
  if (last === undefined) {
    const indent = own + indentUnit(text);
    const member = `${indent}${JSON.stringify(key)}: ${render(text, value, indent)}${endOfLine}`;
    const closeLine = lineStart(text, close);
    // A comment alone in the braces keeps its lines; braces on one line are opened.
    if (closeLine > parent.offset) return splice(text, closeLine, closeLine, member);
    return splice(text, close, close, `${endOfLine}${member}${own}`);
  }
  const lastEnd = endOf(last);
  if (isOneLine(text, parent)) {
    const space = spacing(text, parent);
    const compact = renderCompact(text, parent, value);
    return splice(text, lastEnd, lastEnd, `,${space}${JSON.stringify(key)}:${space}${compact}`);
  }
  const indent = indentAt(text, last.offset);
  const comma = commaAfter(text, lastEnd);
  const member = `${endOfLine}${indent}${JSON.stringify(key)}: ${render(text, value, indent)}`;
  const after = comma === undefined ? lastEnd : comma + 1;
  // After a comment that belongs to the last member, unless the brace closes on the same line.
  const end = lineEnd(text, after);
  const behind = text.slice(after, end).trim();
  const at = behind === '' || behind.startsWith('//') || /^\/\*[^*]*\*\/$/.test(behind) ? end : after;
  if (comma !== undefined) return splice(text, at, at, `${member},`);
  return splice(splice(text, at, at, member), lastEnd, lastEnd, ',');
}

function remove(text: string, parent: JsoncNode, member: JsoncNode): string {
  const members = membersOf(parent);
  const before = members[members.indexOf(member) - 1];
  const memberEnd = endOf(member);
  const behind = commaAfter(text, memberEnd);
  const isCommaNext = behind !== undefined && text.slice(memberEnd, behind).trim() === '';
  if (behind !== undefined && !isCommaNext && before === undefined) {
    // A comment stands between the member and its comma: both go, the comment stays.
    return splice(splice(text, behind, behind + 1, ''), member.offset, memberEnd, '');
  }
  // With a comment in between, the comma belongs to what comes after it.
  const end = isCommaNext ? behind + 1 : memberEnd;
  const startsLine = text.slice(lineStart(text, member.offset), member.offset).trim() === '';
  const wholeLines = startsLine && text.slice(end, lineEnd(text, end)).trim() === '';
  const from = wholeLines ? lineStart(text, member.offset) : member.offset;
  const to = wholeLines ? nextLine(text, end) : end;
  if (isCommaNext || before === undefined) {
    const left = splice(text, from, to, '');
    const start = parent.offset + 1;
    const inside = left.slice(start, endOf(parent) - 1 - (to - from));
    // Braces with nothing left between them close again.
    const isEmpty = members.length === 1 && inside.trim() === '';
    return isEmpty ? splice(left, start, start + inside.length, '') : left;
  }
  // The last one takes the comma before it along; what stands between that comma and it stays.
  const commaBefore = commaAfter(text, endOf(before)) ?? endOf(before);
  const isGap = text.slice(commaBefore + 1, from).trimEnd() === '' && !wholeLines;
  const cut = splice(text, isGap ? commaBefore + 1 : from, to, '');
  return splice(cut, commaBefore, commaBefore + 1, '');
}

function membersOf({ children = [] }: JsoncNode): readonly JsoncNode[] {
  return children;
}

function endOf({ offset, length }: JsoncNode): number {
  return offset + length;
}

function valueStart({ offset, children }: JsoncNode): number {
  return children?.[1]?.offset ?? offset;
}

/** The offset of the comma after a value, comments skipped. */
function commaAfter(text: string, from: number): number | undefined {
  const trivia = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
  trivia.lastIndex = from;
  trivia.exec(text);
  return text[trivia.lastIndex] === ',' ? trivia.lastIndex : undefined;
}

function render(text: string, value: Entry, indent: string): string {
  return indentLines(JSON.stringify(value, null, indentUnit(text)), indent, endOfLineOf(text));
}

function isOneLine(text: string, parent: JsoncNode): boolean {
  const [first] = membersOf(parent);
  return first !== undefined && lineStart(text, first.offset) <= parent.offset;
}

function spacing(text: string, parent: JsoncNode): ' ' | '' {
  return /[:,] /.test(text.slice(parent.offset, endOf(parent))) ? ' ' : '';
}

function renderCompact(text: string, parent: JsoncNode, value: Entry): string {
  const wide = spacing(text, parent) === ' ';
  return wide ? JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, ' ') : JSON.stringify(value);
}
