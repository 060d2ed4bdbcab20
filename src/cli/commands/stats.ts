import type { FreshState } from '../../indexing/index.ts';
import { countOf, escapeControl } from '../../text/index.ts';
import type { Command } from '../command.ts';
import { renderTable, type Column } from '../look/table.ts';
import { projectRoot } from '../project.ts';

/** Prints what is in the index of a project. */
export const statsCommand: Command = {
  name: 'stats',
  paged: true,
  group: 'See what Waymark sees',
  summary: 'Say what is in the index of a project',
  examples: ['waymark stats', 'waymark stats --json'],
  argument: { name: 'path', description: 'the project; the one you are in if left out' },
  async run({ services, output }, argument) {
    const { indexing, detector } = await services();
    const { renderEncoder, toEncoderValue } = await import('../../tools/index.ts');
    const root = await projectRoot(detector, argument);
    const stats = await indexing.stats(root);
    const encoder = await indexing.encoder(root);
    const state = await indexing.following.check(root);
    const width = output.window?.columns;
    const tableOf = (rows: readonly (readonly string[])[], columns: readonly Column[]): string =>
      renderTable(rows, columns, { width, indent: '  ' });
    const languages = stats.byLanguage.map(({ language, files, chunks }) => [
      language,
      countOf(files, 'file'),
      countOf(chunks, 'chunk'),
    ]);
    const parsed = stats.parsed.map(({ language, exact, failed, errorShare }) => [
      language,
      countOf(exact, 'file'),
      `${percent(errorShare)} not understood`,
      `${failed} failed`,
    ]);
    const skips = stats.bySkipReason.map(({ reason, count }) => [reason, String(count)]);
    output.answer(
      [
        `${escapeControl(root)}: ${countOf(stats.files, 'file')}, ${countOf(stats.chunks, 'chunk')}, ${countOf(stats.definitions, 'definition')}`,
        renderState(state),
        renderEncoder(encoder),
        ...(languages.length === 0 ? [] : [tableOf(languages, NUMBERS)]),
        ...(parsed.length === 0 ? [] : ['parsed exactly:', tableOf(parsed, NUMBERS)]),
        ...(skips.length === 0 ? [] : ['left out:', tableOf(skips, NUMBERS)]),
      ].join('\n'),
      { root, ...stats, index: toStateValue(state), encoder: toEncoderValue(encoder) },
    );
  },
};

/** A name, then numbers with their units. */
const NUMBERS: readonly Column[] = [
  { cut: 'end' },
  { align: 'right' },
  { align: 'right' },
  { align: 'right' },
];

/** A run that was stopped leaves a whole index of some of the files: only a look at all of them tells. */
function renderState(state: FreshState): string {
  switch (state.kind) {
    case 'fresh':
      return 'index: fresh';
    case 'changed':
      return `index: ${state.count} ${state.count === 1 ? 'file differs' : 'files differ'} from it; \`waymark index\` brings it up to date`;
    case 'updating':
      return 'index: updating';
    case 'unknown':
      return `index: could not be compared with the files (${state.why})`;
  }
}

function toStateValue(state: FreshState): Readonly<Record<string, unknown>> {
  return { state: state.kind, ...(state.kind === 'changed' ? { count: state.count } : {}) };
}

function percent(share: number): string {
  return `${(share * 100).toFixed(share > 0 && share < 0.001 ? 3 : 1)} %`;
}
