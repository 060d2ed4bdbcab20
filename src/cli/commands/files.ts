import type { Skip } from '../../core/index.ts';
import { escapeControl } from '../../text/index.ts';
import { explainPath, type PathExplanation } from '../../workspace/index.ts';
import type { Command } from '../command.ts';
import { renderTable } from '../look/table.ts';
import { projectRoot } from '../project.ts';

/** Lists what the index leaves out and why, or explains one path. */
export const filesCommand: Command = {
  name: 'files',
  paged: true,
  group: 'See what Waymark sees',
  summary: 'Say which files the index leaves out, and why',
  examples: [
    'waymark files',
    'waymark files --why src/generated/api.ts',
    'waymark files ~/code/web-shop --why',
  ],
  places: ['index'],
  argument: { name: 'path', description: 'the project; the one you are in if left out' },
  options: [
    {
      name: 'why',
      valueName: 'file',
      mayStandAlone: true,
      description: 'explain one file, relative to the project; all that is left out if none is named',
    },
  ],
  async run({ services, output }, argument, options) {
    const { indexing, detector } = await services();
    const root = await projectRoot(detector, argument);
    const path = options['why'];
    if (typeof path === 'string') {
      const explained = explainPath(root, path, indexing.scopeOf(root).list);
      const { state } = await indexing.state(root);
      const failures = state === 'missing' ? [] : await indexing.parseFailures(root);
      const failure = failures.find(
        (failed) => explained.kind === 'listed' && failed.path === explained.path,
      );
      const noted = failure === undefined ? explained : { ...explained, note: failure };
      const lines = [renderExplained(explained), ...(failure === undefined ? [] : [renderFailure(failure)])];
      output.answer(lines.map(escapeControl).join('\n'), noted);
      return explained.kind === 'listed' ? 0 : 1;
    }
    const skips = await indexing.skips(root);
    // In the index all the same, by their outline.
    const failures = (await indexing.parseFailures(root)).map((failed) => ({ ...failed, indexed: true }));
    output.answer(
      output.window === undefined
        ? [...skips.map(renderSkip), ...failures.map(renderFailure)].map(escapeControl).join('\n')
        : renderLeftOut([...skips, ...failures], output.window.columns),
      [...skips, ...failures],
    );
    return 0;
  },
};

/** On a terminal: what fits it, in columns. */
function renderLeftOut(
  files: readonly (Pick<Skip, 'path' | 'detail'> & { readonly reason: string })[],
  width: number,
): string {
  if (files.length === 0) return 'Nothing is left out.';
  const rows = files.map(({ reason, path, detail = '' }) =>
    [reason.replaceAll('_', ' '), path, detail].map(escapeControl),
  );
  return renderTable(rows, [{}, { cut: 'middle' }, { cut: 'end' }], { width });
}

function renderExplained(explained: PathExplanation): string {
  switch (explained.kind) {
    case 'listed': {
      const { path, rule } = explained;
      const kept = rule === undefined ? '' : `  (${rule.file}:${rule.line} ${rule.pattern})`;
      return `indexed  ${path === '' ? './' : path}${kept}`;
    }
    case 'skipped':
      return renderSkip(explained.skip);
    case 'missing':
      return `missing  ${explained.path}  (there is no such file)`;
    case 'outside':
      return `outside  ${explained.path}  (not in the project)`;
  }
}

function renderSkip({ path, reason, detail }: Skip): string {
  return `${reason}  ${path}${detail === undefined ? '' : `  (${detail})`}`;
}

/** In the index all the same. */
function renderFailure({
  path,
  reason,
  detail,
}: Readonly<Record<'path' | 'reason' | 'detail', string>>): string {
  return `${reason}  ${path}  (${detail}; searchable by its outline)`;
}
