/**
 * What is left when an index is taken away: one process reads the files of a tree, parses each with the same grammars, and keeps
 * nothing. `parse-alone ROOT PATHS.json`, from its start to its end.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Language, Parser } from 'web-tree-sitter';
import { hasGrammar, languageOf } from '../../src/languages/language-of.ts';
import { GRAMMAR_OF, type GrammarName } from '../../src/languages/syntax/grammar-files.ts';
import { readGrammar } from '../../src/languages/syntax/grammars.ts';
import { startRuntime } from '../../src/languages/syntax/start-runtime.ts';
import { optimiseNoMoreWasm, packageFile } from '../../src/platform/index.ts';

const [root = '', listed = ''] = process.argv.slice(2);
const paths: unknown = JSON.parse(readFileSync(listed, 'utf8'));
if (!Array.isArray(paths)) throw new Error('There is no list of files.');
const runtime = await startRuntime();
// As in the children that parse for an index.
optimiseNoMoreWasm();
const parsers = new Map<GrammarName, Parser>();
for (const path of paths.map(String)) {
  const language = languageOf(path);
  if (language === undefined || !hasGrammar(language)) continue;
  const grammar = GRAMMAR_OF[language];
  const parser = parsers.get(grammar) ?? (await load(grammar));
  runtime.parse(parser, readFileSync(join(root, path), 'utf8'))?.delete();
}
// Nothing that a grammar has left behind is waited for.
process.exit(0);

async function load(grammar: GrammarName): Promise<Parser> {
  const bytes = readGrammar(packageFile('dist/grammars'), grammar);
  if (typeof bytes === 'string') throw new Error(`${grammar}: ${bytes}`);
  const parser = new Parser();
  parser.setLanguage(await Language.load(bytes));
  parsers.set(grammar, parser);
  return parser;
}
