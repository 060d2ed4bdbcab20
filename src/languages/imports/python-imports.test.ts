/** Python packages are found where the project's configuration says that they are. */
import { expect, test } from 'vitest';
import { createImportResolver } from './import-resolver.ts';

function resolve(config: readonly [path: string, text: string], paths: readonly string[], specifier: string) {
  const imports = createImportResolver({ paths, configs: new Map([config]) });
  return imports({ path: 'tools/run.py', language: 'python' }, { specifier, names: [], line: 1 });
}

test.each([
  ['setuptools finds', '[tool.setuptools.packages.find]\nwhere = ["code/py"]\n'],
  ['a table of setuptools', '[tool.setuptools]\npackage-dir = { "" = "code/py" }\n'],
  ['a section of setuptools', '[tool.setuptools.package-dir]\n"" = "code/py"\n\n[tool.x]\n'],
  ['Poetry', '[tool.poetry]\npackages = [{ include = "shop", from = "code/py" }]\n'],
  ['Hatch', '[tool.hatch.build]\nsources = ["code/py"]\n'],
])('pyproject.toml says where packages are: %s', (_, text) => {
  const found = resolve(['pyproject.toml', text], ['code/py/shop/cart.py', 'tools/run.py'], 'shop.cart');

  expect(found).toEqual(['code/py/shop/cart.py']);
});

test('setup.cfg does too, and one of a folder counts from there', () => {
  const text = '[options]\npackage_dir =\n    = source\n\n[options.packages.find]\nwhere = source\n';
  const found = resolve(['libs/a/setup.cfg', text], ['libs/a/source/shop/cart.py'], 'shop.cart');

  expect(found).toEqual(['libs/a/source/shop/cart.py']);
});

test('a folder outside of the project is none of it', () => {
  expect(resolve(['pyproject.toml', 'where = ["../../etc"]\n'], ['etc/shop.py'], 'shop')).toEqual([]);
});
