/** Grammars, loaded when the first file of their language comes, and the parsers made from them. */
import { createHash } from 'node:crypto';
import { Language, Parser, Query } from 'web-tree-sitter';
import { readBytesIfPresent } from '../platform/index.ts';
import { extract, type ReadableLanguage } from './extract.ts';
import { GRAMMAR_FILES, type GrammarName } from './grammar-files.ts';
import type { FoundInFile, ParseFailure } from './parsed.ts';
import { readScripts } from './read-scripts.ts';
import { isGrammarLanguage, PARSABLE, type ParsableLanguage } from './rules/index.ts';
import type { LanguageRules } from './rules/rules.ts';
import { startRuntime } from './start-runtime.ts';

export type Read = FoundInFile | { readonly failure: ParseFailure };

export interface Syntax {
  read(language: string, text: string): Promise<Read>;
}

interface Loaded extends ReadableLanguage {
  readonly parser: Parser;
}

/** `folder` holds the grammars, each under its name. */
export async function createSyntax(folder: string): Promise<Syntax> {
  await startRuntime();
  const loaded = new Map<ParsableLanguage, Loaded | ParseFailure>();

  async function load(id: ParsableLanguage): Promise<Loaded | ParseFailure> {
    const known = loaded.get(id);
    if (known !== undefined) return known;
    const { grammar, rules } = PARSABLE[id];
    const language = await loadGrammar(folder, grammar);
    const made = typeof language === 'string' ? language : prepare(language, rules);
    loaded.set(id, made);
    return made;
  }

  async function read(id: string, text: string): Promise<Read> {
    const blocks = readScripts(id, text);
    if (blocks !== undefined) return await read(blocks.language, blocks.text);
    if (!isGrammarLanguage(id)) return { failure: 'no grammar' };
    const language = await load(id === 'c' && isCppHeader(text) ? 'cpp' : id);
    if (typeof language === 'string') return { failure: language };
    const tree = language.parser.parse(language.rules.prepare?.(text) ?? text);
    if (tree === null) return { failure: 'crashed' };
    try {
      return extract(language, tree, text);
    } finally {
      tree.delete();
      language.parser.reset();
    }
  }
  return { read };
}

/** `.h` is C by name and often C++ by content. */
function isCppHeader(text: string): boolean {
  return /^[ \t]*(?:namespace\s+[\w:]+\s*\{|template\s*<|class\s+\w+[^;\n]*[{:]|(?:public|private|protected):)/m.test(
    text,
  );
}

async function loadGrammar(folder: string, name: GrammarName): Promise<Language | ParseFailure> {
  const bytes = readBytesIfPresent(`${folder}/${name}.wasm`);
  if (bytes === undefined) return 'grammar missing';
  const sum = createHash('sha256').update(bytes).digest('hex');
  return sum === GRAMMAR_FILES[name].sha256 ? await Language.load(bytes) : 'grammar damaged';
}

function prepare(language: Language, rules: LanguageRules): Loaded {
  const definitions =
    rules.patterns ??
    Object.keys(rules.definitions)
      .map((type) => `(${type}) @d`)
      .join('\n');
  const imports = Object.keys(rules.imports ?? {}).map((type) => `(${type}) @i`);
  const parser = new Parser();
  parser.setLanguage(language);
  return {
    rules,
    parser,
    query: new Query(
      language,
      [definitions, ...imports, rules.references, '(ERROR) @e (MISSING) @e'].join('\n'),
    ),
  };
}
