/** The npm tarball, and what must hold of it before anybody publishes it. */
import { execFileSync } from 'node:child_process';
import { homedir } from 'node:os';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../setup.mjs';

const MOST_BYTES = 25 * 1024 * 1024;
const ALLOWED = [
  /^package\.json$/,
  /^(?:README|CHANGELOG)\.md$/,
  /^LICENSE$/,
  /^dist\/THIRD-PARTY\.txt$/,
  /^dist\/(?:main|program|hook|index|front|engine|parser-child|file-reader|history-reader|match-worker)\.js$/,
  /^dist\/web\/(?:index\.html|page\.js|styles\.css|icon\.svg)$/,
  /^dist\/chunks\/[\w-]+\.js$/,
  /^dist\/types\/.*\.d\.ts$/,
  // Parsers, packed, and models are shipped as they are.
  /^dist\/grammars\/[\w-]+\.wasm\.gz$/,
  /^assets\/model\/[\w.-]+$/,
];

export function buildNpmTarball(folder) {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const printed = execFileSync(
    npm,
    ['pack', '--json', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder],
    {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
      shell: process.platform === 'win32',
    },
  );
  const [packed] = JSON.parse(printed);
  const problems = findProblems(packed);
  if (problems.length > 0) throw new Error(`the tarball is not fit to publish:\n${problems.join('\n')}`);
  return packed;
}

/** What speaks against publishing this. */
export function findProblems({ files, size }) {
  const paths = files.map((file) => file.path);
  return [
    ...(size > MOST_BYTES ? [`${size} bytes; ${MOST_BYTES} is the most`] : []),
    ...paths
      .filter((path) => !ALLOWED.some((rule) => rule.test(path)))
      .map((path) => `${path} does not belong in it`),
    ...paths.filter((path) => /\.test\.|fixtures|\.map$/.test(path)).map((path) => `${path} is for tests`),
    ...paths
      .filter((path) => /\.(?:c?js|ts|json|md)$/.test(path))
      .filter((path) => namesMachine(readFileSync(join(root, path), 'utf8')))
      .map((path) => `${path} names a path of the machine it was built on`),
  ];
}

function namesMachine(text) {
  return [root.replace(/\/$/, ''), homedir()].some((path) => path.length > 5 && text.includes(`${path}/`));
}
