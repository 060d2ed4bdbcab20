/** Commands about all projects that Waymark knows: list them, remove what is gone. */
import { findHome } from '../../config/index.ts';
import { pathKind } from '../../platform/index.ts';
import { escapeControl, renderSize } from '../../text/index.ts';
import type { Command, Services } from '../command.ts';
import { shortPath } from '../look/paths.ts';
import { renderTable, type Column } from '../look/table.ts';
import { renderWhen } from '../look/times.ts';
import type { Output } from '../output.ts';

interface ProjectRow {
  readonly name: string;
  readonly root: string;
  readonly usedAt: string;
  /** 0 where there is no index. */
  readonly indexBytes: number;
  readonly isGone: boolean;
}

const MOST_PROJECTS = 10_000;

/** Lists the projects Waymark knows, and what their indexes weigh. */
export const projectsCommand: Command = {
  name: 'projects',
  paged: true,
  group: 'See what Waymark sees',
  summary: 'List known projects and the size of their indexes',
  examples: ['waymark projects', 'waymark projects --json', 'waymark projects prune'],
  async run({ services, output, env }) {
    const opened = await services();
    const { rows, allBytes } = await listProjects(opened);
    const otherBytes = rows.reduce((rest, { indexBytes }) => rest - indexBytes, allBytes);
    const { window, paint } = output;
    const now = opened.clock.now();
    const home = findHome(env) ?? '';
    const cells = rows.map(({ name, root, usedAt, indexBytes, isGone }) => [
      escapeControl(name),
      window === undefined ? escapeControl(root) : shortPath(root, home),
      sizeOf(indexBytes),
      `${renderWhen(Date.parse(usedAt), now, window !== undefined)}${isGone ? ' (gone)' : ''}`,
    ]);
    const table = renderTable(cells, columnsOf(output), {
      width: window?.columns,
      paintHeader: paint.dim,
    });
    output.answer(
      rows.length === 0
        ? 'No project is known yet.'
        : [
            table,
            ...(window === undefined ? [] : ['']),
            ...(otherBytes > 0 ? [`of projects that are not known  ${renderSize(otherBytes)}`] : []),
            `all indexes together: ${renderSize(allBytes)}`,
          ].join('\n'),
      rows,
    );
  },
};

/** A header is for people: a pipe gets rows alone. */
function columnsOf({ window, paint }: Output): readonly Column[] {
  const headed = (header: string): { readonly header?: string } => (window === undefined ? {} : { header });
  return [
    { ...headed('PROJECT'), cut: 'end', paint: paint.bold },
    { ...headed('PATH'), cut: 'middle' },
    { ...headed('INDEX'), align: 'right' },
    headed('USED'),
  ];
}

interface ProjectList {
  readonly rows: readonly ProjectRow[];
  /** Of indexes whose project is not known, too: they take room all the same. */
  readonly allBytes: number;
}

async function listProjects({ indexing, known, catalog }: Services): Promise<ProjectList> {
  const indexes = await indexing.catalog.list();
  // Asking what is known must not make a catalogue.
  const projects =
    (await known.list(1)).length === 0 ? [] : await (await catalog()).list({ limit: MOST_PROJECTS });
  const rows = projects.map(({ name, root, seenAt }) => ({
    name,
    root,
    usedAt: new Date(seenAt).toISOString(),
    indexBytes: bytesOf(indexes.filter((index) => index.root === root)),
    isGone: pathKind(root) !== 'directory',
  }));
  return { rows, allBytes: bytesOf(indexes) };
}

function bytesOf(indexes: readonly { readonly sizeBytes: number }[]): number {
  return indexes.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}

function sizeOf(bytes: number): string {
  return bytes === 0 ? 'no index' : renderSize(bytes);
}

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
        if (pathKind(root) === 'directory' || (await indexing.state(root)).state !== 'missing') continue;
        if (await store.forget(root)) forgotten.push(root);
      }
    }
    const lines = [
      ...removed.map(({ index, reason }) => `removed ${index.root ?? index.id} (${reason})`),
      ...forgotten.map((root) => `forgot ${root}`),
    ];
    output.answer(lines.length === 0 ? 'Nothing to remove.' : lines.map(escapeControl).join('\n'), {
      removed: removed.map(({ index, reason }) => ({
        root: index.root ?? null,
        file: index.id,
        bytes: index.sizeBytes,
        reason,
      })),
      forgotten,
    });
  },
};
