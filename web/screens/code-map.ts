/** Screen 6: who uses what. Folders first, then what is around one file; cycles are marked. */
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { MapAnswer, MapNode } from '../../src/dashboard/api.ts';
import { get } from '../api-client.ts';
import { baseName, count, whole } from '../format.ts';
import { html, valueOf } from '../html.ts';
import { useCapped } from '../parts/capped.ts';
import { Chip, Heading } from '../parts/controls.ts';
import { drawGraph, type PlacedNode } from '../parts/graph.ts';
import { Impact } from '../parts/impact.ts';
import { Empty, Failure, Skeleton, useLoad, useLookAgain } from '../parts/load.ts';
import { root } from '../state.ts';

interface Place {
  readonly folder?: string;
  readonly file?: string;
}

const MOST_LABELS = 60;
const MOST_ALONE = 24;
const MOST_ROWS = 40;

export function CodeMap(): ComponentChildren {
  const here = root.value;
  return html`<${Heading}
      title="Code map"
      lead="Which part uses which: folders first, then a file and what is around it. Cycles are marked."
    />
    ${
      here === undefined
        ? html`<${Empty}
          title="No project yet"
          text="Index a project to see how its parts depend on each other."
          command="waymark index /path/to/project"
        />`
        : html`<${Mapped} key=${here} project=${here} />`
    }`;
}

function Mapped({ project }: { readonly project: string }): ComponentChildren {
  const [place, setPlace] = useState<Place>({ folder: '' });
  const [file, setFile] = useState('');
  const loaded = useLoad((signal) => get<MapAnswer>('map', { root: project, ...place }, signal), [place]);
  const { value, error, isLoading } = loaded;
  useLookAgain(value?.waiting ?? 0, loaded);
  // A folder that holds nothing but another one says nothing by itself.
  const [only] = value?.nodes.length === 1 && value.folder !== null ? value.nodes : [];
  const inner = only?.kind === 'folder' ? only.id : undefined;
  useEffect(() => {
    if (inner !== undefined) setPlace({ folder: inner });
  }, [inner]);
  return html`<div class="tools">
      <nav class="crumbs" aria-label="Folder">
        <${Crumbs} place=${place} onGo=${setPlace} />
      </nav>
      <form
        class="question"
        onSubmit=${(event: Event) => {
          event.preventDefault();
          if (file.trim() !== '') setPlace({ file: file.trim() });
        }}
      >
        <label
          ><span class="hidden">File</span
          ><input placeholder="src/main.ts" value=${file} onInput=${(event: Event) => setFile(valueOf(event))}
        /></label>
        <button type="submit">Show file</button>
      </form>
    </div>
    ${error === undefined ? '' : html`<${Failure} error=${error} />`}
    ${
      value === undefined || inner !== undefined
        ? error === undefined
          ? html`<${Skeleton} lines=${11} />`
          : ''
        : html`<div aria-busy=${isLoading} class="stack">
          ${
            value.waiting === 0
              ? ''
              : html`<p class="notice">
                ${count(value.waiting, 'file')} still wait to be parsed; what they use is not drawn yet.
              </p>`
          }
          ${
            value.nodes.length === 0
              ? html`<${Empty}
                title="Nothing to draw"
                text="No indexed file lies here. Index the project, or go up a folder."
              />`
              : html`<${Picture} map=${value} onGo=${setPlace} /> <${Cycles} map=${value} onGo=${setPlace} />
                  <${Listed} map=${value} onGo=${setPlace} />`
          }
        </div>`
    }
    ${
      // Below what takes longest: it would be pushed away.
      (value === undefined || inner !== undefined) && error === undefined
        ? ''
        : html`<${Impact} project=${project} onGo=${(path: string) => setPlace({ file: path })} />`
    }`;
}

function Crumbs({
  place,
  onGo,
}: {
  readonly place: Place;
  readonly onGo: (place: Place) => void;
}): ComponentChildren {
  const path = place.file ?? place.folder ?? '';
  const steps = path.split('/').filter((step) => step !== '');
  return html`<button type="button" class="link" onClick=${() => onGo({ folder: '' })}>all</button>
    ${steps.map((step, at) => {
      const folder = `${steps.slice(0, at + 1).join('/')}/`;
      const isLast = at === steps.length - 1;
      return html`<span key=${folder}>
        ${' / '}${
          isLast
            ? html`<b class="path">${step}</b>`
            : html`<button type="button" class="link" onClick=${() => onGo({ folder })}>${step}</button>`
        }
      </span>`;
    })}`;
}

