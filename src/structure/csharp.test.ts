/** C#: each rule of how a name is resolved, on small sources. */
import { describe, expect, test } from 'vitest';
import { resolveSources } from '../../test/support/resolved-sources.ts';
import { findReferences } from './references.ts';

const cs = (...lines: readonly string[]): string => lines.join('\n');

describe('R130 names of C#', () => {
  test('a type is found by namespace, by those around it, by using, by an alias and by its full name', async () => {
    const { usesOf } = await resolveSources({
      'Money.cs': cs('namespace Shop.Core {', '  public class Money {}', '}'),
      'Other.cs': cs('namespace Other;', 'public class Money {}'),
      'Inner.cs': cs('namespace Shop.Core.Parts;', 'class Inner { Money m; }'),
      'Using.cs': cs('using Shop.Core;', 'namespace App;', 'class Using { Money m = new Money(); }'),
      'Alias.cs': cs('using Cash = Shop.Core.Money;', 'class Alias { Cash m; }'),
      'Full.cs': cs('namespace Shop;', 'class Full { Core.Money a; global::Other.Money b; Other.Money c; }'),
    });
    expect(usesOf('Money.cs:2')).toEqual(['Alias.cs:2', 'Full.cs:2', 'Inner.cs:2', 'Using.cs:3']);
    expect(usesOf('Other.cs:2')).toEqual(['Full.cs:2']);
  });

  test('global usings and types of no namespace hold for every file, using static for members', async () => {
    const { usesOf } = await resolveSources({
      'Usings.cs': 'global using Lib;',
      'Calc.cs': cs(
        'namespace Lib;',
        'public static class Calc {',
        '  public static int Add(int a) => a;',
        '}',
      ),
      'Plain.cs': 'class Plain { }',
      'Use.cs': cs('class Use { int x = Calc.Add(1); Plain p; }'),
      'Static.cs': cs('using static Lib.Calc;', 'class Static { int x = Add(2); }'),
    });
    expect(usesOf('Calc')).toEqual(['Use.cs:1']);
    expect(usesOf('Calc.Add')).toEqual(['Static.cs:2', 'Use.cs:1']);
    expect(usesOf('Plain')).toEqual(['Use.cs:1']);
  });

  test('a partial class has the members of all its parts', async () => {
    const { usesOf } = await resolveSources({
      'A.cs': cs('namespace N;', 'partial class Cart {', '  int total;', '  void Run() { Add(1); }', '}'),
      'B.cs': cs(
        'namespace N;',
        'partial class Cart {',
        '  void Add(int n) { total += n; this.Run(); }',
        '}',
      ),
      'C.cs': cs('namespace N;', 'class C { void M(Cart c) { c.Add(2); } }'),
    });
    expect(usesOf('Cart.Add')).toEqual(['A.cs:4', 'C.cs:2']);
    expect(usesOf('Cart.total')).toEqual(['B.cs:3']);
    expect(usesOf('Cart.Run')).toEqual(['B.cs:3']);
  });

  test('members are found by the type of fields, properties, locals, results, patterns and initializers', async () => {
    const { usesOf } = await resolveSources({
      'Things.cs': cs(
        'class Item {',
        '  public int Price { get; set; }',
        '  public Item Next() => this;',
        '}',
        'class Other { public int Price; }',
      ),
      'Use.cs': cs(
        'using System.Collections.Generic;',
        'class Use {',
        '  Item Own { get; }',
        '  async void Run(object o, List<Item> all, Item? maybe) {',
        '    Own.Price = 1;',
        '    var made = new Item { Price = 2 };',
        '    made.Next().Price++;',
        '    if (o is Item it && it.Price > 1) {}',
        '    foreach (var each in all) each.Price = 3;',
        '    all.ForEach(x => x.Price = 4);',
        '    maybe?.Next();',
        '    ((Item)o).Price = 5;',
        '    new Other().Price = 6;',
        '  }',
        '}',
      ),
    });
    expect(usesOf('Item.Price')).toEqual([5, 6, 7, 8, 9, 10, 12].map((line) => `Use.cs:${line}`));
    expect(usesOf('Other.Price')).toEqual(['Use.cs:13']);
    expect(usesOf('Item.Next')).toEqual(['Use.cs:7', 'Use.cs:11']);
  });

  test('extension methods are found by the type that they extend, and as static calls', async () => {
    const { usesOf } = await resolveSources({
      'Ext.cs': cs(
        'static class Ext {',
        '  public static int Sum(this Cart cart, int n) => n;',
        '  public static string Shout(this string text) => text;',
        '}',
        'class Cart : Base {}',
        'class Base {}',
        'static class More { public static int Count(this Base b) => 0; }',
      ),
      'Use.cs': cs(
        'class Use { void Run(Cart c, string s) {',
        '  c.Sum(1);',
        '  Ext.Sum(c, 1);',
        '  c.Count();',
        '  s.Shout();',
        '} }',
      ),
    });
    expect(usesOf('Ext.Sum')).toEqual(['Use.cs:2', 'Use.cs:3']);
    expect(usesOf('More.Count')).toEqual(['Use.cs:4']);
    expect(usesOf('Ext.Shout')).toEqual(['Use.cs:5 likely']);
  });

  test('overloads, optional parameters, interfaces, generics of one name, attributes and enum members', async () => {
    const { usesOf } = await resolveSources({
      'A.cs': cs(
        'interface IRun {',
        '  void Run(int a);',
        '}',
        'class Box<T> : IRun {',
        '  public void Run(int a) {}',
        '  public void Run(int a, int b, int c = 1) {}',
        '}',
        'class Box {}',
        'class MarkAttribute : System.Attribute {}',
        'enum State { Open, Done }',
      ),
      'B.cs': cs(
        '[Mark]',
        'class B {',
        '  void M(IRun r, Box<int> b) {',
        '    r.Run(1);',
        '    b.Run(1);',
        '    b.Run(1, 2);',
        '    new Box();',
        '    var s = State.Open;',
        '  }',
        '}',
      ),
    });
    expect(usesOf('IRun.Run')).toEqual(['B.cs:4']);
    expect(usesOf('A.cs:5')).toEqual(['B.cs:5']);
    expect(usesOf('A.cs:6')).toEqual(['B.cs:6']);
    expect(usesOf('A.cs:4')).toEqual(['B.cs:3']);
    expect(usesOf('A.cs:8')).toEqual(['B.cs:7']);
    expect(usesOf('MarkAttribute')).toEqual(['B.cs:1']);
    expect(usesOf('State.Open')).toEqual(['B.cs:8']);
  });
});

test('R130 a namespace is one symbol, whose uses are the lines that import it', async () => {
  const { project, resolver } = await resolveSources({
    'Till.cs': 'namespace Shop.Money { class Till {} }\n',
    'Coin.cs': 'namespace Shop.Money { class Coin {} }\n',
    'Main.cs': 'using Shop.Money;\nclass Main { Till till; }\n',
  });

  const { symbols } = findReferences(project, resolver, { symbol: 'Shop.Money', kinds: ['import'] });

  expect(symbols.map(({ references }) => references.map(({ path, line }) => `${path}:${line}`))).toEqual([
    ['Main.cs:1'],
  ]);
});
