/** What uncommitted changes reach: files that may break, and tests to run. */
import type { ComponentChildren } from 'preact';
import type { ImpactAnswer } from '../../src/dashboard/api.ts';
import { get } from '../api-client.ts';
import { baseName, whole } from '../format.ts';
import { html } from '../html.ts';
import { useCapped } from './capped.ts';
import { Skeleton, useLoad } from './load.ts';

const MOST_REACHED = 12;

export function Impact({
  project,
  onGo,
}: {
  readonly project: string;
  readonly onGo: (path: string) => void;
}): ComponentChildren {
  const { value, error } = useLoad(
    (signal) => get<ImpactAnswer>('map/impact', { root: project }, signal),
    [project],
  );
  const tests = value?.files.filter(({ isTest }) => isTest) ?? [];
  const others = value?.files.filter(({ isTest }) => !isTest) ?? [];
  return html`<section class="stack" aria-label="Impact of uncommitted changes">
    <h2>What your uncommitted changes reach</h2>
    ${error === undefined ? '' : html`<p class="muted">${error.message} ${error.hint ?? ''}</p>`}
    ${
      value === undefined
        ? error === undefined
          ? html`<${Skeleton} lines=${3} />`
          : ''
        : value.changed.length === 0
          ? html`<p class="muted">Nothing is uncommitted here.</p>`
          : html`<div class="card impact">
            <${Reached} title="Changed" files=${value.changed.map((path) => ({ path, note: '' }))} onGo=${onGo} />
            <${Reached}
              title="May break"
              files=${others.map(({ path, via, distance }) => ({
                path,
                note: distance === 1 ? '' : `through ${baseName(via)}`,
              }))}
              onGo=${onGo}
            />
            <${Reached} title="Tests to run" files=${tests.map(({ path }) => ({ path, note: '' }))} onGo=${onGo} />
          </div>`
    }
  </section>`;
}

function Reached({
  title,
  files,
  onGo,
}: {
  readonly title: string;
  readonly files: readonly { readonly path: string; readonly note: string }[];
  readonly onGo: (path: string) => void;
}): ComponentChildren {
  const { shown, more } = useCapped(files, MOST_REACHED, `files: ${title.toLowerCase()}`);
  if (files.length === 0) return '';
  return html`<div>
    <h3>${title} (${whole(files.length)})</h3>
    <ul class="files">
      ${shown.map(
        ({ path, note }) => html`<li key=${path}>
          <button type="button" class="link" onClick=${() => onGo(path)}>${path}</button>
          ${note === '' ? '' : html` <small>${note}</small>`}
        </li>`,
      )}
    </ul>
    ${more}
  </div>`;
}