function toPlace({ id, kind }: Pick<PlacedNode, 'id' | 'kind'>): Place {
  return kind === 'folder' ? { folder: id } : { file: id };
}

function Picture({
  map,
  onGo,
}: {
  readonly map: MapAnswer;
  readonly onGo: (place: Place) => void;
}): ComponentChildren {
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [near, setNear] = useState<string | undefined>(undefined);
  // Before anything is drawn: what is below would move.
  useLayoutEffect(() => {
    const target = frame.current;
    if (target === null) return;
    const sizes = new ResizeObserver(() => setWidth(target.clientWidth));
    sizes.observe(target);
    setWidth(target.clientWidth);
    return () => sizes.disconnect();
  }, []);
  const height = width < 600 ? 420 : 520;
  const { linked, alone } = useMemo(() => splitAlone(map), [map]);
  const drawing = useMemo(
    () => (width === 0 || linked.nodes.length === 0 ? undefined : drawGraph(linked, width, height)),
    [linked, width, height],
  );
  const isLabelled = linked.nodes.length <= MOST_LABELS;
  const inCycle = map.nodes.filter(({ cycle }) => cycle !== null).length;
  const holding = map.nodes.filter(({ kind, cyclic }) => kind === 'folder' && cyclic > 0).length;
  return html`<p class="legend">
      ${
        map.file === null
          ? html`<span><i class="swatch folder" aria-hidden="true"></i>folder, sized by its files</span>`
          : ''
      }
      <span><i class="swatch file" aria-hidden="true"></i>file</span>
      ${
        inCycle === 0
          ? ''
          : html`<span><i class="swatch bad" aria-hidden="true"></i>in a cycle with others here (${whole(inCycle)})</span>`
      }
      ${
        holding === 0
          ? ''
          : html`<span><i class="swatch ring" aria-hidden="true"></i>holds files of a cycle (${whole(holding)})</span>`
      }
      ${map.unlisted === 0 ? '' : html`<span>${whole(map.unlisted)} more not drawn</span>`}
    </p>
    ${
      linked.nodes.length === 0
        ? html`<p class="muted">
          ${map.waiting === 0 ? 'Nothing here uses another part that is here.' : 'No use between these parts is known yet.'}
        </p>`
        : ''
    }
    <div class=${linked.nodes.length === 0 ? 'graph none' : 'graph'} ref=${frame} style=${{ height: `${height}px` }}>
      ${
        drawing === undefined
          ? ''
          : html`<svg
            viewBox=${`0 0 ${width} ${height}`}
            width=${width}
            height=${height}
            aria-hidden="true"
            focusable="false"
          >
            ${drawing.edges.map(({ from, to, count: size, isCycle }) => {
              const isNear = near === from.id || near === to.id;
              return html`<line
                key=${`${from.id} ${to.id}`}
                class=${`edge ${isCycle ? 'cycle' : ''} ${isNear ? 'near' : ''}`}
                x1=${from.x}
                y1=${from.y}
                x2=${to.x}
                y2=${to.y}
                stroke-width=${Math.min(4, 0.8 + Math.log2(size) / 2)}
              />`;
            })}
            ${drawing.nodes.map(
              (node) => html`<g
                key=${node.id}
                class=${`node ${node.kind} ${node.cycle === null ? '' : 'cycle'} ${node.kind === 'folder' && node.cyclic > 0 ? 'holds' : ''} ${node.id === map.file ? 'here' : ''}`}
                onClick=${() => onGo(toPlace(node))}
                onMouseEnter=${() => setNear(node.id)}
                onMouseLeave=${() => setNear(undefined)}
              >
                <title>${node.id}</title>
                <circle cx=${node.x} cy=${node.y} r=${node.radius} />
                ${
                  isLabelled || node.kind === 'folder' || node.distance === 0 || near === node.id
                    ? html`<text x=${node.x} y=${node.y + node.radius + 13} text-anchor="middle">${baseName(node.id)}</text>`
                    : ''
                }
              </g>`,
            )}
          </svg>`
      }
    </div>
    ${alone.length === 0 ? '' : html`<${Alone} nodes=${alone} isKnown=${map.waiting === 0} onGo=${onGo} />`}`;
}

