/** Markup as tagged templates: every value in it becomes text or a property, never markup. */
import htm from 'htm';
import { h, type ComponentChildren } from 'preact';

export const html: (strings: TemplateStringsArray, ...values: unknown[]) => ComponentChildren = htm.bind(h);

/** Of the field that an event came from. */
export function valueOf(event: Event): string {
  const { target } = event;
  return target instanceof HTMLInputElement ||
    target instanceof HTMLSelectElement ||
    target instanceof HTMLTextAreaElement
    ? target.value
    : '';
}
