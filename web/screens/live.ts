/** Screen 2: calls as they come; one that is opened shows exactly what the agent read. */
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { CallDetails, CallRow, LiveEvent, LiveTotals } from '../../src/dashboard/api.ts';
import { follow, get } from '../api-client.ts';
import { baseName, clockTime, compact, count, milliseconds, whole } from '../format.ts';
import { html, valueOf } from '../html.ts';
import { Chart } from '../parts/chart.ts';
import { Chip, copy, Figures, Heading } from '../parts/controls.ts';
import { Dialog } from '../parts/dialog.ts';
import { Empty, Failure, Skeleton, useLoad } from '../parts/load.ts';
import { overview } from '../state.ts';

/** More rows are no more than can be read, and would make the page slow at 200 calls a second. */
const MOST_ROWS = 200;

interface Seen {
  readonly rows: readonly CallRow[];
  readonly unlisted: number;
  readonly totals: LiveTotals;
}

export function Live(): ComponentChildren {
  const [seen, setSeen] = useState<Seen | undefined>(undefined);
  const [isOpen, setOpen] = useState(true);
  const [isHeld, setHeld] = useState(false);
  const [held, setHeldRows] = useState<Seen | undefined>(undefined);
  const [filter, setFilter] = useState('');
  const [opened, setOpened] = useState<CallRow | undefined>(undefined);

  useEffect(
    () => follow<LiveEvent>('live', (event) => setSeen((before) => toSeen(before, event)), setOpen),
    [],
  );
  const shown = isHeld ? held : seen;
  const rows = useMemo(() => (shown?.rows ?? []).filter((row) => matches(row, filter)), [shown, filter]);

  return html`<${Heading}
      title="Live"
      lead="Calls of all your agents as they come, over HTTP and stdio. Open one to read exactly what the agent read."
    >
      <label class="search">
        <span class="hidden">Filter calls</span>
        <input
          type="search"
          placeholder="Filter by client, tool or question"
          value=${filter}
          onInput=${(event: Event) => setFilter(valueOf(event))}
        />
      </label>
      <button
        type="button"
        aria-pressed=${isHeld}
        onClick=${() => {
          setHeldRows(seen);
          setHeld(!isHeld);
        }}
      >
        ${isHeld ? 'Go on' : 'Hold'}
      </button>
    <//>
    ${isOpen ? '' : html`<p class="notice bad" role="alert">The server does not answer. Trying again …</p>`}
    ${
      seen === undefined
        ? html`<${Skeleton} lines=${8} />`
        : seen.totals.calls === 0
          ? html`<${Empty}
            title="No call yet"
            text="Ask an agent that is connected about your code: its calls appear here at once, those of agents that start Waymark themselves too."
            command=${overview.value?.connect}
          />`
          : html`<${Totals} totals=${seen.totals} />
            <${Over} totals=${seen.totals} />
            <${Calls} rows=${rows} unlisted=${shown?.unlisted ?? 0} onOpen=${setOpened} />`
    }
    ${opened === undefined ? '' : html`<${Opened} row=${opened} onClose=${() => setOpened(undefined)} />`}`;
}

function toSeen(before: Seen | undefined, { calls, unlisted, totals }: LiveEvent): Seen {
  const known = new Set(before?.rows.map(({ id }) => id));
  // After a broken connection the stream begins again with what is kept.
  const rows = [...calls.filter(({ id }) => !known.has(id)).toReversed(), ...(before?.rows ?? [])];
  return { rows: rows.slice(0, MOST_ROWS), unlisted: (before?.unlisted ?? 0) + unlisted, totals };
}

function matches(row: CallRow, filter: string): boolean {
  const wanted = filter.toLowerCase();
  return [row.client, row.tool, row.question, row.project ?? ''].some((text) =>
    text.toLowerCase().includes(wanted),
  );
}

function Totals({ totals }: { readonly totals: LiveTotals }): ComponentChildren {
  const { calls, errors, tokens, fileTokens } = totals;
  return html`<${Figures}
    figures=${[
      { label: 'Calls', value: whole(calls), note: errors === 0 ? 'none failed' : `${whole(errors)} failed` },
      { label: 'Tokens served by searches', value: compact(tokens), note: 'of the calls below, about' },
      {
        label: 'Tokens of the files shown',
        value: compact(fileTokens),
        note: 'what reading them whole would cost, about',
      },
      {
        label: 'Served of that',
        value: fileTokens === 0 ? '–' : `${((tokens / fileTokens) * 100).toFixed(1)} %`,
        note: fileTokens === 0 ? 'no search yet' : `${compact(Math.max(0, fileTokens - tokens))} not read`,
      },
    ]}
  />`;
}

