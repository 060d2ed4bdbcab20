/** One entry of memory, opened: all that is kept of it, its versions, and a way to correct it. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { EntryDetails, EntryRow } from '../../src/dashboard/api.ts';
import { get, post } from '../api-client.ts';
import { kindWord, moment, percent, words } from '../format.ts';
import { html, valueOf } from '../html.ts';
import { say } from '../state.ts';
import { Chip } from './controls.ts';
import { Dialog } from './dialog.ts';
import { Diff } from './diff.ts';
import { Failure, Skeleton, toPageError, useLoad } from './load.ts';

export function Entry({
  place,
  row,
  onClose,
  onChange,
}: {
  readonly place: string;
  readonly row: EntryRow;
  readonly onClose: () => void;
  readonly onChange: () => void;
}): ComponentChildren {
  const loaded = useLoad(
    (signal) => get<EntryDetails>('memory/entry', { root: place, id: row.id }, signal),
    [row.id],
  );
  const [isEditing, setEditing] = useState(false);
  const { value, error } = loaded;
  return html`<${Dialog} title=${row.name} onClose=${onClose}>
    ${error === undefined ? '' : html`<${Failure} error=${error} />`}
    ${
      value === undefined
        ? error === undefined
          ? html`<${Skeleton} lines=${6} />`
          : ''
        : isEditing
          ? html`<${Edit}
            place=${place}
            entry=${value}
            onDone=${() => {
              setEditing(false);
              loaded.reload();
              onChange();
            }}
            onCancel=${() => setEditing(false)}
          />`
          : html`<${Read} entry=${value} onEdit=${() => setEditing(true)} />`
    }
  <//>`;
}

const FILE_LOOKS: Readonly<Record<string, string>> = { unchanged: 'good', changed: 'warn', missing: 'bad' };

function Read({
  entry,
  onEdit,
}: {
  readonly entry: EntryDetails;
  readonly onEdit: () => void;
}): ComponentChildren {
  const { kind, branch, commit, client, origin, createdAt, updatedAt, confidence, version, deletedAt } =
    entry;
  return html`<div class="summary">
      <p>
        <${Chip} look="accent">${kindWord(kind)}<//> ${branch === null ? '' : html`<${Chip}>${branch}<//>`}
        ${commit === null ? '' : html` <code>${commit.slice(0, 10)}</code>`}
        <small>
          ${' '}by ${client} (${origin}), ${moment(createdAt)}${
            updatedAt === createdAt ? '' : `, changed ${moment(updatedAt)}`
          }, confidence ${percent(confidence)}</small
        >
      </p>
      ${deletedAt === null ? html`<button type="button" onClick=${onEdit}>Edit</button>` : ''}
    </div>
    <pre class="plain read" tabindex="0">${entry.content}</pre>
    ${Object.entries(entry.fields).map(
      ([name, text]) =>
        html`<h3>${words(name)}</h3>
          <pre class="plain" tabindex="0">${text}</pre>`,
    )}
    ${
      entry.metadata === '{}'
        ? ''
        : html`<h3>Kept beside it</h3>
          <pre class="plain" tabindex="0">${entry.metadata}</pre>`
    }
    ${
      entry.files.length === 0
        ? ''
        : html`<h3>Files it speaks of</h3>
          <ul class="files">
            ${entry.files.map(
              ({ path, state }) =>
                html`<li key=${path}><${Chip} look=${FILE_LOOKS[state] ?? ''}>${state}<//> <span class="path">${path}</span></li>`,
            )}
          </ul>`
    }
    ${version > 1 ? html`<${Versions} entry=${entry} />` : ''}`;
}

function Versions({ entry }: { readonly entry: EntryDetails }): ComponentChildren {
  const { versions } = entry;
  return html`<h3>Versions</h3>
    ${versions.slice(0, -1).map((version, at) => {
      const before = versions[at + 1];
      return before === undefined
        ? ''
        : html`<details key=${version.version} open=${at === 0}>
            <summary>
              Version ${version.version}, ${moment(version.updatedAt)}, by ${version.client}
            </summary>
            <${Diff} before=${before.content} after=${version.content} />
          </details>`;
    })}`;
}

function Edit({
  place,
  entry,
  onDone,
  onCancel,
}: {
  readonly place: string;
  readonly entry: EntryDetails;
  readonly onDone: () => void;
  readonly onCancel: () => void;
}): ComponentChildren {
  const [summary, setSummary] = useState(entry.summary);
  const [content, setContent] = useState(entry.content);
  const [tags, setTags] = useState(entry.tags.join(', '));
  const [isBusy, setBusy] = useState(false);
  const save = (event: Event): void => {
    event.preventDefault();
    setBusy(true);
    const list = tags
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== '');
    const edit = {
      ...(summary === entry.summary ? {} : { summary }),
      ...(content === entry.content ? {} : { content }),
      ...(list.join() === entry.tags.join() ? {} : { tags: list }),
    };
    post('memory/edit', { root: place, id: entry.id, ...edit }).then(
      () => {
        say('Saved; the earlier version is kept.');
        onDone();
      },
      (thrown: unknown) => {
        setBusy(false);
        say(toPageError(thrown).message);
      },
    );
  };
  return html`<form class="edit" onSubmit=${save}>
    <label
      ><span>Summary</span
      ><input value=${summary} maxlength="10000" onInput=${(event: Event) => setSummary(valueOf(event))}
    /></label>
    <label
      ><span>Content</span
      ><textarea rows="12" value=${content} onInput=${(event: Event) => setContent(valueOf(event))}></textarea>
    </label>
    <label
      ><span>Tags, with commas between</span
      ><input value=${tags} onInput=${(event: Event) => setTags(valueOf(event))}
    /></label>
    <div class="actions">
      <button type="submit" class="primary" disabled=${isBusy}>Save</button>
      <button type="button" onClick=${onCancel}>Cancel</button>
    </div>
  </form>`;
}
