/** Markup as tagged templates: every value in it becomes text or a property, never markup, and text is shown as the terminal shows it. */
import htm from 'htm';
import { h, type ComponentChildren } from 'preact';
import { escapeControlKeepingLines } from '../src/text/shown-text.ts';

/** What is read out or shown when something is pointed at: text too. */
const SHOWN = ['title', 'aria-label'];

/**
 * Names and texts of others may hold characters that turn the order of what stands beside them around, or that are not seen: they are
 * shown as escapes. The values of fields stay what they are, so that saving one changes nothing else.
 */
function shown(...[type, properties, ...children]: Parameters<typeof h>): ReturnType<typeof h> {
  const given: Record<string, unknown> = { ...properties };
  for (const name of SHOWN) given[name] &&= safe(given[name]);
  return h(type, given, ...children.map(safe));
}

function safe<Value>(value: Value): Value | string {
  return typeof value === 'string' ? escapeControlKeepingLines(value) : value;
}

export const html: (strings: TemplateStringsArray, ...values: unknown[]) => ComponentChildren =
  htm.bind(shown);

/** Of the field that an event came from. */
export function valueOf(event: Event): string {
  const { target } = event;
  return target instanceof HTMLInputElement ||
    target instanceof HTMLSelectElement ||
    target instanceof HTMLTextAreaElement
    ? target.value
    : '';
}