function Over({ totals: { series } }: { readonly totals: LiveTotals }): ComponentChildren {
  const times = series.map(({ at }) => at);
  const last = series.findLast(({ calls }) => calls > 0);
  return html`<section class="charts" aria-label="The last five minutes">
    <div class="card">
      <h2>Calls, per 5 seconds</h2>
      <${Chart}
        times=${times}
        show=${whole}
        label=${`Calls in the last five minutes: ${count(
          series.reduce((sum, { calls }) => sum + calls, 0),
          'call',
        )}`}
        lines=${[{ label: 'calls', colour: 'accent', values: series.map(({ calls }) => calls), isFilled: true }]}
      />
    </div>
    <div class="card">
      <h2>Latency</h2>
      <${Chart}
        times=${times}
        show=${milliseconds}
        label=${
          last === undefined
            ? 'No latency yet'
            : `Latency last: median ${milliseconds(last.p50 ?? 0)}, 95th percentile ${milliseconds(last.p95 ?? 0)}`
        }
        lines=${[
          { label: 'median', colour: 'accent', values: series.map(({ p50 }) => p50) },
          { label: '95th percentile', colour: 'warn', values: series.map(({ p95 }) => p95) },
        ]}
      />
    </div>
  </section>`;
}

function Calls({
  rows,
  unlisted,
  onOpen,
}: {
  readonly rows: readonly CallRow[];
  readonly unlisted: number;
  readonly onOpen: (row: CallRow) => void;
}): ComponentChildren {
  return html`<div class="card scroll" tabindex="0" role="region" aria-label="Calls">
    <table class="calls stacking">
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col">Call</th>
          <th scope="col">Client</th>
          <th scope="col">Project</th>
          <th scope="col" class="num">Took</th>
          <th scope="col" class="num">Tokens</th>
          <th scope="col" class="num">Hits</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map((row) => html`<${Row} key=${row.id} row=${row} onOpen=${onOpen} />`)}
      </tbody>
    </table>
    ${rows.length === 0 ? html`<p class="muted">No call fits the filter.</p>` : ''}
    ${unlisted === 0 ? '' : html`<p class="muted">${count(unlisted, 'call')} came too fast to be listed.</p>`}
  </div>`;
}

function Row({
  row,
  onOpen,
}: {
  readonly row: CallRow;
  readonly onOpen: (row: CallRow) => void;
}): ComponentChildren {
  return html`<tr>
    <td class="time">${clockTime(row.at)}</td>
    <td class="call">
      <button type="button" class="link" onClick=${() => onOpen(row)}>${row.tool}</button>
      ${row.isError ? html`${' '}<${Chip} look="bad">failed<//>` : ''}
      <span class="asked">${row.question}</span>
    </td>
    <td>${row.client}</td>
    <td title=${row.project ?? ''}>${row.project === null ? '–' : baseName(row.project)}</td>
    <td class="num">${milliseconds(row.ms)}</td>
    <td class="num" data-label=${row.tokens === 1 ? 'token' : 'tokens'}>
      ${whole(row.tokens)}${row.fileTokens === null ? '' : html`<small> of ${compact(row.fileTokens)}</small>`}
    </td>
    ${
      row.hits === null
        ? html`<td class="num none">–</td>`
        : html`<td class="num" data-label=${row.hits === 1 ? 'hit' : 'hits'}>${whole(row.hits)}</td>`
    }
  </tr>`;
}

function Opened({
  row,
  onClose,
}: {
  readonly row: CallRow;
  readonly onClose: () => void;
}): ComponentChildren {
  const { value, error } = useLoad(
    (signal) => get<CallDetails>('live/call', { id: row.id }, signal),
    [row.id],
  );
  return html`<${Dialog} title=${`${row.tool}, ${clockTime(row.at)}`} onClose=${onClose}>
    <p class="muted">
      ${row.client}${row.project === null ? '' : ` in ${row.project}`}: ${milliseconds(row.ms)}, about
      ${` ${count(row.tokens, 'token')}`}
    </p>
    ${error === undefined ? '' : html`<${Failure} error=${error} />`}
    ${value === undefined && error === undefined ? html`<${Skeleton} lines=${6} />` : ''}
    ${
      value === undefined
        ? ''
        : html`<h3>Asked</h3>
          <pre class="plain" tabindex="0">${indented(value.args)}</pre>
          <div class="summary">
            <h3>What the agent read</h3>
            <button type="button" onClick=${() => copy(value.text ?? '', 'Answer')}>Copy</button>
          </div>
          <pre class="plain read" tabindex="0">${value.text ?? 'It had to make room for later calls.'}</pre>`
    }
  <//>`;
}

/** What was cut is no JSON any more, and is shown as it is. */
function indented(args: string): string {
  try {
    return JSON.stringify(JSON.parse(args), null, 2);
  } catch {
    return args;
  }
}
