/** JSON with comments and trailing commas: one member is put in or taken out, every other byte stays. */
import { parseJson, type JsonMember, type JsonNode, type JsonObject } from '../../config/index.ts';
import { AppError } from '../../core/index.ts';
import type { DocumentFormat, Entry, EntryPlace } from './document-format.ts';
import { nest } from './nest.ts';
import {
  endOfLineOf,
  indentAt,
  indentLines,
  indentUnit,
  lineEnd,
  lineStart,
  nextLine,
  splice,
} from './text-style.ts';

export const jsonFormat: DocumentFormat = {
  parse: (text, file) => toValue(parseJson(text, file).root),
  put(text, place, entry) {
    const { parents, member } = find(text, place);
    const parent = parents.at(-1);
    if (parent === undefined) throw new AppError('internal', 'A JSON document without a root was accepted.');
    if (member !== undefined) {
      const value = isOneLine(text, parent)
        ? renderCompact(text, parent, entry)
        : render(text, entry, indentAt(text, member.at));
      return splice(text, member.value.at, member.end, value);
    }
    const rest = place.path.slice(parents.length - 1);
    const [key = '', ...inner] = rest;
    return insert(text, parent, key, nest(inner, entry));
  },
  drop(text, place) {
    const { parents, member } = find(text, place);
    const parent = parents.at(-1);
    return member === undefined || parent === undefined ? text : remove(text, parent, member);
  },
  fresh: (path, entry) => `${JSON.stringify(nest(path, entry), null, 2)}\n`,
};

interface Found {
  /** The objects on the way that exist, the root first. */
  readonly parents: readonly JsonObject[];
  readonly member: JsonMember | undefined;
}

function find(text: string, { path, file }: EntryPlace): Found {
  const document = parseJson(text, file);
  const parents: JsonObject[] = [];
  let node: JsonNode = document.root;
  for (const [depth, key] of path.entries()) {
    if (node.kind !== 'object') {
      const { line, column } = document.position(node.at);
      throw new AppError('bad_config', `${file}:${line}:${column}: expected an object here`, {
        hint: 'Make it an object, `{}`, and run the same command again.',
      });
    }
    parents.push(node);
    const member: JsonMember | undefined = node.members.find((candidate) => candidate.key === key);
    if (member === undefined || depth === path.length - 1) return { parents, member };
    node = member.value;
  }
  return { parents, member: undefined };
}

function insert(text: string, parent: JsonObject, key: string, value: Entry): string {
  const endOfLine = endOfLineOf(text);
  const close = parent.end - 1;
  const last = parent.members.at(-1);
  const own = indentAt(text, parent.at);
  if (last === undefined) {
    const indent = own + indentUnit(text);
    const member = `${indent}${JSON.stringify(key)}: ${render(text, value, indent)}${endOfLine}`;
    const closeLine = lineStart(text, close);
    // A comment alone in the braces keeps its lines; braces on one line are opened.
    if (closeLine > parent.at) return splice(text, closeLine, closeLine, member);
    return splice(text, close, close, `${endOfLine}${member}${own}`);
  }
  // Written on one line: so is what is added.
  if (isOneLine(text, parent)) {
    const space = spacing(text, parent);
    const compact = renderCompact(text, parent, value);
    return splice(text, last.end, last.end, `,${space}${JSON.stringify(key)}:${space}${compact}`);
  }
  const indent = indentAt(text, last.at);
  const comma = commaAfter(text, last.end);
  const member = `${endOfLine}${indent}${JSON.stringify(key)}: ${render(text, value, indent)}`;
  const after = comma === undefined ? last.end : comma + 1;
  // Behind a comment that belongs to the last member, unless the brace closes on the same line.
  const end = lineEnd(text, after);
  const rest = text.slice(after, end).trim();
  const at = rest === '' || rest.startsWith('//') || /^\/\*[^*]*\*\/$/.test(rest) ? end : after;
  if (comma !== undefined) return splice(text, at, at, `${member},`);
  return splice(splice(text, at, at, member), last.end, last.end, ',');
}

function remove(text: string, parent: JsonObject, member: JsonMember): string {
  const index = parent.members.indexOf(member);
  const before = parent.members[index - 1];
  const behind = commaAfter(text, member.end);
  if (behind !== undefined && text.slice(member.end, behind).trim() !== '' && before === undefined) {
    // A comment stands between the member and its comma: both go, the comment stays.
    return splice(splice(text, behind, behind + 1, ''), member.at, member.end, '');
  }
  // With a comment in between, the comma belongs to what comes after it.
  const comma = behind !== undefined && text.slice(member.end, behind).trim() === '' ? behind : undefined;
  const startsLine = text.slice(lineStart(text, member.at), member.at).trim() === '';
  const end = comma === undefined ? member.end : comma + 1;
  const wholeLines = startsLine && text.slice(end, lineEnd(text, end)).trim() === '';
  const from = wholeLines ? lineStart(text, member.at) : member.at;
  const to = wholeLines ? nextLine(text, end) : end;
  if (comma !== undefined || before === undefined) {
    const left = splice(text, from, to, '');
    const inside = left.slice(parent.at + 1, parent.end - 1 - (to - from));
    // Braces with nothing left between them close again.
    return parent.members.length === 1 && inside.trim() === ''
      ? splice(left, parent.at + 1, parent.at + 1 + inside.length, '')
      : left;
  }
  // The last one takes the comma before it along; what stands between that comma and it stays.
  const commaBefore = commaAfter(text, before.end) ?? before.end;
  const between = text.slice(commaBefore + 1, from).trimEnd() === '' && !wholeLines;
  const cut = splice(text, between ? commaBefore + 1 : from, to, '');
  return splice(cut, commaBefore, commaBefore + 1, '');
}

/** The offset of the comma behind a value, comments skipped. */
function commaAfter(text: string, from: number): number | undefined {
  const trivia = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
  trivia.lastIndex = from;
  trivia.exec(text);
  return text[trivia.lastIndex] === ',' ? trivia.lastIndex : undefined;
}

function render(text: string, value: Entry, indent: string): string {
  return indentLines(JSON.stringify(value, null, indentUnit(text)), indent, endOfLineOf(text));
}

function isOneLine(text: string, { at, members }: JsonObject): boolean {
  const [first] = members;
  return first !== undefined && lineStart(text, first.at) <= at;
}

function spacing(text: string, { at, end }: JsonObject): ' ' | '' {
  return /[:,] /.test(text.slice(at, end)) ? ' ' : '';
}

function renderCompact(text: string, parent: JsonObject, value: Entry): string {
  const wide = spacing(text, parent) === ' ';
  return wide ? JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, ' ') : JSON.stringify(value);
}

function toValue(node: JsonNode): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'array') return node.items.map(toValue);
  return Object.fromEntries(node.members.map(({ key, value }) => [key, toValue(value)]));
}
