/** What was done, said over the page for a while: never over what the keyboard is at, and gone with the next click. */
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { html } from '../html.ts';
import { message, unsay } from '../state.ts';

export function Message(): ComponentChildren {
  const place = useRef<HTMLDivElement>(null);
  const [isAbove, setAbove] = useState(false);
  const text = message.value;
  // Before the click does anything: what it leads to may be said as well.
  useEffect(() => {
    addEventListener('click', unsay, true);
    return () => removeEventListener('click', unsay, true);
  }, []);
  useLayoutEffect(() => {
    const said = place.current;
    if (text === '' || said === null) return;
    const focused = document.activeElement?.closest('.ask, button, input, textarea') ?? undefined;
    const at = focused?.getBoundingClientRect();
    setAbove(
      at !== undefined && at.bottom > innerHeight - 2 * said.offsetHeight - GAP && at.top < innerHeight,
    );
  }, [text]);
  return html`<div ref=${place} class=${isAbove ? 'message above' : 'message'} role="status" aria-live="polite">
    ${text}
  </div>`;
}

/** Below it and above it. */
const GAP = 40;
