/** Screen 3: ask as an agent would, and see why each hit stands where it does; two queries side by side. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { HitValue, SearchAnswerValue, SearchRequestValue } from '../../src/dashboard/api.ts';
import { post, type PageError } from '../api-client.ts';
import { count, milliseconds, whole } from '../format.ts';
import { html, valueOf } from '../html.ts';
import { Code } from '../parts/code.ts';
import { Chip, copy, Heading } from '../parts/controls.ts';
import { Empty, Failure, Skeleton, toPageError } from '../parts/load.ts';
import { root } from '../state.ts';

interface Asked {
  readonly query: string;
  readonly lang: string;
  readonly path: string;
  readonly kind: string;
  readonly changed: boolean;
}

const NOTHING: Asked = { query: '', lang: '', path: '', kind: '', changed: false };
const KINDS = ['function', 'method', 'class', 'interface', 'type', 'constant', 'module'];
const MOST_REASONS = 6;

export function Playground(): ComponentChildren {
  const [isDouble, setDouble] = useState(false);
  const here = root.value;
  return html`<${Heading}
      title="Playground"
      lead="Ask what an agent would ask. Each hit says in plain words why it stands where it does."
    >
      <label class="switch">
        <input type="checkbox" checked=${isDouble} onChange=${() => setDouble(!isDouble)} />
        <span>Two queries side by side</span>
      </label>
    <//>
    ${
      here === undefined
        ? html`<${Empty}
          title="No project yet"
          text="Index a project, then ask about it here."
          command="waymark index /path/to/project"
        />`
        : html`<div class=${isDouble ? 'asks double' : 'asks'}>
          <${Ask} key=${`first ${here}`} place=${here} label="Question" />
          ${isDouble ? html`<${Ask} key=${`second ${here}`} place=${here} label="Second question" />` : ''}
        </div>`
    }`;
}

function Ask({ place, label }: { readonly place: string; readonly label: string }): ComponentChildren {
  const [asked, setAsked] = useState(NOTHING);
  const [answer, setAnswer] = useState<SearchAnswerValue | undefined>(undefined);
  const [error, setError] = useState<PageError | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  const [turn, setTurn] = useState(0);

  useEffect(() => {
    if (turn === 0) return;
    let isLeft = false;
    setBusy(true);
    post<SearchAnswerValue>('search', toRequest(place, asked)).then(
      (found) => {
        if (isLeft) return;
        setAnswer(found);
        setError(undefined);
        setBusy(false);
      },
      (thrown: unknown) => {
        if (isLeft) return;
        setAnswer(undefined);
        setError(toPageError(thrown));
        setBusy(false);
      },
    );
    return () => (isLeft = true);
  }, [turn]);

  const change =
    (field: 'query' | 'lang' | 'path' | 'kind') =>
    (event: Event): void =>
      setAsked((before) => ({ ...before, [field]: valueOf(event) }));
  return html`<section class="ask-pane" aria-label=${label}>
    <form
      onSubmit=${(event: Event) => {
        event.preventDefault();
        if (asked.query.trim() !== '') setTurn(turn + 1);
      }}
    >
      <div class="question">
        <label>
          <span class="hidden">${label}</span>
          <input
            type="search"
            name="query"
            placeholder="a sentence, a symbol, “exact text” or /regex/"
            value=${asked.query}
            onInput=${change('query')}
          />
        </label>
        <button type="submit" class="primary" disabled=${isBusy}>Search</button>
      </div>
      <details class="filters">
        <summary>Filters</summary>
        <div>
          <label><span>Languages</span><input placeholder="ts, python" value=${asked.lang} onInput=${change('lang')} /></label>
          <label><span>Paths</span><input placeholder="src/**, !**/*.test.ts" value=${asked.path} onInput=${change('path')} /></label>
          <label
            ><span>Kind</span>
            <select value=${asked.kind} onChange=${change('kind')}>
              <option value="">any</option>
              ${KINDS.map((kind) => html`<option key=${kind} value=${kind}>${kind}</option>`)}
            </select>
          </label>
          <label class="switch"
            ><input
              type="checkbox"
              checked=${asked.changed}
              onChange=${() => setAsked((before) => ({ ...before, changed: !before.changed }))}
            /><span>only uncommitted files</span></label
          >
        </div>
      </details>
    </form>
    <div aria-live="polite" aria-busy=${isBusy}>
      ${error === undefined ? '' : html`<${Failure} error=${error} />`}
      ${
        answer !== undefined
          ? html`<${Answer} answer=${answer} place=${place} asked=${asked} />`
          : isBusy
            ? html`<${Skeleton} lines=${12} />`
            : error === undefined
              ? html`<p class="hint muted">
                Try <em>how are sessions expired</em>, a name such as <code>parseConfig</code>, or
                <code>"retry after"</code>.
              </p>`
              : ''
      }
    </div>
  </section>`;
}

function toRequest(place: string, { query, lang, path, kind, changed }: Asked): SearchRequestValue {
  const list = (text: string): readonly string[] =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  return {
    root: place,
    query,
    ...(list(lang).length === 0 ? {} : { lang: list(lang) }),
    ...(list(path).length === 0 ? {} : { path: list(path) }),
    ...(kind === '' ? {} : { kind: [kind] }),
    ...(changed ? { changed } : {}),
  };
}

function Answer({
  answer,
  place,
  asked,
}: {
  readonly answer: SearchAnswerValue;
  readonly place: string;
  readonly asked: Asked;
}): ComponentChildren {
  const { hits, nearest, matched, files, ms, stages, notes, readAs, words } = answer;
  const most = Math.max(1, ...hits.flatMap(({ reasons }) => reasons.map(({ points }) => Math.abs(points))));
  const asCall = (): void => {
    const { root: project, ...rest } = toRequest(place, asked);
    copy(JSON.stringify({ name: 'search_code', arguments: { ...rest, project } }, null, 2), 'Call');
  };
  return html`<div class="summary">
      <p>
        ${matched === 0 ? 'Nothing matched' : `${count(matched, 'file')} matched`} of ${whole(files)}, in
        ${` ${milliseconds(ms)}`}
        ${readAs.map((text) => html`<${Chip} key=${text}>${text}<//>`)}
      </p>
      <button type="button" onClick=${asCall}>Copy as MCP call</button>
    </div>
    <details class="stages">
      <summary>What happened, step by step</summary>
      <table>
        <thead>
          <tr><th scope="col">Step</th><th scope="col" class="num">Files left</th><th scope="col" class="num">Time</th></tr>
        </thead>
        <tbody>
          ${stages.map(
            (stage) => html`<tr key=${stage.name}>
              <td>${stage.name}</td>
              <td class="num">${stage.files === null ? '' : whole(stage.files)}</td>
              <td class="num">${milliseconds(stage.ms)}</td>
            </tr>`,
          )}
        </tbody>
      </table>
    </details>
    ${notes.map((note) => html`<p key=${note} class="notice">${note}</p>`)}
    ${
      hits.length === 0
        ? html`<div class="empty">
          <h2>No hit</h2>
          <p>Use other words, or take filters away.</p>
          ${nearest.map((near) => html`<p key=${near.path} class="path">nearest: ${near.path}:${near.startLine}</p>`)}
        </div>`
        : html`<ol class="hits">
          ${hits.map((hit) => html`<${Hit} key=${`${hit.path}:${hit.startLine}`} ...${{ hit, place, words, most }} />`)}
        </ol>`
    }`;
}

interface HitParts {
  readonly hit: HitValue;
  readonly place: string;
  readonly words: readonly string[];
  readonly most: number;
}

function Hit({ hit, place, words, most }: HitParts): ComponentChildren {
  const where = `${hit.path}:${hit.startLine}`;
  const strongest = hit.reasons.filter(({ points }) => Math.abs(points) >= 0.05).slice(0, MOST_REASONS);
  const address = `vscode://file${encodeURI(`${place}/${hit.path}`)}:${hit.startLine}`;
  return html`<li class="card hit">
    <div class="hit-head">
      <span class="rank" aria-hidden="true">${hit.rank}</span>
      <h2>
        ${hit.symbol === null ? '' : html`<span class="symbol">${hit.symbol}</span> `}
        <span class="path">${where}</span>
      </h2>
      ${hit.kind === null ? '' : html`<${Chip}>${hit.kind}<//>`}
      <span class="score">${hit.score.toFixed(1)}<small> points</small></span>
    </div>
    ${
      hit.lines.length === 0
        ? ''
        : html`<${Code} lines=${hit.lines} startLine=${hit.startLine} marked=${words} label=${`Code of ${where}`} />`
    }
    <div class="why">
      <ul aria-label="Why it stands here">
        ${strongest.map(
          ({ meaning, points }) => html`<li key=${meaning}>
            <span class=${points < 0 ? 'bar minus' : 'bar'} aria-hidden="true"
              ><i style=${{ width: `${(Math.abs(points) / most) * 100}%` }}></i
            ></span>
            <span class="num">${points >= 0 ? '+' : '−'}${Math.abs(points).toFixed(1)}</span>
            <span>${meaning}</span>
          </li>`,
        )}
      </ul>
      <p class="links">
        <a href=${address}>Open in editor<span class="hidden">: ${where}</span></a>
        <button type="button" class="quiet" onClick=${() => copy(`${place}/${where}`, 'Path')}>
          Copy path<span class="hidden"> of ${where}</span>
        </button>
      </p>
    </div>
  </li>`;
}
