/** R037 and the path corpus: each way of writing a path is one project or a refusal, never an escape. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { resolveNamedDirectory, findPlaces } from './identity.ts';
import { parseFileUri } from './call-sources.ts';

const PLACES = findPlaces('/nonexistent', {});

describe('R037 file URIs', () => {
  test.each([
    ['file:///a/b', '/a/b'],
    ['file:///my%20project', '/my project'],
    ['FILE:///a', '/a'],
    ['file://localhost/a', '/a'],
    ['file://LOCALHOST/a', '/a'],
    ['file:///a/', '/a/'],
    ['file:///', '/'],
    ['file:///a%2520b', '/a%20b'],
    ['file:///a%25b', '/a%b'],
    ['file:///caf%C3%A9', '/café'],
    ['file:///cafe%CC%81', '/cafe\u0301'],
    ['file:///%E6%9D%B1%E4%BA%AC', '/東京'],
    ['file:///a+b', '/a+b'],
    ['file:///a%2Bb', '/a+b'],
    ['file:///a&b=c', '/a&b=c'],
    ['file:///a;b', '/a;b'],
    ['file:///a%23b', '/a#b'],
    ['file:///a%3Fb', '/a?b'],
    ['file:///a/../b', '/a/../b'],
    ['file:///c%3A/Users/me', 'C:\\Users\\me'],
    ['file:///C:/Users/me', 'C:\\Users\\me'],
    ['file:///c:/', 'C:\\'],
    ['file:///c:', 'C:\\'],
    ['file:///d:/a%20b', 'D:\\a b'],
  ])('%s is %s', (uri, path) => {
    expect(parseFileUri(uri)).toBe(path);
  });

  test.each([
    'http://localhost/a',
    'https://evil.example/a',
    'file://server/share',
    'file://evil.example/a',
    'file://127.0.0.1/a',
    'file:/a',
    'file:a',
    'file://',
    'file://localhost',
    'file:///a?b',
    'file:///a#b',
    'file:///a%2Fb',
    'file:///a%2f..%2fb',
    'file:///a%5Cb',
    'file:///a%00b',
    'file:///a%',
    'file:///a%zz',
    'file:///a%E0%A4%A',
    'untitled:Untitled-1',
    'vscode-remote://ssh-remote+box/home/me',
    '/a/b',
    '',
    ' file:///a',
    'file:////server/share',
    'file://localhost//server/share',
    'javascript:alert(1)',
  ])('%j yields nothing', (uri) => {
    expect(parseFileUri(uri)).toBeUndefined();
  });
});

describe('R021 identity', () => {
  test('every spelling of a directory is one project', () => {
    const folder = tempFolder();
    mkdirSync(folder.join('real/inner'), { recursive: true });
    symlinkSync(folder.join('real'), folder.join('link'));
    symlinkSync('link', folder.join('chain'));
    const spellings = [
      'real',
      'real/',
      'real//',
      'real/.',
      './real',
      'real/inner/..',
      'link',
      'link/',
      'chain',
      'link/inner/..',
    ];

    const roots = spellings.map((spelling) => resolveNamedDirectory(`${folder.path}/${spelling}`, PLACES));

    expect(
      new Set(roots.map((named) => (named.kind === 'project' ? named.project.root : named.message))),
    ).toEqual(new Set([folder.join('real')]));
  });

  test('a name that differs in case or normal form is another directory, or none', () => {
    const folder = tempFolder();
    mkdirSync(folder.join('caf\u00e9'));

    expect(resolveNamedDirectory(folder.join('caf\u00e9'), PLACES).kind).toBe('project');
    expect(resolveNamedDirectory(folder.join('cafe\u0301'), PLACES).kind).toBe('unusable');
    expect(resolveNamedDirectory(folder.join('CAF\u00c9'), PLACES).kind).toBe('unusable');
  });

  test.each(['a\0b', 'C:\\Users\\me', '\\\\server\\share', '//server/share', '~/x', '..', ''])(
    '%j is refused',
    (path) => {
      expect(resolveNamedDirectory(path, PLACES).kind).toBe('unusable');
    },
  );
});
