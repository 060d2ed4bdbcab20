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

/** How a plugin starts the server: by the package runner, at exactly this version. */
export const NPX_ENTRY = { command: 'npx', args: ['-y', `${FACTS.name}@${FACTS.version}`, 'mcp'] };

/** The same for links that people click once and keep for long. */
export const NPX_LATEST = { command: 'npx', args: ['-y', FACTS.name, 'mcp'] };

export function writeJson(file, value) {
  writeText(file, `${JSON.stringify(value, null, 2)}\n`);
}

export function writeText(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
