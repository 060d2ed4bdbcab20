/**
 * Loader hooks: src/ runs unbundled, so that V8 reports its files by their own names. A function with a body first says that it was called,
 * because coverage counts calls and does not order them.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import { parseSync } from 'oxc-parser';
import { THREAD_ENTRIES } from '../thread-entries.mjs';

const ROOT = new URL('../../', import.meta.url);

const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];

/** Modules of threads, which the build bundles, by their source. */
const SOURCES = new Map(
  Object.entries(THREAD_ENTRIES).map(([built, source]) => [
    new URL(`dist/${built}.js`, ROOT).href,
    new URL(source, ROOT).href,
  ]),
);

/** @type {import('node:module').ResolveHook} */
export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  const source = SOURCES.get(found.url);
  return source === undefined ? found : { ...found, url: source, format: 'module' };
}

/** @type {import('node:module').LoadHook} */
export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const { code } = await transform(readFileSync(fileURLToPath(url), 'utf8'), {
    loader: 'ts',
    format: 'esm',
    target: 'node20',
    define: { WAYMARK_VERSION: '"0.0.0-walk"' },
  });
  return { format: 'module', source: announceCalls(code, url), shortCircuit: true };
}

function announceCalls(code, url) {
  const starts = [];
  visit(parseSync('a.js', code).program, (node) => {
    if (!FUNCTIONS.includes(node.type) || node.body?.type !== 'BlockStatement') return;
    // A directive has to stay first.
    if (node.body.body[0]?.directive === undefined) starts.push(node.body.start + 1);
  });
  let text = code;
  for (const at of starts.toSorted((a, b) => b - a))
    text = `${text.slice(0, at)}globalThis.walkCalled?.(${JSON.stringify(url)});${text.slice(at)}`;
  return text;
}

function visit(node, see) {
  if (Array.isArray(node)) for (const one of node) visit(one, see);
  if (node === null || typeof node !== 'object' || Array.isArray(node)) return;
  if (typeof node.type === 'string') see(node);
  for (const value of Object.values(node)) if (typeof value === 'object') visit(value, see);
}
