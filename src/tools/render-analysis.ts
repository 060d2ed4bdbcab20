/** An analysis as an aligned table, for people and models alike. */
import { RANK_LISTS, type Analysis, type AnalyzedHit, type RankList } from '../search/index.ts';
import { escapeControl } from '../text/index.ts';

const HEADS: Readonly<Record<RankList, string>> = {
  chunks: 'chunk words',
  file: 'file words',
  names: 'names',
  path: 'path',
  nearest: 'nearest',
};

export function renderAnalysis(analysis: Analysis): string {
  return [
    ...renderReading(analysis),
    ...analysis.encoderNotes.map(({ text }) => text),
    '',
    ...alignColumns([
      ['stage', 'files', 'ms'],
      ...analysis.stages.map(({ name, count, ms }) => [
        name,
        count === undefined ? '' : String(count),
        ms.toFixed(2),
      ]),
    ]),
    '',
    ...alignColumns([
      ['#', 'score', ...RANK_LISTS.map((list) => HEADS[list]), 'hit'],
      ...analysis.hits.map((hit) => [
        String(hit.rank),
        hit.score.toFixed(2),
        ...RANK_LISTS.map((list) => String(hit.ranks[list] ?? '-')),
        placeOf(hit),
      ]),
    ]),
    ...analysis.hits.flatMap((hit) => ['', ...renderFeatures(hit)]),
  ].join('\n');
}

/** How the query was understood, a line for each part. */
export function renderReading({ words, isSymbol, names, phrases, pattern, filters }: Analysis): string[] {
  const { changed, branch, ...lists } = filters;
  const given = [
    ...Object.entries<readonly string[]>(lists)
      .filter(([, values]) => values.length > 0)
      .map(([name, values]) => `${name} ${values.join(', ')}`),
    ...(changed ? ['changed'] : []),
    ...(branch === undefined ? [] : [`branch ${branch}`]),
  ];
  const parts: readonly (readonly [string, readonly string[]])[] = [
    [isSymbol ? 'symbol' : 'words', words],
    ['names', names],
    ['exact', phrases],
    ['expression', pattern === undefined ? [] : [pattern]],
    ['filters', given],
  ];
  return parts
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => escapeControl(`${name}: ${values.join(', ')}`.slice(0, 500)));
}

function renderFeatures(hit: AnalyzedHit): string[] {
  const rows = hit.features.map(({ feature, meaning, value, weight, points }) => [
    `${points >= 0 ? '+' : ''}${points.toFixed(2)}`,
    `${value.toFixed(2)} × ${weight.toFixed(2)}`,
    feature,
    meaning,
  ]);
  return [`${hit.rank}. ${placeOf(hit)}`, ...alignColumns(rows).map((row) => `   ${row}`)];
}

function placeOf({ path, startLine }: AnalyzedHit): string {
  return escapeControl(`${path}:${startLine}`);
}

/** Figures to the right, words to the left. */
export function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  const isFigure = widths.map((_, column) =>
    rows.slice(1).every((row) => /^[-+\d.\s]*$/.test(row[column] ?? '')),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return isFigure[column] === true ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd(),
  );
}
