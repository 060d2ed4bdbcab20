/** Screen 5: what was learned, as a timeline; search, read, edit, compare versions, forget and take back. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { BranchesAnswer, EntriesAnswer, EntryRow } from '../../src/dashboard/api.ts';
import { get, post } from '../api-client.ts';
import { clockTime, day, kindWord, moment, whole, words } from '../format.ts';
import { html, valueOf } from '../html.ts';
import { Entry } from '../parts/entry.ts';
import { Chip, Heading } from '../parts/controls.ts';
import { Empty, Failure, Skeleton, toPageError, useLoad } from '../parts/load.ts';
import { root, say } from '../state.ts';

const KINDS = ['checkpoint', 'remediation', 'skill', 'fact', 'guide', 'collection'];

export function Memory(): ComponentChildren {
  const here = root.value;
  return html`<${Heading} title="Memory" lead="What agents and you noted in this project: read it, correct it, forget it." />
    ${
      here === undefined
        ? html`<${Empty}
          title="No project yet"
          text="Memory belongs to a project. Index one, or let an agent work in it."
          command="waymark index /path/to/project"
        />`
        : html`<${Timeline} key=${here} place=${here} />`
    }`;
}

function Timeline({ place }: { readonly place: string }): ComponentChildren {
  const [query, setQuery] = useState('');
  const [asked, setAsked] = useState('');
  const [kind, setKind] = useState('');
  const [isBin, setBin] = useState(false);
  const [branch, setBranch] = useState('');
  const [more, setMore] = useState<readonly EntryRow[]>([]);
  const [opened, setOpened] = useState<EntryRow | undefined>(undefined);
  const question = {
    root: place,
    query: asked,
    bin: String(isBin),
    ...(kind === '' ? {} : { kind }),
    ...(branch === '' ? {} : { branch }),
  };
  const first = useLoad(
    (signal) => get<EntriesAnswer>('memory', question, signal),
    [asked, kind, isBin, branch],
  );
  const [hasMore, setHasMore] = useState(false);
  useEffect(() => {
    setMore([]);
    setHasMore(first.value?.hasMore ?? false);
  }, [first.value]);
  // Searching while typing would ask for every letter.
  useEffect(() => {
    const timer = setTimeout(() => setAsked(query), 250);
    return () => clearTimeout(timer);
  }, [query]);
  const rows = [...(first.value?.rows ?? []), ...more];
  const told = useLoad((signal) => get<BranchesAnswer>('memory/branches', { root: place }, signal), []);
  const branches = told.value?.branches ?? [];
  const isFiltered = asked !== '' || kind !== '' || isBin || branch !== '';
  const sizes = first.value?.sizes ?? [];

  const loadMore = (): void => {
    get<EntriesAnswer>('memory', { ...question, offset: rows.length }).then(
      (next) => {
        setMore([...more, ...next.rows]);
        setHasMore(next.hasMore);
      },
      (thrown: unknown) => say(toPageError(thrown).message),
    );
  };
  const act = (path: 'memory/forget' | 'memory/undo', row: EntryRow, done: string): void => {
    post(path, { root: place, id: row.id }).then(
      () => {
        say(done);
        // The button that was pressed goes with its row.
        document.querySelector<HTMLElement>('h1')?.focus();
        first.reload();
      },
      (thrown: unknown) => say(toPageError(thrown).message),
    );
  };

  return html`<div class="tools">
      <label class="search">
        <span class="hidden">Search memory</span>
        <input
          type="search"
          placeholder="Search in any words"
          value=${query}
          onInput=${(event: Event) => setQuery(valueOf(event))}
        />
      </label>
      <label>
        <span class="hidden">Kind</span>
        <select value=${kind} onChange=${(event: Event) => setKind(valueOf(event))}>
          <option value="">all kinds</option>
          ${KINDS.map((name) => {
            const size = sizes.find((each) => each.kind === name)?.count ?? 0;
            return html`<option key=${name} value=${name}>${kindWord(name)} (${whole(size)})</option>`;
          })}
        </select>
      </label>
      <label>
        <span class="hidden">Branch</span>
        <select value=${branch} onChange=${(event: Event) => setBranch(valueOf(event))}>
          <option value="">all branches</option>
          ${branches.map(
            ({ branch: name, count: size }) =>
              html`<option key=${name} value=${name}>${name} (${whole(size)})</option>`,
          )}
        </select>
      </label>
      <button type="button" aria-pressed=${isBin} onClick=${() => setBin(!isBin)}>Bin</button>
    </div>
    ${first.error === undefined ? '' : html`<${Failure} error=${first.error} />`}
    ${
      first.value === undefined
        ? first.error === undefined
          ? html`<${Skeleton} lines=${8} />`
          : ''
        : rows.length === 0
          ? isFiltered
            ? html`<${Empty}
              title=${isBin ? 'The bin is empty' : 'Nothing like that'}
              text=${isBin ? 'What you forget stays here for 30 days.' : 'Use other words, another kind or branch.'}
            />`
            : html`<${Empty}
              title="Nothing noted yet"
              text="Agents note checkpoints, fixes and skills here. Connect one, and ask it to save a checkpoint before it stops."
              command="waymark setup"
            />`
          : html`<ol class="timeline" aria-busy=${first.isLoading}>
              ${groupByDay(rows).map(
                (group) => html`<li key=${group.title}>
                  <h2>${group.title}</h2>
                  <ul>
                    ${group.rows.map(
                      (row) => html`<${Row}
                        key=${row.id}
                        row=${row}
                        onOpen=${() => setOpened(row)}
                        onForget=${() => act('memory/forget', row, 'It is in the bin for 30 days.')}
                        onUndo=${() => act('memory/undo', row, 'It is back.')}
                      />`,
                    )}
                  </ul>
                </li>`,
              )}
            </ol>
            ${hasMore ? html`<button type="button" onClick=${loadMore}>Show more</button>` : ''}`
    }
    ${
      opened === undefined
        ? ''
        : html`<${Entry}
          place=${place}
          row=${opened}
          onClose=${() => setOpened(undefined)}
          onChange=${first.reload}
        />`
    }`;
}

interface Group {
  readonly title: string;
  readonly rows: EntryRow[];
}

const MOST_STALE = 3;

function listed(stale: readonly string[]): string {
  const left = stale.length - MOST_STALE;
  return `${stale.slice(0, MOST_STALE).join(', ')}${left > 0 ? `, and ${whole(left)} more` : ''}`;
}

/** In the order of the rows: when they were noted or forgotten; of a search, by relevance. */
function groupByDay(rows: readonly EntryRow[]): readonly Group[] {
  const groups: Group[] = [];
  for (const row of rows) {
    const title = row.why.length > 0 ? 'Found' : day(row.deletedAt ?? row.createdAt);
    const last = groups.at(-1);
    if (last?.title === title) last.rows.push(row);
    else groups.push({ title, rows: [row] });
  }
  return groups;
}

