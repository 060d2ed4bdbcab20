/** Which language a file is written in: by its name, then its extension, then the interpreter on its first line. */
import { LANGUAGES, type Language, type LanguageId } from './languages.ts';

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
