/** What pages link to is there, and the site that is made of them has all of it. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { runInNewContext, Script } from 'node:vm';
import { expect, test } from 'vitest';
import { NAVIGATION } from '../../scripts/site/navigation.mjs';
import { readPages, resolveLink } from '../../scripts/site/pages.mjs';
import { tempFolder } from '../support/temp-folder.ts';

const ROOT = resolve('.');
const pages = readPages(ROOT);

function wrongLinks(): readonly string[] {
  const anchors = new Map(pages.map(({ path, headings }) => [path, new Set(headings.map(({ id }) => id))]));
  return pages.flatMap(({ path, links }) =>
    links.flatMap((href) => {
      const target = resolveLink(ROOT, path, href);
      if (target.kind === 'outside') return [];
      const isThere = target.kind !== 'missing';
      const hasAnchor =
        target.kind !== 'page' ||
        target.anchor === '' ||
        anchors.get(target.path)?.has(target.anchor) === true;
      return isThere && hasAnchor ? [] : [`${path}: ${href}`];
    }),
  );
}

test('every link of README and docs leads to a file, and every anchor to a heading', () => {
  expect(pages.length).toBeGreaterThan(70);
  expect(wrongLinks()).toEqual([]);
});

test('every page has its place in the order of the site', () => {
  const named = NAVIGATION.flatMap(([, names]) => names);

  expect(named.filter((name) => !existsSync(join(ROOT, name)))).toEqual([]);
  expect(
    pages
      .map(({ path }) => path)
      .filter(
        (path) => !named.some((name) => path === name || (name.endsWith('/') && path.startsWith(name))),
      ),
  ).toEqual([]);
});

function htmlFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.html'));
}

test('the site has every file that its pages name, loads nothing from another origin, and its search finds', () => {
  const folder = tempFolder();
  execFileSync(process.execPath, ['scripts/site.mjs', '--out', folder.path]);

  const wrong = htmlFiles(folder.path).flatMap((path) => {
    const text = readFileSync(folder.join(path), 'utf8');
    const loaded = [...text.matchAll(/<(?:script|img|link|source)\b[^>]*?(?:src|href|srcset)="([^"]+)"/g)];
    const named = [...text.matchAll(/(?:src|href|srcset)="([^"#]+)[^"]*"/g)];
    return [
      ...loaded.filter(([, href = '']) => /^(?:https?:)?\/\//.test(href)),
      ...named.filter(
        ([, href = '']) =>
          !/^[a-z]+:/i.test(href) && !existsSync(join(folder.path, dirname(path), decodeURIComponent(href))),
      ),
    ].map(([, href]) => `${path}: ${href}`);
  });
  const window: { findSections?: (query: string) => readonly (readonly unknown[])[] } = {};
  for (const name of ['search-index.js', 'find.js'])
    runInNewContext(readFileSync(folder.join('assets', name), 'utf8'), { window });
  const [first] = window.findSections?.('remove all dat') ?? [];

  expect(wrong).toEqual([]);
  expect(first?.[1]).toBe('docs/guides/remove.html#remove-all-data');
  expect(window.findSections?.('zzqqxx')).toEqual([]);
  // It needs a document, which a browser has; that it can be read is seen here.
  expect(() => new Script(readFileSync(folder.join('assets/site.js'), 'utf8'))).not.toThrow();
});
