/** A small check of a Dockerfile: what it copies exists, what the program needs is copied, it does not run as root, it pins its base, and it starts in exec form. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const KNOWN = new Set(
  'ARG CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK LABEL RUN USER VOLUME WORKDIR'.split(' '),
);

/** What is wrong with it, in words; nothing if it is fine. */
export function lintDockerfile(text: string, root: string): readonly string[] {
  const steps = toSteps(text);
  const last = steps.findLastIndex(({ word }) => word === 'FROM');
  const final = steps.slice(last);
  const problems = steps
    .filter(({ word }) => !KNOWN.has(word))
    .map(({ word }) => `${word} is no instruction`);
  for (const { word, rest } of steps) {
    if (word === 'FROM' && !/^[\w./-]+:[\w.-]+( AS \w+)?$/.test(rest))
      problems.push(`FROM ${rest}: no version`);
    if (/:latest\b/.test(rest)) problems.push(`${word} ${rest}: a moving version`);
    if (word === 'RUN' && /npm (ci|install)/.test(rest) && !rest.includes('--ignore-scripts'))
      problems.push('npm runs install scripts');
    if (word === 'RUN' && /curl|wget|sudo/.test(rest)) problems.push(`RUN ${rest}: fetches or rises`);
    if ((word === 'CMD' || word === 'ENTRYPOINT') && !isList(rest))
      problems.push(`${word} is not a list of words`);
    if (word === 'COPY' && !rest.startsWith('--from')) {
      const missing = rest
        .split(' ')
        .slice(0, -1)
        .filter((path) => !existsSync(join(root, path)));
      problems.push(...missing.map((path) => `COPY ${path}: there is no such file`));
    }
  }
  const copied = final.filter(({ word }) => word === 'COPY').map(({ rest }) => rest.split(' ').at(-1));
  const lacks = publishedFolders(root).filter((folder) => !copied.includes(`./${folder}`));
  problems.push(...lacks.map((folder) => `${folder}, which is published, is not in the image`));
  const user = final.findLast(({ word }) => word === 'USER')?.rest;
  if (user === undefined || user === 'root') problems.push('it runs as root');
  if (!final.some(({ word }) => word === 'ENTRYPOINT')) problems.push('it starts nothing');
  return problems;
}

/** The folders that package.json publishes: the program needs them wherever it is installed. */
function publishedFolders(root: string): readonly string[] {
  const manifest: { readonly files: readonly string[] } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  return manifest.files.filter((path) => !path.startsWith('!') && statSync(join(root, path)).isDirectory());
}

export interface Step {
  readonly word: string;
  readonly rest: string;
}

export function toSteps(text: string): readonly Step[] {
  return text
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [word = '', ...rest] = line.split(/\s+/);
      return { word, rest: rest.join(' ') };
    });
}

function isList(text: string): boolean {
  try {
    const words: unknown = JSON.parse(text);
    return Array.isArray(words) && words.every((word) => typeof word === 'string');
  } catch {
    return false;
  }
}
