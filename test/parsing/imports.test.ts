/** Imports lead to files of the project, and to nothing else. */
import { describe, expect, test } from 'vitest';
import { createImportResolver, isImportConfig } from '../../src/languages/index.ts';

interface Case {
  readonly language: string;
  readonly from: string;
  readonly specifier: string;
  readonly names?: readonly string[];
  readonly to: readonly string[];
}

function resolver(paths: readonly string[], configs: Readonly<Record<string, string>> = {}) {
  const known = new Map(Object.entries(configs));
  for (const path of known.keys()) expect(isImportConfig(path)).toBe(true);
  const resolve = createImportResolver({ paths: [...paths, ...known.keys()], configs: known });
  return ({ language, from, specifier, names = [] }: Case) =>
    resolve({ path: from, language }, { specifier, names, line: 1 });
}

describe('TypeScript and JavaScript', () => {
  const resolve = resolver(
    [
      'src/app.ts',
      'src/store/index.ts',
      'src/store/entry.tsx',
      'src/legacy.js',
      'src/Panel.vue',
      'src/generated/api.ts',
      'web/app/main.ts',
      'web/app/lib/text.ts',
      'packages/core/src/index.ts',
      'packages/core/src/deep/thing.ts',
    ],
    {
      'tsconfig.json': `{
        // comments and trailing commas, as people write them
        "compilerOptions": { "paths": { "@/*": ["./src/*"], "api": ["./src/generated/api.ts"], "@/store/*": ["./src/store/*"], }, },
      }`,
      'web/tsconfig.base.json': '{ "compilerOptions": { "baseUrl": "./app" } }',
      'web/tsconfig.json': '{ "extends": "./tsconfig.base.json" }',
      'packages/core/package.json': '{ "name": "@shop/core", "main": "./dist/index.js" }',
    },
  );
  test.each<Case>([
    { language: 'typescript', from: 'src/app.ts', specifier: './store', to: ['src/store/index.ts'] },
    {
      language: 'typescript',
      from: 'src/app.ts',
      specifier: './store/entry.js',
      to: ['src/store/entry.tsx'],
    },
    { language: 'typescript', from: 'src/app.ts', specifier: './legacy.js', to: ['src/legacy.js'] },
    { language: 'typescript', from: 'src/app.ts', specifier: './Panel.vue', to: ['src/Panel.vue'] },
    { language: 'typescript', from: 'src/store/entry.tsx', specifier: '..', to: [] },
    { language: 'typescript', from: 'src/store/entry.tsx', specifier: '../app', to: ['src/app.ts'] },
    { language: 'typescript', from: 'src/app.ts', specifier: '@/store/entry', to: ['src/store/entry.tsx'] },
    { language: 'typescript', from: 'src/app.ts', specifier: 'api', to: ['src/generated/api.ts'] },
    { language: 'typescript', from: 'web/app/main.ts', specifier: 'lib/text', to: ['web/app/lib/text.ts'] },
    {
      language: 'javascript',
      from: 'src/legacy.js',
      specifier: '@shop/core',
      to: ['packages/core/src/index.ts'],
    },
    {
      language: 'javascript',
      from: 'src/legacy.js',
      specifier: '@shop/core/deep/thing',
      to: ['packages/core/src/deep/thing.ts'],
    },
    { language: 'typescript', from: 'src/app.ts', specifier: 'react', to: [] },
    { language: 'typescript', from: 'src/app.ts', specifier: '../../../etc/passwd', to: [] },
    { language: 'typescript', from: 'src/app.ts', specifier: '__proto__', to: [] },
  ])('$from: $specifier', (each) => expect(resolve(each)).toEqual(each.to));
});

describe('Python', () => {
  const resolve = resolver([
    'shop/__init__.py',
    'shop/store.py',
    'shop/orders/__init__.py',
    'shop/orders/line.py',
    'src/lib2/core.py',
    'tests/test_store.py',
  ]);
  test.each<Case>([
    { language: 'python', from: 'tests/test_store.py', specifier: 'shop.store', to: ['shop/store.py'] },
    {
      language: 'python',
      from: 'tests/test_store.py',
      specifier: 'shop',
      names: ['store'],
      to: ['shop/store.py'],
    },
    {
      language: 'python',
      from: 'tests/test_store.py',
      specifier: 'shop',
      names: ['store', 'Thing'],
      to: ['shop/__init__.py', 'shop/store.py'],
    },
    {
      language: 'python',
      from: 'shop/orders/line.py',
      specifier: '..store',
      names: ['Store'],
      to: ['shop/store.py'],
    },
    {
      language: 'python',
      from: 'shop/orders/line.py',
      specifier: '.',
      names: ['line'],
      to: ['shop/orders/line.py'],
    },
    { language: 'python', from: 'shop/store.py', specifier: 'lib2.core', to: ['src/lib2/core.py'] },
    { language: 'python', from: 'shop/store.py', specifier: '.....far', to: [] },
    { language: 'python', from: 'shop/store.py', specifier: 'os.path', to: [] },
  ])('$from: $specifier $names', (each) => expect(resolve(each)).toEqual(each.to));
});

describe('Go', () => {
  const resolve = resolver(['store/a.go', 'store/b.go', 'store/a_test.go', 'main.go', 'tools/gen/x.go'], {
    'go.mod': 'module example.com/shop\n\ngo 1.22\n',
    'tools/go.mod': 'module example.com/shop/tools\n',
  });
  test.each<Case>([
    {
      language: 'go',
      from: 'main.go',
      specifier: 'example.com/shop/store',
      to: ['store/a.go', 'store/b.go'],
    },
    { language: 'go', from: 'main.go', specifier: 'example.com/shop/tools/gen', to: ['tools/gen/x.go'] },
    { language: 'go', from: 'main.go', specifier: 'example.com/shopping', to: [] },
    { language: 'go', from: 'main.go', specifier: 'fmt', to: [] },
  ])('$specifier', (each) => expect(resolve(each)).toEqual(each.to));
});

