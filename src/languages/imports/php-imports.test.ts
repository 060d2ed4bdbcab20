/** PHP classes are found where composer.json says that they are. */
import { expect, test } from 'vitest';
import { createImportResolver } from './import-resolver.ts';

const PATHS = [
  'src/Mail/Letter.php',
  'legacy/Old/Thing.php',
  'pkg/lib/Deep/Box.php',
  'boot/start.php',
  'map/Loose.php',
];

function resolve(specifier: string, configs: Readonly<Record<string, string>>, from = 'src/app.php') {
  const imports = createImportResolver({ paths: PATHS, configs: new Map(Object.entries(configs)) });
  return imports({ path: from, language: 'php' }, { specifier, names: [], line: 1 });
}

test('psr-4 and psr-0, of tests too, each from the folder of its composer.json', () => {
  const root = JSON.stringify({
    autoload: { 'psr-4': { 'App\\': ['src/', 'other/'] } },
    'autoload-dev': { 'psr-0': { Old_: 'nowhere', 'Old\\': 'legacy' } },
  });
  const inner = JSON.stringify({ autoload: { 'psr-4': { 'Deep\\': 'lib/Deep' } } });
  const configs = { 'composer.json': root, 'pkg/composer.json': inner };

  expect(resolve('App\\Mail\\Letter', configs)).toEqual(['src/Mail/Letter.php']);
  expect(resolve('Old\\Thing', configs)).toEqual(['legacy/Old/Thing.php']);
  expect(resolve('Deep\\Box', configs)).toEqual(['pkg/lib/Deep/Box.php']);
  expect(resolve('Vendor\\Mail\\Letter', configs)).toEqual([]);
});

test('a class map by the name of the class, no configuration by the end of the path, includes from their folder', () => {
  const map = { 'composer.json': JSON.stringify({ autoload: { classmap: ['map/'] } }) };

  expect(resolve('Any\\Loose', map)).toEqual(['map/Loose.php']);
  expect(resolve('App\\Mail\\Letter', {})).toEqual(['src/Mail/Letter.php']);
  expect(resolve('./../boot/start.php', {})).toEqual(['boot/start.php']);
  expect(resolve('./../../../etc/passwd.php', { 'composer.json': 'no json' })).toEqual([]);
});
