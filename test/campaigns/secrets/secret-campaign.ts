/** Secrets are planted in a project, everything is done with it, and then every byte we wrote is looked at. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve as absolute } from 'node:path';
import { systemClock } from '../../../src/platform/index.ts';
import { openIndexStore } from '../../../src/storage/index.ts';
import { silentLogger } from '../../../src/text/index.ts';
import { wordsOf } from '../../support/indexed-words.ts';
import type { SecretVector } from '../../support/secret-vectors.ts';
import { CONTROL, plantSecrets } from './planted-tree.ts';
import { secretForms, words } from './secret-forms.ts';

export interface SecretOptions {
  /** How many secrets of each template. */
  readonly perTemplate: number;
  readonly seed: number;
}

export interface SecretReport {
  readonly planted: number;
  readonly kinds: number;
  readonly filesIndexed: number;
  readonly bytesScanned: number;
  /** Planted secrets of which anything was found. */
  readonly leaked: number;
  readonly findings: readonly string[];
}

/** What a user does with a project; whatever is printed counts as well. */
const COMMANDS: readonly (readonly string[])[] = [
  ['index', '--json'],
  ['index'],
  ['stats'],
  ['stats', '--json'],
  ['files'],
  ['files', '--json'],
  ['files', '--why', 'src/part0/connect-0.ts'],
  ['status'],
];

export async function runSecrets({ perTemplate, seed }: SecretOptions): Promise<SecretReport> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'waymark-secrets-')));
  const root = join(base, 'project');
  const home = join(base, 'home');
  mkdirSync(home);
  try {
    const vectors = plantSecrets(root, perTemplate, seed);
    const written = new Map<string, Buffer>();
    for (const args of COMMANDS)
      written.set(`output of ${args.join(' ')}`, await runCommand(args, root, home));
    for (const entry of readdirSync(home, { recursive: true, withFileTypes: true })) {
      const absPath = join(entry.parentPath, entry.name);
      if (entry.isFile()) written.set(absPath.slice(home.length + 1), readFileSync(absPath));
    }
    const scanned = scan(vectors, written);
    const looked = await lookUp(vectors, join(home, 'cache', 'waymark'), root);
    return {
      planted: vectors.length,
      kinds: new Set(vectors.map(({ kind }) => kind)).size,
      filesIndexed: looked.files,
      bytesScanned: [...written.values()].reduce((sum, bytes) => sum + bytes.length, 0),
      leaked: new Set([...scanned, ...looked.findings].map(({ secret }) => secret)).size,
      findings: [...scanned, ...looked.findings].map(({ words: said }) => said),
    };
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

interface Finding {
  readonly secret: string;
  readonly words: string;
}

function scan(vectors: readonly SecretVector[], written: ReadonlyMap<string, Buffer>): readonly Finding[] {
  const findings: Finding[] = [];
  for (const { kind, secret, text } of vectors) {
    for (const [name, bytes] of written) {
      const form = secretForms(secret).find((one) => bytes.includes(one));
      if (form !== undefined) {
        findings.push({ secret, words: `${kind}: ${name} holds ${form}, planted as ${text.slice(0, 120)}` });
      }
    }
  }
  return findings;
}

/** Through the index itself, too: what is stored in a form that no scan can see would be found by its words. */
async function lookUp(
  vectors: readonly SecretVector[],
  cacheDir: string,
  root: string,
): Promise<{ readonly files: number; readonly findings: readonly Finding[] }> {
  const store = await openIndexStore({ cacheDir, root, clock: systemClock, logger: silentLogger });
  const findings: Finding[] = [];
  try {
    const holds = await wordsOf(store);
    if (!holds(CONTROL)) {
      throw new Error('The campaign is blind: what is no secret is not found either.');
    }
    for (const { kind, secret } of vectors) {
      for (const word of secret.split(/\n|\\n/).flatMap(words)) {
        if (holds(word)) findings.push({ secret, words: `${kind}: ${word} is found` });
      }
    }
    return { files: (await store.stats()).files, findings };
  } finally {
    await store.close();
  }
}

function runCommand(args: readonly string[], cwd: string, home: string): Promise<Buffer> {
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    XDG_CACHE_HOME: join(home, 'cache'),
    XDG_DATA_HOME: join(home, 'share'),
    XDG_CONFIG_HOME: join(home, 'config'),
    WAYMARK_LOG_LEVEL: 'debug',
    WAYMARK_LOG_FILE: join(home, 'waymark.log'),
  };
  const child = spawn(process.execPath, [absolute('dist/main.js'), ...args], { cwd, env });
  const parts: Buffer[] = [];
  child.stdout.on('data', (part: Buffer) => parts.push(part));
  child.stderr.on('data', (part: Buffer) => parts.push(part));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve(Buffer.concat(parts)));
  });
}
