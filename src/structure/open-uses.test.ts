/** "No known use" is told only where no use of the name is left that nothing explains. */
import { expect, test } from 'vitest';
import { resolveSources } from '../../test/support/resolved-sources.ts';

const lines = (...text: readonly string[]): string => `${text.join('\n')}\n`;

test('R130 a method of an object without a name may be what is called on a value of an unknown type', async () => {
  const { usesOf, possibleOf } = await resolveSources({
    'src/stream.ts': lines(
      'export function open(make) {',
      '  return make({',
      '    recreate() {},',
      '    unused() {},',
      '  });',
      '}',
    ),
    'src/use.ts': lines('export function again(stream) {', '  stream.recreate();', '}'),
  });

  expect(usesOf('src/stream.ts:3')).toEqual([]);
  expect(possibleOf('src/stream.ts:3')).toEqual(['src/use.ts:2']);
  expect(possibleOf('src/stream.ts:4')).toEqual([]);
});

test('R130 calls through an interface are possible uses of what may stand behind it', async () => {
  const { possibleOf } = await resolveSources({
    'src/root.ts': lines(
      'export interface Root { unmount(): void }',
      'export function createRoot(): Root {',
      '  return { unmount() {} };',
      '}',
      'export class Plain { unmount() {} }',
      'createRoot().unmount();',
    ),
    'Shop.java': lines(
      'interface Till { void add(); }',
      'class PaperTill implements Till { public void add() {} }',
      'class Stone { public void add() {} }',
      'class Shop { void pay(Till till) { till.add(); } }',
    ),
    'go.mod': 'module example.com/shop\n',
    'log.go': lines(
      'package shop',
      'type Logger interface { Print() }',
      'type paper struct{}',
      'func (p paper) Print() {}',
      'func say(l Logger) { l.Print() }',
    ),
  });

  expect(possibleOf('src/root.ts:3')).toEqual(['src/root.ts:6']);
  expect(possibleOf('Plain.unmount')).toEqual(['src/root.ts:6']);
  expect(possibleOf('PaperTill.add')).toEqual(['Shop.java:4']);
  expect(possibleOf('Stone.add')).toEqual([]);
  expect(possibleOf('log.go:4')).toEqual(['log.go:5']);
});

test('R130 a name that no scope has may be one that a framework gives; that of a library or of another symbol is not', async () => {
  const { usesOf, possibleOf } = await resolveSources({
    'src/composables.ts': lines(
      'export function useCart() {}',
      'export function string() {}',
      'export function local() {}',
    ),
    'src/page.ts': lines(
      "import { z } from 'zod';",
      'useCart();',
      'z.string();',
      'function inner() { const local = 1; return local; }',
    ),
    'tests/conftest.py': lines('def client():', '    pass', '', 'def other():', '    pass'),
    'tests/test_app.py': lines('def test_page(client):', '    client.get("/")'),
  });

  expect(possibleOf('src/composables.ts:1')).toEqual(['src/page.ts:2']);
  expect(possibleOf('src/composables.ts:2')).toEqual([]);
  expect(possibleOf('src/composables.ts:3')).toEqual([]);
  expect(usesOf('tests/conftest.py:1')).toEqual([]);
  expect(possibleOf('tests/conftest.py:1')).toEqual(['tests/test_app.py:2']);
  expect(possibleOf('tests/conftest.py:4')).toEqual([]);
});

test('R130 members are used where a parameter of a declared type is taken apart, and those of a class without a name of its own', async () => {
  const { usesOf } = await resolveSources({
    'src/card.ts': lines(
      'interface Props {',
      '  title: string;',
      '}',
      'export function Card({ title }: Props) {',
      '  return title;',
      '}',
      'const Till = class {',
      '  add() {}',
      '};',
      'new Till().add();',
    ),
  });

  expect(usesOf('src/card.ts:2')).toContain('src/card.ts:4');
  expect(usesOf('src/card.ts:8')).toEqual(['src/card.ts:10']);
});

test('R130 a type that stands first on a line is used there, though the grammar could not read the whole file', async () => {
  const { usesOf } = await resolveSources({
    'src/types.ts': lines(
      'export interface Get {',
      '  (',
      '    path: string,',
      '  ): Made<',
      '    Merged<string>,',
      '    string',
      '  >',
      '}',
      'type Merged<T> = [T] extends [string] ? T : never',
      'export type Made<A, B> = A & B',
      'export const broken = @@ <',
    ),
  });

  expect(usesOf('src/types.ts:9')).toEqual(['src/types.ts:5']);
});

test('R130 what a file adds to an interface of another one is one symbol with it', async () => {
  const { usesOf } = await resolveSources({
    'src/context.ts': lines('export interface Variables {}', 'export type Known = keyof Variables;'),
    'src/index.ts': "export type { Variables } from './context.ts';\n",
    'src/timing/index.ts': lines(
      "declare module '../index.ts' {",
      '  interface Variables { started: number }',
      '}',
      'export {};',
    ),
  });

  expect(usesOf('src/timing/index.ts:2')).toEqual(['src/context.ts:2']);
  expect(usesOf('Variables')).toEqual(['src/context.ts:2']);
});

test('R130 Go: a use means what each file for another system defines; what a library gives has no members of ours', async () => {
  const { usesOf, possibleOf } = await resolveSources({
    'go.mod': 'module shop\n',
    'hook_unix.go': lines('package shop', 'var hook func()'),
    'hook_windows.go': lines('package shop', 'var hook = func() {}'),
    'run.go': lines(
      'package shop',
      'import "example.com/flag"',
      'type Command struct{}',
      'func (c *Command) Flags() *flag.FlagSet { return nil }',
      'func (c *Command) ArgsLen() int { return c.Flags().ArgsLen() }',
      'func (c *Command) run() { hook() }',
    ),
  });

  expect(usesOf('hook_unix.go:2')).toEqual(['run.go:6']);
  expect(usesOf('hook_windows.go:2')).toEqual(['run.go:6']);
  expect(usesOf('Command.ArgsLen')).toEqual([]);
  expect(possibleOf('Command.ArgsLen')).toEqual([]);
});
