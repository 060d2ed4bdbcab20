/** Languages as people name them, and what kind of file theirs are. */
import { AppError } from '../core/index.ts';
import { quoteForeign } from '../text/index.ts';
import { languageOf } from './language-of.ts';
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

export interface WantedLanguages {
  /** Their ids; empty means every one. */
  readonly languages: readonly string[];
  /** By its name alone: the others are judged when they are read. */
  readonly otherLanguage: ((fileName: string) => string | undefined) | undefined;
}

/** The languages that a project is indexed for, as somebody wrote them into a setting. */
export function wantedLanguages(names: readonly string[]): WantedLanguages {
  const languages = names.flatMap((name) => {
    const known = languagesNamed(name);
    if (known.length > 0) return known;
    throw new AppError('bad_config', `languages: there is no language ${quoteForeign(name)}.`, {
      hint: 'Use a name such as `typescript`, or the ending of its files, such as `ts`.',
    });
  });
  if (languages.length === 0) return { languages, otherLanguage: undefined };
  const isWanted = new Set(languages);
  return {
    languages,
    otherLanguage(fileName) {
      const language = languageOf(fileName);
      return language === undefined || isWanted.has(language) ? undefined : language;
    },
  };
}

const KINDS: ReadonlyMap<string, LanguageKind> = new Map(
  Object.entries<Language>(LANGUAGES).map(([id, { kind }]) => [id, COMPONENTS.has(id) ? 'code' : kind]),
);

export function languageKind(language: string): LanguageKind | undefined {
  return KINDS.get(language);
}
