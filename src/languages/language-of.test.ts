import { expect, test } from 'vitest';
import { languageOf } from './language-of.ts';
import { LANGUAGES } from './languages.ts';

test.each([
  ['src/main.ts', 'typescript'],
  ['a/b/View.TSX', 'tsx'],
  ['Dockerfile', 'dockerfile'],
  ['deploy/Dockerfile.dev', 'dockerfile'],
  ['GNUmakefile', 'makefile'],
  ['Makefile.am', 'makefile'],
  ['.bashrc', 'bash'],
  ['CMakeLists.txt', 'text'],
  ['lib/Makefile.py', 'python'],
  ['include/list.h', 'c'],
  ['README', 'text'],
  ['.gitignore', undefined],
  ['photo.png', undefined],
  ['ts', undefined],
  ['.ts', undefined],
  ['', undefined],
])('%s is %s', (path, language) => {
  expect(languageOf(path)).toBe(language);
});

test.each([
  ['#!/bin/sh', 'bash'],
  ['#!/usr/bin/env python3.11', 'python'],
  ['#! /usr/bin/env -S node --no-warnings', 'javascript'],
  ['#!/usr/bin/env FOO=1 ruby', 'ruby'],
  ['#!/usr/local/bin/Rscript --vanilla', 'r'],
  ['#!', undefined],
  ['#!/usr/bin/env', undefined],
  ['echo hello', undefined],
  [`#!${' '.repeat(100_000)}`, undefined],
])('a file without an extension that begins with %s', (firstLine, language) => {
  expect(languageOf('bin/tool', firstLine)).toBe(language);
});

test('an extension says more than an interpreter', () => {
  expect(languageOf('run.py', '#!/bin/sh')).toBe('python');
});

test('no extension belongs to two languages', () => {
  const all = Object.values(LANGUAGES).flatMap((language) => [...language.extensions]);
  expect(all).toHaveLength(new Set(all).size);
});
