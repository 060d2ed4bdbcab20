/** Screen 4: how every file was read and what was left out; why one file is not there. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { CoverageAnswer, CoverageFile, CoverageState, WhyAnswer } from '../../src/dashboard/api.ts';
import { get, type PageError } from '../api-client.ts';
import { count, percent, whole, words } from '../format.ts';
import { html, valueOf } from '../html.ts';
import { useCapped } from '../parts/capped.ts';
import { Chip, Figures, Heading, Shares } from '../parts/controls.ts';
import { Empty, Failure, Skeleton, toPageError, useLoad, useLookAgain } from '../parts/load.ts';
import { layOut, toTree, type Rectangle, type TreeNode } from '../parts/treemap.ts';
import { root } from '../state.ts';

interface StateWords {
  readonly state: CoverageState;
  readonly name: string;
  readonly means: string;
}

const STATES: readonly StateWords[] = [
  { state: 'exact', name: 'exact', means: 'read whole by their grammar' },
  { state: 'partly', name: 'with errors', means: 'with a part that their grammar could not read' },
  { state: 'fast', name: 'by outline', means: 'of languages without a grammar here' },
  { state: 'waiting', name: 'waiting', means: 'read by outline until their grammar has' },
  { state: 'failed', name: 'failed', means: 'their grammar failed; read by outline' },
];

const HEIGHT = 420;
const DEPTH = 2;
const MOST_LISTED = 25;
const MOST_LEFT_OUT = 15;

export function Coverage(): ComponentChildren {
  const here = root.value;
  return html`<${Heading}
      title="Coverage"
      lead="What search knows of this project: every file by how it was read, and what was left out and why."
    />
    ${
      here === undefined
        ? html`<${Empty}
          title="No project yet"
          text="Index a project, and see here how each of its files was read."
          command="waymark index /path/to/project"
        />`
        : html`<${Covered} key=${here} place=${here} />`
    }`;
}

function Covered({ place }: { readonly place: string }): ComponentChildren {
  const loaded = useLoad((signal) => get<CoverageAnswer>('coverage', { root: place }, signal), [place]);
  const { value, error } = loaded;
  const waiting = value?.files.filter(([, , , state]) => state === 'waiting').length ?? 0;
  useLookAgain(waiting, loaded);
  const [language, setLanguage] = useState('');
  const files = useMemo(
    () => (value?.files ?? []).filter(([, , its]) => language === '' || value?.languages[its] === language),
    [value, language],
  );
  if (error !== undefined) return html`<${Failure} error=${error} />`;
  if (value === undefined) return html`<${Skeleton} lines=${12} />`;
  return html`<${Why} place=${place} />
    <${Sums} answer=${value} />
    ${
      waiting === 0
        ? ''
        : html`<p class="notice">
            ${count(waiting, 'file waits', 'files wait')} for their grammar: a server parses them when it has nothing else to do,
            once an agent asks about the project or its index is updated.
          </p>`
    }
    ${
      value.files.length === 0
        ? html`<${Empty}
          title="The index is empty"
          text="No file of this project is indexed. What was left out stands below with its reason."
        />`
        : html`<${Map} files=${files} languages=${value.languages} language=${language} onLanguage=${setLanguage} />`
    }
    <${LeftOut} answer=${value} />`;
}

function Sums({ answer }: { readonly answer: CoverageAnswer }): ComponentChildren {
  const total = Math.max(1, answer.files.length);
  const sum = (state: CoverageState): number => answer.files.filter((file) => file[3] === state).length;
  const left = answer.leftOut.reduce((all, { count: each }) => all + each, 0);
  return html`<${Figures}
    figures=${[
      { label: 'Files', value: whole(answer.files.length), note: count(answer.languages.length, 'language') },
      ...STATES.filter(({ state }) => sum(state) > 0 || state === 'exact').map(({ state, name, means }) => ({
        label: name.replace(/^./, (letter) => letter.toUpperCase()),
        value: percent(sum(state) / total),
        note: `${count(sum(state), 'file')} ${means}`,
      })),
      { label: 'Left out', value: whole(left), note: 'files and folders' },
    ]}
  />`;
}

function Why({ place }: { readonly place: string }): ComponentChildren {
  const [path, setPath] = useState('');
  const [answer, setAnswer] = useState<WhyAnswer | undefined>(undefined);
  const [error, setError] = useState<PageError | undefined>(undefined);
  const ask = (event: Event): void => {
    event.preventDefault();
    if (path.trim() === '') return;
    get<WhyAnswer>('coverage/why', { root: place, path: path.trim() }).then(
      (found) => {
        setAnswer(found);
        setError(undefined);
      },
      (thrown: unknown) => setError(toPageError(thrown)),
    );
  };
  return html`<form class="card why-not" onSubmit=${ask}>
    <label for="why-path">Why is this file not there?</label>
    <div class="question">
      <input
        id="why-path"
        placeholder="src/generated/api.ts"
        value=${path}
        onInput=${(event: Event) => setPath(valueOf(event))}
      />
      <button type="submit">Explain</button>
    </div>
    <div aria-live="polite">
      ${error === undefined ? '' : html`<${Failure} error=${error} />`}
      ${answer === undefined || error !== undefined ? '' : html`<${Explained} answer=${answer} />`}
    </div>
  </form>`;
}

function Explained({ answer }: { readonly answer: WhyAnswer }): ComponentChildren {
  const { kind, path, reason, detail, failure } = answer;
  const rule = detail === null ? '' : html` <code>${detail}</code>`;
  switch (kind) {
    case 'listed':
      return html`<p>
        <${Chip} look="good">it is there<//> <span class="path">${path}</span>
        ${detail === null ? '' : html` kept by${rule}`}${failure === null ? '' : `; its grammar failed: ${failure}`}
      </p>`;
    case 'skipped':
      return html`<p><${Chip} look="warn">${words(reason ?? '')}<//> <span class="path">${path}</span>${rule}</p>`;
    case 'missing':
      return html`<p><${Chip} look="bad">no such file<//> <span class="path">${path}</span></p>`;
    case 'outside':
      return html`<p><${Chip} look="bad">not in this project<//> <span class="path">${path}</span></p>`;
  }
}

interface MapParts {
  readonly files: readonly CoverageFile[];
  readonly languages: readonly string[];
  readonly language: string;
  readonly onLanguage: (language: string) => void;
}

function Map({ files, languages, language, onLanguage }: MapParts): ComponentChildren {
  const [folder, setFolder] = useState('');
  const [width, setWidth] = useState(0);
  const place = useRef<HTMLDivElement>(null);
  // Before anything is drawn: what is below would move.
  useLayoutEffect(() => {
    const target = place.current;
    if (target === null) return;
    const sizes = new ResizeObserver(() => setWidth(target.clientWidth));
    sizes.observe(target);
    setWidth(target.clientWidth);
    return () => sizes.disconnect();
  }, []);
  const tree = useMemo(() => toTree(files, folder, DEPTH), [files, folder]);
  const shown = useMemo(() => (width === 0 ? [] : layOut(tree, width, HEIGHT)), [tree, width]);
  const steps = folder.split('/').slice(0, -1);
  return html`<section class="stack" aria-label="Files by folder">
    <div class="summary">
      <nav class="crumbs" aria-label="Folder">
        <button type="button" class="link" onClick=${() => setFolder('')}>all</button>
        ${steps.map((step, at) => {
          const path = `${steps.slice(0, at + 1).join('/')}/`;
          return html`<span key=${path}> / <button type="button" class="link" onClick=${() => setFolder(path)}>${step}</button></span>`;
        })}
      </nav>
      <label>
        <span class="hidden">Language</span>
        <select value=${language} onChange=${(event: Event) => onLanguage(valueOf(event))}>
          <option value="">all languages</option>
          ${languages.toSorted().map((name) => html`<option key=${name} value=${name}>${name}</option>`)}
        </select>
      </label>
    </div>
    <p class="legend">
      ${STATES.map(({ state, name }) => html`<span key=${state}><i class=${`swatch ${state}`} aria-hidden="true"></i>${name}</span>`)}
      <span class="muted">as large as its lines</span>
    </p>
    <div class="treemap" ref=${place} style=${{ height: `${HEIGHT}px` }}>
      ${shown.map((node) => html`<${Tile} key=${node.data.path} node=${node} onOpen=${setFolder} />`)}
    </div>
    <${Folders} tree=${tree} onOpen=${setFolder} />
  </section>`;
}

function stateOf({ states, files }: TreeNode): CoverageState {
  if (states.failed > 0 && states.failed * 10 >= files) return 'failed';
  const [most] = STATES.toSorted((a, b) => states[b.state] - states[a.state]);
  return most?.state ?? 'fast';
}

function Tile({
  node,
  onOpen,
}: {
  readonly node: Rectangle;
  readonly onOpen: (folder: string) => void;
}): ComponentChildren {
  const { data, x0, x1, y0, y1 } = node;
  const [width, height] = [x1 - x0, y1 - y0];
  const isFolder = data.path.endsWith('/');
  const box = { left: `${x0}px`, top: `${y0}px`, width: `${width}px`, height: `${height}px` };
  const look = `tile ${stateOf(data)} ${node.children === undefined ? '' : 'outer'}`;
  const errors = data.errorShare > 0 ? `, ${percent(data.errorShare)} not understood` : '';
  const title = `${data.path}: ${isFolder ? `${count(data.files, 'file')}, ` : ''}${count(data.lines, 'line')}${errors}`;
  const label = width > 44 && height > 16 ? data.name : '';
  // The list below says the same to readers and to the keyboard.
  return isFolder
    ? html`<button type="button" tabindex="-1" aria-hidden="true" class=${look} style=${box} title=${title} onClick=${() => onOpen(data.path)}>${label}</button>`
    : html`<span aria-hidden="true" class=${look} style=${box} title=${title}>${label}</span>`;
}

function Folders({
  tree,
  onOpen,
}: {
  readonly tree: TreeNode;
  readonly onOpen: (folder: string) => void;
}): ComponentChildren {
  const rows = tree.children.toSorted((a, b) => b.lines - a.lines);
  const { shown, more } = useCapped(rows, MOST_LISTED, 'folders and files');
  return html`<div class="card scroll" tabindex="0" role="region" aria-label="Folders and files">
    <table class="stacking">
      <thead>
        <tr>
          <th scope="col">Folder or file</th>
          <th scope="col">Read</th>
          <th scope="col" class="num">Files</th>
          <th scope="col" class="num">Lines</th>
        </tr>
      </thead>
      <tbody>
        ${shown.map((node) => {
          const said = STATES.filter(({ state }) => node.states[state] > 0)
            .map(({ state, name }) => `${whole(node.states[state])} ${name}`)
            .join(', ');
          return html`<tr key=${node.path}>
            <td>
              ${
                node.path.endsWith('/')
                  ? html`<button type="button" class="link" onClick=${() => onOpen(node.path)}>${node.name}</button>`
                  : html`<span class="path">${node.name}</span>`
              }
            </td>
            <td class="read">
              <${Shares}
                label=${said}
                parts=${STATES.map(({ state, name }) => ({ name, share: node.states[state], look: state }))}
              />
              ${
                node.errorShare > 0
                  ? html`<small>${percent(node.errorShare)} not understood</small>`
                  : node.path.endsWith('/') && node.states.partly > 0
                    ? html`<small>${count(node.states.partly, 'file')} with errors</small>`
                    : ''
              }
            </td>
            <td class="num" data-label=${node.files === 1 ? 'file' : 'files'}>${whole(node.files)}</td>
            <td class="num" data-label=${node.lines === 1 ? 'line' : 'lines'}>${whole(node.lines)}</td>
          </tr>`;
        })}
      </tbody>
    </table>
    ${more}
  </div>`;
}

function LeftOut({ answer }: { readonly answer: CoverageAnswer }): ComponentChildren {
  const [reason, setReason] = useState('');
  const rows = answer.skips.filter((skip) => reason === '' || skip.reason === reason);
  const { shown, more } = useCapped(rows, MOST_LEFT_OUT, 'paths');
  const all = answer.leftOut
    .filter(({ reason: name }) => reason === '' || name === reason)
    .reduce((sum, { count: size }) => sum + size, 0);
  if (answer.leftOut.length === 0) return '';
  return html`<section class="stack" aria-label="Left out">
    <h2>Left out</h2>
    <div class="actions">
      ${answer.leftOut.map(
        ({ reason: name, count: size }) =>
          html`<button
            key=${name}
            type="button"
            aria-pressed=${reason === name}
            onClick=${() => setReason(reason === name ? '' : name)}
          >
            ${words(name)} <span class="muted">${whole(size)}</span>
          </button>`,
      )}
    </div>
    <div class="card scroll" tabindex="0" role="region" aria-label="What was left out">
      <table class="stacking">
        <thead>
          <tr><th scope="col">Path</th><th scope="col">Reason</th><th scope="col">By</th></tr>
        </thead>
        <tbody>
          ${shown.map(
            (skip) => html`<tr key=${skip.path}>
              <td class="path">${skip.path}</td>
              <td>${words(skip.reason)}</td>
              <td><code>${skip.detail ?? ''}</code></td>
            </tr>`,
          )}
        </tbody>
      </table>
      ${more}
      ${all > rows.length ? html`<p class="muted">${whole(all - rows.length)} more are not listed; ask above about one of them.</p>` : ''}
    </div>
  </section>`;
}
