/** What every package says of us, from package.json: nothing is written down twice. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../setup.mjs';

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

export const FACTS = {
  name: manifest.name,
  version: manifest.version,
  description: manifest.description,
  license: manifest.license,
  mcpName: manifest.mcpName,
  keywords: manifest.keywords,
  homepage: manifest.homepage.replace(/#.*$/, ''),
  author: { name: 'The Waymark authors' },
};

/** What the manifest of every plugin says. */
export const PLUGIN_FACTS = {
  name: 'waymark',
  version: FACTS.version,
  description: FACTS.description,
  author: FACTS.author,
  homepage: FACTS.homepage,
  repository: FACTS.homepage,
  license: FACTS.license,
  keywords: FACTS.keywords,
};

/** Where a plugin keeps the program, below its own folder. */
export const PROGRAM = 'server';

/** How a plugin starts the program that it carries: directly, because no agent waits for a download in its first turn. */
export function startEntry(pluginRoot) {
  return { command: 'node', args: [`${pluginRoot}/${PROGRAM}/dist/main.js`, 'mcp'] };
}

/** For links that people click once and keep for long. A link can carry no program. */
export const NPX_LATEST = { command: 'npx', args: ['-y', FACTS.name, 'mcp'] };

export function writeJson(file, value) {
  writeText(file, `${JSON.stringify(value, null, 2)}\n`);
}

export function writeText(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
