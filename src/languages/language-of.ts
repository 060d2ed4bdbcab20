/**
 * Which language a file is written in: by its name, then its extension, then the interpreter on its first line. And the reverse:
 * which languages a user's word for one means.
 */
import { AppError } from '../core/index.ts';
import { quoteForeign } from '../text/index.ts';
import { type Language, type LanguageId, type LanguageKind, LANGUAGES } from './languages.ts';
import { GRAMMAR_OF, type ParsableLanguage } from './syntax/grammar-files.ts';
import { HOLDS_SCRIPTS } from './syntax/read-scripts.ts';

// An absent interpreter line, or one without a program after it, names nothing.
const SHEBANG = /^#!\s*(\S+)(?:\s+(.*))?$/;
const MOST_SHEBANG_CHARS = 256;

interface Names {
  readonly byExtension: ReadonlyMap<string, LanguageId>;
  readonly byFileName: ReadonlyMap<string, LanguageId>;
  readonly byShebang: ReadonlyMap<string, LanguageId>;
}

const NAMES = collectNames();

export function languageOf(path: string, firstLine = ''): LanguageId | undefined {
  const fileName = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return (
    NAMES.byFileName.get(fileName) ??
    byExtension(fileName) ??
    NAMES.byFileName.get(fileName.slice(0, fileName.indexOf('.') + 1)) ??
    byShebang(firstLine)
  );
}

function byExtension(fileName: string): LanguageId | undefined {
  const dot = fileName.lastIndexOf('.');
  return dot <= 0 ? undefined : NAMES.byExtension.get(fileName.slice(dot + 1));
}

function byShebang(firstLine: string): LanguageId | undefined {
  if (!firstLine.startsWith('#!')) return undefined;
  const match = SHEBANG.exec(firstLine.slice(0, MOST_SHEBANG_CHARS).trimEnd());
  const words = [match?.[1] ?? '', ...(match?.[2] ?? '').split(/\s+/)];
  const programs = words.map((word) => word.slice(word.lastIndexOf('/') + 1));
  // `env -S node --flag`: the first word that is neither env, an option nor an assignment.
  const program = programs.find((word) => word !== '' && word !== 'env' && !/^-|=/.test(word));
  return program === undefined
    ? undefined
    : NAMES.byShebang.get(program.toLowerCase().replace(/[\d.]+$/, ''));
}

function collectNames(): Names {
  const byExtensionName = new Map<string, LanguageId>();
  const byFileName = new Map<string, LanguageId>();
  const byShebangName = new Map<string, LanguageId>();
  // Object.entries forgets the key type; the keys are exactly those of the table.
  for (const [id, language] of Object.entries(LANGUAGES) as [LanguageId, Language][]) {
    for (const name of language.extensions) if (!byExtensionName.has(name)) byExtensionName.set(name, id);
    for (const name of language.fileNames ?? []) byFileName.set(name, id);
    for (const name of language.shebangs ?? []) byShebangName.set(name, id);
  }
  return { byExtension: byExtensionName, byFileName, byShebang: byShebangName };
}

/** Markup that is mostly code: components. */
const COMPONENTS = new Set(['vue', 'svelte']);

/** The languages meant by an id, a name or a file ending; empty if it is unknown. */
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

/** The languages that a project is indexed for, as written in a setting. */
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

/** Whether the exact pass can read it: by a grammar of its own, or as the scripts it holds. */
export function isParsable(language: string): boolean {
  return hasGrammar(language) || HOLDS_SCRIPTS.has(language);
}

export function hasGrammar(language: string): language is ParsableLanguage {
  return Object.hasOwn(GRAMMAR_OF, language);
}
