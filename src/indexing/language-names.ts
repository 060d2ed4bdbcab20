/** Languages as people name them, and what kind of file theirs are. */
import { LANGUAGES, type Language, type LanguageKind } from './languages.ts';

/** Markup that is mostly code: components. */
const COMPONENTS = new Set(['vue', 'svelte']);

/** The languages meant by an id, a name or a file ending; empty if nobody knows it. */
export function languagesNamed(name: string): string[] {
  const wanted = name.toLowerCase().replace(/^\./, '');
  // Object.entries forgets the key type; the values are the table's.
  const entries = Object.entries(LANGUAGES) as [string, Language][];
  const exact = entries.filter(([id, language]) => id === wanted || language.name.toLowerCase() === wanted);
  const found =
    exact.length > 0 ? exact : entries.filter(([, { extensions }]) => extensions.includes(wanted));
  return wanted === 'text' ? ['text'] : found.map(([id]) => id);
}

const KINDS: ReadonlyMap<string, LanguageKind> = new Map(
  Object.entries<Language>(LANGUAGES).map(([id, { kind }]) => [id, COMPONENTS.has(id) ? 'code' : kind]),
);

export function languageKind(language: string): LanguageKind | undefined {
  return KINDS.get(language);
}
