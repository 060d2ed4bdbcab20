/** The pages about clients and trouble are those that the tables make. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CLIENTS, FINDINGS } from '../../src/clients/index.ts';
import { CLIENT_ZOO } from '../fixtures/client-zoo.ts';
import { clientPages, pageOf } from '../support/client-pages.ts';
import { withToolNames } from '../support/tool-names.ts';
import { troublePage } from '../support/trouble-page.ts';

const guides = new URL('../../docs/guides/', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, guides), 'utf8');

test.each(clientPages())('docs/guides/clients/%s is up to date', (name, text) => {
  expect(read(`clients/${name}`), 'docs are stale: run npm run reference').toBe(text);
});

test('there is a page for every client and none besides, and the zoo links to them', () => {
  const pages = readdirSync(new URL('clients/', guides)).toSorted();

  expect(pages).toEqual(CLIENTS.map(({ id }) => `${id}.md`).toSorted());
  expect(CLIENT_ZOO.filter(({ name }) => pageOf(name) === undefined)).toEqual([]);
});

test('the page about trouble and the names of tools are up to date', () => {
  expect(read('troubleshooting.md'), 'docs are stale: run npm run reference').toBe(troublePage());
  expect(withToolNames(read('migrating.md')), 'docs are stale: run npm run reference').toBe(
    read('migrating.md'),
  );
});

test('every finding that is no praise says what to do', () => {
  const silent = Object.entries(FINDINGS).filter(([id, { todo }]) => todo === '' && id !== 'client');

  expect(silent).toEqual([]);
});
