import { pathKind } from '../../platform/index.ts';
import { escapeControl } from '../../text/index.ts';
import type { Command } from '../command.ts';

const MOST_PROJECTS = 10_000;

/** Removes projects that are gone, and indexes over the limit. */
export const projectsPruneCommand: Command = {
  name: 'projects prune',
  group: 'See what Waymark sees',
  summary: 'Forget projects that are gone, with their indexes, and keep the cache within its limit',
  examples: ['waymark projects prune', 'waymark projects prune --cache-limit-mb 500'],
  places: ['index'],
  async run({ services, output }) {
    const { indexing, known, catalog } = await services();
    const removed = await indexing.catalog.tidy('asked');
    const forgotten: string[] = [];
    if ((await known.list(1)).length > 0) {
      const store = await catalog();
      for (const { root } of await store.list({ limit: MOST_PROJECTS })) {
        // An index that could not be removed would have no name any more.
        if (pathKind(root) === 'directory' || indexing.state(root).state !== 'missing') continue;
        if (await store.forget(root)) forgotten.push(root);
      }
    }
    const lines = [
      ...removed.map(({ index, reason }) => `removed ${index.root ?? index.file} (${reason})`),
      ...forgotten.map((root) => `forgot ${root}`),
    ];
    output.answer(lines.length === 0 ? 'Nothing to remove.' : lines.map(escapeControl).join('\n'), {
      removed: removed.map(({ index, reason }) => ({
        root: index.root ?? null,
        file: index.file,
        bytes: index.sizeBytes,
        reason,
      })),
      forgotten,
    });
  },
};
