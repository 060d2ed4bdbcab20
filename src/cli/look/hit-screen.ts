/** Hits on a terminal: each with the lines that matter, numbers in one column, nothing wider than the window. Pure. */
import { symbolOf, type Hit } from '../../search/index.ts';
import { countOf, escapeControl } from '../../text/index.ts';
import { colorLine } from './code-line.ts';
import { tellingLines } from './telling-lines.ts';
import type { Paint } from './theme.ts';
import { fit, widthOf } from './width.ts';

interface HitScreen {
  readonly words: readonly string[];
  readonly columns: number;
  /** Of each hit; all of them if left out. */
  readonly mostLines?: number | undefined;
  readonly paint: Paint;
  readonly placeOf: (hit: Hit) => string;
}

const TAB = '    ';

export function renderHits(hits: readonly Hit[], screen: HitScreen): string {
  const { words, mostLines = Infinity } = screen;
  const shown = hits.map((hit) => ({ hit, lines: tellingLines(hit, words, mostLines) }));
  const width = Math.max(2, ...shown.flatMap(({ lines }) => lines.map(({ number }) => `${number}`.length)));
  return shown
    .map(({ hit, lines }) =>
      [
        renderHeading({ ...hit, startLine: lines[0]?.number ?? hit.startLine }, screen),
        ...lines.map(({ number, text }) => renderRow(`${number}`.padStart(width), text, hit, screen)),
      ].join('\n'),
    )
    .join('\n\n');
}

/** Every matching line, below the path of its file. */
export function renderMatches(hits: readonly Hit[], screen: HitScreen): string {
  const width = Math.max(2, ...hits.map(({ startLine }) => `${startLine}`.length));
  let above: Hit | undefined;
  return hits
    .flatMap((hit) => {
      const isNew = above?.path !== hit.path || above.root !== hit.root;
      const blank = above === undefined ? [] : [''];
      above = hit;
      const row = renderRow(`${hit.startLine}`.padStart(width), hit.lines[0] ?? '', hit, screen);
      return isNew ? [...blank, renderHeading({ ...hit, definition: undefined }, screen), row] : [row];
    })
    .join('\n');
}

function renderRow(
  number: string,
  text: string,
  { language }: Hit,
  { words, columns, paint }: HitScreen,
): string {
  const room = columns - number.length - 5;
  const code = fit(escapeControl(text.replaceAll('\t', TAB)), room, 'end');
  return `  ${paint.dim(`${number} │`)} ${colorLine(code, { words, language, paint })}`.trimEnd();
}

/** `src/a.ts:10  Store.get (method)  +4 more places`; the path is what one copies, so the rest is cut. */
function renderHeading(hit: Hit, { columns, paint, placeOf }: HitScreen): string {
  const place = placeOf(hit);
  const symbol = symbolOf(hit);
  const about = [
    ...(symbol === undefined ? [] : [`${symbol} (${hit.definition?.kind ?? ''})`]),
    ...(hit.moreLines.length === 0 ? [] : [`+${countOf(hit.moreLines.length, 'more place')}`]),
  ].join('  ');
  const room = columns - widthOf(place) - 2;
  const shown = room < 4 ? '' : fit(escapeControl(about), room, 'end');
  return `${paint.bold(paint.accent(place))}${shown === '' ? '' : `  ${paint.dim(shown)}`}`;
}