function Row({
  row,
  onOpen,
  onForget,
  onUndo,
}: {
  readonly row: EntryRow;
  readonly onOpen: () => void;
  readonly onForget: () => void;
  readonly onUndo: () => void;
}): ComponentChildren {
  const {
    kind,
    name,
    summary,
    branch,
    client,
    tags,
    createdAt,
    updatedAt,
    version,
    deletedAt,
    why,
    flags,
    stale,
  } = row;
  const noted = why.length > 0 ? moment(createdAt) : clockTime(createdAt);
  const when =
    deletedAt === null
      ? `${noted}${version > 1 ? `, version ${version} of ${moment(updatedAt)}` : ''}`
      : `forgotten ${clockTime(deletedAt)}`;
  return html`<li class="card entry">
    <div class="hit-head">
      <${Chip} look=${kind === 'checkpoint' ? 'accent' : kind === 'remediation' ? 'good' : ''}>${kindWord(kind)}<//>
      <h3><button type="button" class="link title" onClick=${onOpen}>${name}</button></h3>
      ${branch === null ? '' : html`<${Chip}>${branch}<//>`}
      ${flags.map((flag) => html`<${Chip} key=${flag} look="warn">${words(flag)}<//>`)}
      <small>${when}</small>
    </div>
    ${summary === name ? '' : html`<p class="said">${summary}</p>`}
    ${why.length === 0 ? '' : html`<p class="muted why-found">${why.join('; ')}</p>`}
    ${
      stale.length === 0
        ? ''
        : html`<p class="stale"><${Chip} look="warn">look again<//> <span>since it was noted, ${listed(stale)}</span></p>`
    }
    <div class="entry-foot">
      <small>${client}</small>
      ${tags.map((tag) => html`<${Chip} key=${tag}>${tag}<//>`)}
      ${
        deletedAt === null
          ? html`<button type="button" class="quiet" onClick=${onForget}>Forget<span class="hidden"> ${name}</span></button>`
          : html`<button type="button" onClick=${onUndo}>Take back<span class="hidden"> ${name}</span></button>`
      }
    </div>
  </li>`;
}
