/** A block between two marks in a text for people, such as AGENTS.md, or in a script. The text around it is not parsed. */
import { endOfLineOf, splice, type DocumentFormat, type Entry } from './document-format.ts';

interface Marks {
  readonly begin: string;
  readonly end: string;
}

export const blockFormat = formatWith({ begin: '<!-- waymark -->', end: '<!-- /waymark -->' });
export const scriptBlockFormat = formatWith({ begin: '// <waymark>', end: '// </waymark>' });

function formatWith(marks: Marks): DocumentFormat {
  const { begin, end } = marks;
  const render = ({ text }: Entry): string => `${begin}\n${typeof text === 'string' ? text : ''}\n${end}`;
  return {
    parse(text) {
      const found = findBlock(text, marks);
      if (found === undefined) return { rest: text };
      const inner = text.slice(found.from + begin.length, found.to - end.length).replaceAll('\r\n', '\n');
      return { rest: cutOut(text, marks), block: { waymark: { text: inner.trim() } } };
    },
    put(text, _place, entry) {
      const endOfLine = endOfLineOf(text);
      const block = render(entry).replaceAll('\n', endOfLine);
      const found = findBlock(text, marks);
      if (found !== undefined) return splice(text, found.from, found.to, block);
      // Keep a missing final line break missing, so that removal restores the file.
      return text.endsWith('\n')
        ? `${text}${endOfLine}${block}${endOfLine}`
        : `${text}${endOfLine}${endOfLine}${block}`;
    },
    drop: (text) => cutOut(text, marks),
    fresh: (_path, entry) => `${render(entry)}\n`,
  };
}

function findBlock(text: string, marks: Marks): { readonly from: number; readonly to: number } | undefined {
  const from = text.indexOf(marks.begin);
  const end = text.indexOf(marks.end, from);
  return from === -1 || end === -1 ? undefined : { from, to: end + marks.end.length };
}

/** With the block go the line break behind it and one blank line above it. */
function cutOut(text: string, marks: Marks): string {
  const found = findBlock(text, marks);
  if (found === undefined) return text;
  const behind = /^\r?\n/.exec(text.slice(found.to))?.[0].length ?? 0;
  const above = behind === 0 ? /(?:\r?\n){1,2}$/ : /(?<=\n)\r?\n$/;
  const before = above.exec(text.slice(0, found.from))?.[0].length ?? 0;
  return splice(text, found.from - before, found.to + behind, '');
}
