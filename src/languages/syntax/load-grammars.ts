/** Grammars, loaded when the first file of their language comes, and the parsers made from them. */
import { Language, Parser, Query, type Node } from 'web-tree-sitter';
import { hasGrammar } from '../language-of.ts';
import { createTreeCopier } from './copy-tree.ts';
import { extract, type ReadableLanguage } from './extract.ts';
import { GRAMMAR_OF, type GrammarName, type ParsableLanguage } from './grammar-files.ts';
import { readGrammar } from './grammars.ts';
import type { FoundInFile, ParseFailure } from './messages.ts';
import { readScripts } from './read-scripts.ts';
import { RULES } from './rules/index.ts';
import type { LanguageRules } from './rules/rules.ts';
import { type Runtime, startRuntime } from './start-runtime.ts';

export type Read = FoundInFile | { readonly failure: ParseFailure };

export interface Syntax {
  read(language: string, text: string): Promise<Read>;
}

interface Loaded extends ReadableLanguage {
  readonly parser: Parser;
}

/** `folder` holds the grammars, each under its name. */
export async function createSyntax(folder: string, start = startRuntime): Promise<Syntax> {
  const runtime = await start();
  const prepare = prepareWith(runtime);
  const loaded = new Map<ParsableLanguage, Loaded | ParseFailure>();

  async function load(id: ParsableLanguage): Promise<Loaded | ParseFailure> {
    const known = loaded.get(id);
    if (known !== undefined) return known;
    const language = await loadGrammar(folder, GRAMMAR_OF[id]);
    const made = typeof language === 'string' ? language : prepare(language, id);
    loaded.set(id, made);
    return made;
  }

  async function read(id: string, text: string): Promise<Read> {
    const blocks = readScripts(id, text);
    if (blocks !== undefined) return await read(blocks.language, blocks.text);
    if (!hasGrammar(id)) return { failure: 'no grammar' };
    const language = await load(id === 'c' && isCppHeader(text) ? 'cpp' : id);
    if (typeof language === 'string') return { failure: language };
    const tree = runtime.parse(language.parser, language.rules.prepare?.(text) ?? text);
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
  const read = readGrammar(folder, name);
  return typeof read === 'string' ? read : await Language.load(read);
}

function prepareWith({ memory }: Runtime): (language: Language, id: ParsableLanguage) => Loaded {
  return (language, id) => {
    const rules = RULES[id];
    const parser = new Parser();
    parser.setLanguage(language);
    return {
      id,
      rules,
      parser,
      copy: createTreeCopier(memory, language),
      defining: findDefining(language, rules),
    };
  };
}

/** Without a query where types are enough: to look for them is twice as fast, and a query of them takes 50 ms to make. */
function findDefining(language: Language, { definitions, patterns }: LanguageRules): Loaded['defining'] {
  if (patterns !== undefined) {
    const query = new Query(language, patterns);
    return (root) => query.captures(root).map(({ node }) => node);
  }
  const types = Object.keys(definitions);
  // `module` in TypeScript is a node and the word at its beginning.
  const words = new Set(types.filter((type) => language.idForNodeType(type, false) !== null));
  const isWord = (node: Node): boolean => words.size > 0 && words.has(node.type) && !node.isNamed;
  return (root) => root.descendantsOfType(types).filter((node) => !isWord(node));
}
