/** The Dockerfile is read, not built: no container engine is needed to see what is wrong with it. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { lintDockerfile, toSteps } from './lint-dockerfile.ts';
import { run } from '../support/waymark.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const text = readFileSync(`${ROOT}docker/Dockerfile`, 'utf8');

test('the Dockerfile has nothing to object to', () => {
  expect(lintDockerfile(text, ROOT)).toEqual([]);
});

test.each([
  ['FROM node:24-bookworm-slim AS build', 'FROM node AS build', 'FROM node AS build: no version'],
  ['COPY package.json ', 'COPY package.yaml ', 'COPY package.yaml: there is no such file'],
  ['COPY --from=build /build/assets ./assets', '', 'assets, which is published, is not in the image'],
  ['USER node', '', 'it runs as root'],
  ['npm ci --ignore-scripts', 'npm ci', 'npm runs install scripts'],
  [
    'ENTRYPOINT ["node", "/app/dist/main.js"]',
    'ENTRYPOINT node main.js',
    'ENTRYPOINT is not a list of words',
  ],
])('the check sees that %s became %j', (from, to, problem) => {
  expect(lintDockerfile(text.replace(from, to), ROOT)).toContain(problem);
});

test('its command line is one that serve understands', async () => {
  const words: readonly string[] = JSON.parse(toSteps(text).find(({ word }) => word === 'CMD')?.rest ?? '[]');

  const { code, stdout } = await run([...words, '--help']);

  expect(code).toBe(0);
  expect(stdout).toContain('waymark serve');
});
