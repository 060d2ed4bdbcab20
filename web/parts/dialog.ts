/** Something opened over the page: the browser's own dialog keeps the focus in it, and Escape closes it. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { html } from '../html.ts';

export function Dialog({
  title,
  onClose,
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}): ComponentChildren {
  const place = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    place.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return html`<dialog
    ref=${place}
    aria-label=${title}
    onClose=${onClose}
    onClick=${(event: Event) => {
      // Beside it: the backdrop is the dialog itself.
      if (event.target === place.current) place.current?.close();
    }}
  >
    <div class="dialog">
      <header>
        <h2>${title}</h2>
        <button type="button" class="quiet" onClick=${() => place.current?.close()}>Close</button>
      </header>
      ${children}
    </div>
  </dialog>`;
}
