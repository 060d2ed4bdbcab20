/** What is read from the memory of the runtime is what the runtime says, for every grammar. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { gunzipSync } from 'node:zlib';
import { Language, Parser, type Tree } from 'web-tree-sitter';
import type { SyntaxNode } from '../facts/syntax-node.ts';
import { hasGrammar, languageOf } from '../language-of.ts';
import { createTreeCopier } from './copy-tree.ts';
import { GRAMMAR_OF } from './grammar-files.ts';
import { sharedRuntime } from '../../../test/support/grammar-runtime.ts';

const FIXTURES = fileURLToPath(new URL('../../../test/fixtures/languages', import.meta.url));
const GRAMMARS = fileURLToPath(new URL('../../../dist/grammars', import.meta.url));

/** One line per node, by the runtime's own cursor. */
function told(tree: Tree): string[] {
  const lines: string[] = [];
  const cursor = tree.walk();
  const walk = (depth: number): void => {
    const { nodeType, nodeIsNamed, currentFieldName, startIndex, endIndex } = cursor;
    // Punctuation is left out, unless something is in it.
    if (nodeIsNamed || isWord(nodeType))
      lines.push(`${depth} ${nodeType} ${nodeIsNamed} ${currentFieldName ?? ''} ${startIndex} ${endIndex}`);
    if (!cursor.gotoFirstChild()) return;
    do walk(depth + 1);
    while (cursor.gotoNextSibling());
    cursor.gotoParent();
  };
  walk(0);
  cursor.delete();
  return lines;
}

function copied(node: SyntaxNode, depth = 0): string[] {
  const { type, isNamed, field, start, end, children } = node;
  return [
    ...(isNamed || isWord(type) ? [`${depth} ${type} ${isNamed} ${field ?? ''} ${start} ${end}`] : []),
    ...children.flatMap((child) => copied(child, depth + 1)),
  ];
}

function isWord(type: string): boolean {
  return /^[A-Za-z]/.test(type);
}

test('the tree that is copied is the tree of the runtime: types, fields and places, errors included', async () => {
  const runtime = await sharedRuntime();
  const seen: string[] = [];

  for (const file of readdirSync(FIXTURES)) {
    const text = readFileSync(`${FIXTURES}/${file}`, 'utf8');
    const id = languageOf(file, text.split('\n')[0]);
    if (id === undefined || !hasGrammar(id)) continue;
    const language = await Language.load(gunzipSync(readFileSync(`${GRAMMARS}/${GRAMMAR_OF[id]}.wasm.gz`)));
    const parser = new Parser();
    parser.setLanguage(language);
    const copy = createTreeCopier(runtime.memory, language);
    for (const source of [text, `${text.slice(0, text.length / 2)} }{ ) ünïcode 😀 "`]) {
      const tree = runtime.parse(parser, source);
      if (tree === null) throw new Error('there is no tree');
      const root = copy(tree);
      expect(root === undefined ? [] : copied(root)).toEqual(told(tree));
      tree.delete();
    }
    seen.push(id);
  }

  expect(seen).toEqual(
    expect.arrayContaining(['typescript', 'python', 'go', 'java', 'rust', 'csharp', 'php']),
  );
}, 120_000);
