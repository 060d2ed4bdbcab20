/** Small parts that screens share. */
import type { ComponentChildren } from 'preact';
import { html } from '../html.ts';
import { say } from '../state.ts';

export function copy(text: string, what: string): void {
  navigator.clipboard.writeText(text).then(
    () => say(`${what} copied.`),
    () => say('The browser did not let the page copy. Select the text instead.'),
  );
}

/** A command to paste into a terminal. */
export function Command({ text }: { readonly text: string }): ComponentChildren {
  return html`<div class="command">
    <code>${text}</code>
    <button type="button" onClick=${() => copy(text, 'Command')}>Copy</button>
  </div>`;
}

export function Heading({
  title,
  lead,
  children,
}: {
  readonly title: string;
  readonly lead: string;
  readonly children?: ComponentChildren;
}): ComponentChildren {
  return html`<header class="heading">
    <div>
      <h1 tabindex="-1">${title}</h1>
      <p>${lead}</p>
    </div>
    ${children === undefined ? '' : html`<div class="actions">${children}</div>`}
  </header>`;
}

export interface Figure {
  readonly label: string;
  readonly value: string;
  readonly note?: string | undefined;
}

export function Figures({ figures }: { readonly figures: readonly Figure[] }): ComponentChildren {
  return html`<dl class="figures">
    ${figures.map(
      ({ label, value, note }) =>
        html`<div key=${label}>
          <dt>${label}</dt>
          <dd>${value}${note === undefined ? '' : html`<small>${note}</small>`}</dd>
        </div>`,
    )}
  </dl>`;
}

/** Shares of a whole as one bar; the same is said in words. */
export function Shares({
  parts,
  label,
}: {
  readonly parts: readonly { readonly name: string; readonly share: number; readonly look: string }[];
  readonly label: string;
}): ComponentChildren {
  return html`<span class="shares" role="img" aria-label=${label}>
    ${parts
      .filter(({ share }) => share > 0)
      .map(
        ({ name, share, look }) =>
          html`<i key=${name} class=${look} style=${{ flexGrow: String(share) }} title=${name}></i>`,
      )}
  </span>`;
}

export function Chip({
  look = '',
  children,
}: {
  readonly look?: string;
  readonly children: ComponentChildren;
}): ComponentChildren {
  return html`<span class=${`chip ${look}`}>${children}</span>`;
}