describe('Rust', () => {
  const resolve = resolver(
    [
      'app/src/main.rs',
      'app/src/store.rs',
      'app/src/store/entry.rs',
      'app/src/net/mod.rs',
      'util/src/lib.rs',
      'util/src/text.rs',
    ],
    {
      'app/Cargo.toml': '[package]\nname = "app"\n',
      'util/Cargo.toml': '[package]\nversion = "1.0.0"\nname = "shop-util"\n\n[dependencies]\nname = "x"\n',
    },
  );
  test.each<Case>([
    {
      language: 'rust',
      from: 'app/src/net/mod.rs',
      specifier: 'crate::store::entry::Entry',
      to: ['app/src/store/entry.rs'],
    },
    { language: 'rust', from: 'app/src/main.rs', specifier: 'crate::Config', to: ['app/src/main.rs'] },
    { language: 'rust', from: 'app/src/main.rs', specifier: 'self::store', to: ['app/src/store.rs'] },
    { language: 'rust', from: 'app/src/main.rs', specifier: 'net::Client', to: ['app/src/net/mod.rs'] },
    { language: 'rust', from: 'app/src/store/entry.rs', specifier: 'super::Store', to: ['app/src/store.rs'] },
    {
      language: 'rust',
      from: 'app/src/store/entry.rs',
      specifier: 'super::super::net',
      to: ['app/src/net/mod.rs'],
    },
    { language: 'rust', from: 'app/src/main.rs', specifier: 'shop_util::text::*', to: ['util/src/text.rs'] },
    { language: 'rust', from: 'app/src/main.rs', specifier: 'std::collections::HashMap', to: [] },
  ])('$from: $specifier', (each) => expect(resolve(each)).toEqual(each.to));
});

describe('Java and its kin, C, Ruby', () => {
  const resolve = resolver([
    'core/src/main/java/com/shop/Order.java',
    'core/src/main/java/com/shop/Line.java',
    'core/src/main/java/com/shop/web/Api.java',
    'core/src/main/kotlin/com/shop/Session.kt',
    'old/src/main/java/com/shop/Order.java',
    'include/ring.h',
    'src/ring.c',
    'src/list.h',
    'lib/billing/account.rb',
    'lib/billing/export.rb',
  ]);
  const api = 'core/src/main/java/com/shop/web/Api.java';
  test.each<Case>([
    {
      language: 'java',
      from: api,
      specifier: 'com.shop.Order',
      to: ['core/src/main/java/com/shop/Order.java'],
    },
    {
      language: 'java',
      from: 'old/src/main/java/com/shop/X.java',
      specifier: 'com.shop.Order',
      to: ['old/src/main/java/com/shop/Order.java'],
    },
    {
      language: 'java',
      from: api,
      specifier: 'com.shop.Order.State.OPEN',
      to: ['core/src/main/java/com/shop/Order.java'],
    },
    {
      language: 'java',
      from: api,
      specifier: 'com.shop.Session',
      to: ['core/src/main/kotlin/com/shop/Session.kt'],
    },
    {
      language: 'java',
      from: api,
      specifier: 'com.shop.*',
      to: ['core/src/main/java/com/shop/Order.java', 'core/src/main/java/com/shop/Line.java'],
    },
    { language: 'java', from: api, specifier: 'java.util.List', to: [] },
    { language: 'c', from: 'src/ring.c', specifier: 'list.h', to: ['src/list.h'] },
    { language: 'c', from: 'src/ring.c', specifier: 'ring.h', to: ['include/ring.h'] },
    { language: 'c', from: 'src/ring.c', specifier: 'stdio.h', to: [] },
    {
      language: 'ruby',
      from: 'lib/billing/account.rb',
      specifier: './export',
      to: ['lib/billing/export.rb'],
    },
    {
      language: 'ruby',
      from: 'lib/billing/account.rb',
      specifier: 'billing/export',
      to: ['lib/billing/export.rb'],
    },
  ])('$language $specifier', (each) => expect(resolve(each)).toEqual(each.to));
});

test.each([
  ['lists without an end', '['.repeat(2_000_000)],
  ['objects without an end', '{"a":'.repeat(400_000)],
  ['nesting that is closed', `{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}`],
  ['a long list', `{"a":[${'1,'.repeat(1_000_000)}]}`],
  ['a comment without an end', `{ "a": 1, /* ${'* /'.repeat(700_000)}`],
  ['escapes that JSON does not know', `{ "a": "${'\\d'.repeat(1_000_000)}" }`],
  ['commas alone', `{${','.repeat(2_000_000)}}`],
])('a tsconfig.json of megabytes with %s stops nothing', (_, text) => {
  const resolve = resolver(['src/a.ts'], { 'tsconfig.json': text });

  expect(resolve({ language: 'typescript', from: 'src/b.ts', specifier: './a', to: [] })).toEqual([
    'src/a.ts',
  ]);
});

test('configuration made to hurt is read in no time', () => {
  const configs = {
    'tsconfig.json': `{ "a": ${'/*'.repeat(200_000)}`,
    'package.json': `{ "a": ${'"\\'.repeat(200_000)}`,
    'go.mod': '\n'.repeat(400_000),
    'Cargo.toml': `[package]${'\n'.repeat(400_000)}`,
  };
  const resolve = resolver(['src/a.ts'], configs);
  expect(resolve({ language: 'typescript', from: 'src/b.ts', specifier: './a', to: [] })).toEqual([
    'src/a.ts',
  ]);
});
