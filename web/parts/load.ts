/** A value that is asked for, and what to show until it is there or when it fails. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { PageError } from '../api-client.ts';
import { html } from '../html.ts';
import { Command } from './controls.ts';

export interface Loaded<Value> {
  readonly value: Value | undefined;
  readonly error: PageError | undefined;
  readonly isLoading: boolean;
  reload(): void;
}

/** Asks again when one of `keys` is another; the last value stays until the next is there. */
export function useLoad<Value>(
  load: ((signal: AbortSignal) => Promise<Value>) | undefined,
  keys: readonly unknown[],
): Loaded<Value> {
  const [state, setState] = useState<Omit<Loaded<Value>, 'reload'>>({
    value: undefined,
    error: undefined,
    isLoading: load !== undefined,
  });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (load === undefined) return;
    const leaving = new AbortController();
    setState((before) => ({ ...before, isLoading: true }));
    load(leaving.signal).then(
      (value) => {
        if (!leaving.signal.aborted) setState({ value, error: undefined, isLoading: false });
      },
      (thrown: unknown) => {
        if (!leaving.signal.aborted)
          setState({ value: undefined, error: toPageError(thrown), isLoading: false });
      },
    );
    return () => leaving.abort();
  }, [...keys, turn]);
  return { ...state, reload: () => setTurn((before) => before + 1) };
}

const LOOK_AGAIN_MS = 3_000;
const MOST_WAIT_MS = 60_000;

/** Asks again while files wait for their grammar; ever more seldom where nothing is parsed. */
export function useLookAgain(
  waiting: number,
  { value, reload }: Pick<Loaded<unknown>, 'value' | 'reload'>,
): void {
  const looked = useRef({ waiting, delayMs: LOOK_AGAIN_MS });
  useEffect(() => {
    if (waiting === 0) return;
    const isSame = looked.current.waiting === waiting;
    const delayMs = isSame ? Math.min(MOST_WAIT_MS, 2 * looked.current.delayMs) : LOOK_AGAIN_MS;
    looked.current = { waiting, delayMs };
    const timer = setTimeout(reload, delayMs);
    return () => clearTimeout(timer);
  }, [value]);
}

export function toPageError(thrown: unknown): PageError {
  return thrown instanceof PageError
    ? thrown
    : new PageError('unknown', 'Something broke in this page.', null);
}

export function Failure({ error }: { readonly error: PageError }): ComponentChildren {
  return html`<div class="notice bad" role="alert">
    <strong>${error.message}</strong>
    ${error.hint === null ? '' : html`<p>${error.hint}</p>`}
  </div>`;
}

/** A place that is not filled yet says what fills it. */
export function Empty({
  title,
  text,
  command,
}: {
  readonly title: string;
  readonly text: string;
  readonly command?: string | undefined;
}): ComponentChildren {
  return html`<div class="empty">
    <h2>${title}</h2>
    <p>${text}</p>
    ${command === undefined ? '' : html`<${Command} text=${command} />`}
  </div>`;
}

/** Grey lines of about the size of what comes, so that nothing jumps. */
export function Skeleton({ lines }: { readonly lines: number }): ComponentChildren {
  return html`<div class="skeleton" aria-hidden="true">
    ${Array.from({ length: lines }, (_, line) => html`<span key=${line}></span>`)}
  </div>`;
}
