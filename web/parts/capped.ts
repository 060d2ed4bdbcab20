/** A list that shows its beginning, and the rest when asked: no project makes the page endless. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { whole } from '../format.ts';
import { html } from '../html.ts';

/** Even who asks for everything gets a page that scrolls. */
const MOST_EVER = 2_000;

export interface Capped<Row> {
  readonly shown: readonly Row[];
  /** A button, where rows are left. */
  readonly more: ComponentChildren;
}

export function useCapped<Row>(rows: readonly Row[], most: number, what: string): Capped<Row> {
  const [isAll, setAll] = useState(false);
  const limit = isAll ? MOST_EVER : most;
  const left = rows.length - limit;
  // A button for one row takes the room of the row.
  const shown = left > 1 ? rows.slice(0, limit) : rows;
  if (rows.length <= most + 1) return { shown, more: '' };
  const more = isAll
    ? html`<button type="button" class="more" aria-expanded="true" onClick=${() => setAll(false)}>
          Show fewer<span class="hidden"> ${what}</span>
        </button>
        ${left > 1 ? html`<small>The first ${whole(MOST_EVER)} of ${whole(rows.length)}.</small>` : ''}`
    : html`<button type="button" class="more" aria-expanded="false" onClick=${() => setAll(true)}>
        Show all ${whole(rows.length)}<span class="hidden"> ${what}</span>
      </button>`;
  return { shown, more };
}
