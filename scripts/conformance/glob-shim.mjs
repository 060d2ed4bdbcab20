/**
 * `node --import` this in front of the conformance suite. The suite imports `globSync` from `fs`, which Node has from 22 on
 * and which only a command we do not use calls; without the name, Node 20 refuses to load the suite at all.
 */
import * as fs from 'node:fs';
import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

const SUITE = '/@modelcontextprotocol/conformance/';
const SHIM = 'waymark-shim:fs';
const SOURCE = `export * from 'node:fs';
export { default } from 'node:fs';
export function globSync() { throw new Error('globSync needs Node 22'); }`;

// Hooks run in a thread of their own, which loads this same file.
if (isMainThread && !('globSync' in fs)) register(import.meta.url);

export async function resolve(specifier, context, next) {
  if (specifier === 'fs' && context.parentURL?.includes(SUITE)) return { url: SHIM, shortCircuit: true };
  return next(specifier, context);
}

export async function load(url, context, next) {
  if (url === SHIM) return { format: 'module', source: SOURCE, shortCircuit: true };
  return next(url, context);
}
