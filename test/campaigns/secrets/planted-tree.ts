/** A project with made-up secrets where people leave them: in source, settings, scripts, notes, comments. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { secretVectors, type SecretVector } from '../../support/secret-vectors.ts';

const PER_FILE = 4;

/** An ordinary name in one of the files: a search for leaks that does not see this sees nothing. */
export const CONTROL = 'connectorthatisnosecret';

interface Sort {
  readonly ending: string;
  readonly around: (texts: readonly string[], at: number) => string;
}

const SORTS: readonly Sort[] = [
  { ending: 'ts', around: (texts, at) => `export function connect${at}() {\n${texts.join('\n\n')}\n}\n` },
  { ending: 'py', around: (texts, at) => `def connect_${at}():\n    pass\n\n${texts.join('\n\n')}\n` },
  { ending: 'yml', around: (texts) => `service:\n  name: shop\n\n${texts.join('\n\n')}\n` },
  { ending: 'ini', around: (texts) => `[service]\nname = shop\n\n${texts.join('\n\n')}\n` },
  {
    ending: 'md',
    around: (texts, at) => `# Notes ${at}\n\n\`\`\`\n${texts.join('\n```\n\n```\n')}\n\`\`\`\n`,
  },
  { ending: 'sh', around: (texts, at) => `#!/bin/sh\nstart_${at}() {\n  true\n}\n\n${texts.join('\n\n')}\n` },
  {
    ending: 'go',
    around: (texts, at) => `package shop\n\nfunc connect${at}() {\n${texts.join('\n\n')}\n}\n`,
  },
  { ending: 'txt', around: (texts) => `${texts.join('\n\n')}\n` },
  { ending: 'tf', around: (texts) => `resource "shop" "one" {\n${texts.join('\n\n')}\n}\n` },
  { ending: 'java', around: (texts, at) => `class Connect${at} {\n${texts.join('\n\n')}\n}\n` },
];

/** Writes them and says what was written. */
export function plantSecrets(root: string, perTemplate: number, seed: number): readonly SecretVector[] {
  const vectors = secretVectors(perTemplate, seed);
  for (let from = 0, at = 0; from < vectors.length; from += PER_FILE, at++) {
    const sort = SORTS[at % SORTS.length];
    if (sort === undefined) continue;
    const texts = vectors.slice(from, from + PER_FILE).map(({ text }) => text);
    write(root, `src/part${at % 7}/connect-${at}.${sort.ending}`, sort.around(texts, at));
  }
  write(root, 'src/control.ts', `export const ${CONTROL} = 1;\n`);
  // Files that are all secret are not read at all.
  const all = `${vectors.map(({ text }) => text).join('\n')}\n`;
  for (const path of ['.env', '.env.production', 'certs/server.pem', 'id_ed25519', '.netrc', '.npmrc']) {
    write(root, path, all);
  }
  write(root, '.git/HEAD', 'ref: refs/heads/main\n');
  return vectors;
}

function write(root: string, path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}