/** What has no edge would only be scattered over the picture. */
function splitAlone(map: MapAnswer): { readonly linked: MapAnswer; readonly alone: readonly MapNode[] } {
  const ends = new Set(map.edges.flatMap(({ from, to }) => [from, to]));
  const isDrawn = ({ id }: MapNode): boolean => ends.has(id) || id === map.file;
  return {
    linked: { ...map, nodes: map.nodes.filter(isDrawn) },
    alone: map.nodes.filter((node) => !isDrawn(node)),
  };
}

function Alone({
  nodes,
  isKnown,
  onGo,
}: {
  readonly nodes: readonly MapNode[];
  readonly isKnown: boolean;
  readonly onGo: (place: Place) => void;
}): ComponentChildren {
  const { shown, more } = useCapped(nodes, MOST_ALONE, 'parts that stand alone');
  return html`<p class="alone">
    <span class="muted">${isKnown ? 'Alone here:' : 'No use known yet:'}</span>
    ${shown.map(
      (node) =>
        html`<button key=${node.id} type="button" class="link" onClick=${() => onGo(toPlace(node))}>
          ${baseName(node.id)}${node.kind === 'folder' ? '/' : ''}
        </button>`,
    )}
    ${more}
  </p>`;
}

/** Of the whole project, whatever part of it is drawn. */
function Cycles({
  map: { cycles },
  onGo,
}: {
  readonly map: MapAnswer;
  readonly onGo: (place: Place) => void;
}): ComponentChildren {
  if (cycles.count === 0) return '';
  return html`<details class="card cycles">
    <summary>${count(cycles.count, 'import cycle')} of ${count(cycles.files, 'file')} in this project</summary>
    <ol class="stack">
      ${cycles.largest.map(
        ({ files, paths }) => html`<li key=${paths[0]}>
          <h3>${count(files, 'file')}</h3>
          <ul class="files">
            ${paths.map(
              (path) =>
                html`<li key=${path}>
                  <button type="button" class="link" onClick=${() => onGo({ file: path })}>${path}</button>
                </li>`,
            )}
          </ul>
          ${files > paths.length ? html`<small>and ${whole(files - paths.length)} more</small>` : ''}
        </li>`,
      )}
    </ol>
    ${
      cycles.count > cycles.largest.length
        ? html`<p class="muted">The ${whole(cycles.largest.length)} largest are listed.</p>`
        : ''
    }
  </details>`;
}

/** The same as words, for readers and the keyboard. */
function Listed({
  map,
  onGo,
}: {
  readonly map: MapAnswer;
  readonly onGo: (place: Place) => void;
}): ComponentChildren {
  const sum = (id: string, end: 'from' | 'to'): number => map.edges.filter((edge) => edge[end] === id).length;
  const rows = map.nodes
    .map((node) => ({ ...node, uses: sum(node.id, 'from'), users: sum(node.id, 'to') }))
    .toSorted((a, b) => a.distance - b.distance || b.users - a.users || (a.id < b.id ? -1 : 1));
  const { shown, more } = useCapped(rows, MOST_ROWS, 'parts');
  return html`<details class="card">
    <summary>The same as a list</summary>
    <div class="scroll" tabindex="0" role="region" aria-label="Parts of the map">
      <table class="stacking">
        <thead>
          <tr>
            <th scope="col">Part</th>
            <th scope="col" class="num">Files</th>
            <th scope="col" class="num">Uses</th>
            <th scope="col" class="num">Used by</th>
            <th scope="col">Cycle</th>
          </tr>
        </thead>
        <tbody>
          ${shown.map(
            (node) => html`<tr key=${node.id}>
              <td><button type="button" class="link" onClick=${() => onGo(toPlace(node))}>${node.id}</button></td>
              <td class="num" data-label=${node.files === 1 ? 'file' : 'files'}>${whole(node.files)}</td>
              <td class="num" data-label=${node.uses === 1 ? 'use' : 'uses'}>${whole(node.uses)}</td>
              <td class="num" data-label=${node.users === 1 ? 'user' : 'users'}>${whole(node.users)}</td>
              <td>
                ${
                  node.cycle !== null
                    ? html`<${Chip} look="bad">cycle ${node.cycle}<//>`
                    : node.kind === 'folder' && node.cyclic > 0
                      ? html`<small>${count(node.cyclic, 'file')} within</small>`
                      : ''
                }
              </td>
            </tr>`,
          )}
        </tbody>
      </table>
      ${more}
    </div>
  </details>`;
}
