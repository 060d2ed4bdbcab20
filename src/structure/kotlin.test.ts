/** Kotlin: each rule of how a name is resolved, on small sources. */
import { describe, expect, test } from 'vitest';
import { resolveSources } from '../../test/support/resolved-sources.ts';

const kt = (packageName: string, ...lines: readonly string[]): string =>
  [`package ${packageName}`, ...lines].join('\n');

describe('R130 names of Kotlin', () => {
  test('functions, properties and classes of a package are found by package, import, alias and wildcard', async () => {
    const { usesOf } = await resolveSources({
      'a/Tools.kt': kt('a', 'fun helper(n: Int): Int = n', 'val limit = 3', 'class Money'),
      'b/Tools.kt': kt('b', 'fun helper(n: Int): Int = n'),
      'a/Near.kt': kt('a', 'fun near() = helper(limit)'),
      'c/Named.kt': kt(
        'c',
        'import a.helper as help',
        'import a.Money',
        'val x = help(1)',
        'val m: Money = Money()',
      ),
      'c/Wild.kt': kt('c', 'import b.*', 'val y = helper(2)'),
    });
    expect(usesOf('a/Tools.kt:2')).toEqual(['a/Near.kt:2', 'c/Named.kt:4']);
    expect(usesOf('b/Tools.kt:2')).toEqual(['c/Wild.kt:3']);
    expect(usesOf('limit')).toEqual(['a/Near.kt:2']);
    expect(usesOf('Money')).toEqual(['c/Named.kt:5']);
  });

  test('members are found by properties of constructors, declared types, results, checks and containers', async () => {
    const { usesOf } = await resolveSources({
      'a/Things.kt': kt(
        'a',
        'class Thing(val price: Int) {',
        '  fun next(): Thing = this',
        '}',
        'class Other(val price: Int)',
      ),
      'a/Use.kt': kt(
        'a',
        'class Use(private val own: Thing) {',
        '  val made by lazy { Thing(1) }',
        '  fun run(any: Any, all: List<Thing>, maybe: Thing?) {',
        '    own.price',
        '    made.next().price',
        '    val local = Thing(2)',
        '    local.price',
        '    all.forEach { it.price }',
        '    for (each in all) each.price',
        '    maybe?.price',
        '    if (any is Thing) any.price',
        '    when (any) { is Thing -> any.price }',
        '    Other(1).price',
        '  }',
        '}',
      ),
    });
    expect(usesOf('Thing.price')).toEqual([5, 6, 8, 9, 10, 11, 12, 13].map((line) => `a/Use.kt:${line}`));
    expect(usesOf('Thing.next')).toEqual(['a/Use.kt:6']);
    expect(usesOf('Other.price')).toEqual(['a/Use.kt:14']);
  });

  test('companions, objects, enums, overloads and interfaces', async () => {
    const { usesOf } = await resolveSources({
      'a/A.kt': kt(
        'a',
        'interface Shape {',
        '  fun area(): Int',
        '}',
        'class Square : Shape {',
        '  override fun area() = 1',
        '  fun grow(n: Int) {}',
        '  fun grow(n: Int, m: Int, o: Int = 1) {}',
        '  companion object {',
        '    fun make(): Square = Square()',
        '  }',
        '}',
        'object Registry {',
        '  fun find(): Shape = Square.make()',
        '}',
        'enum class State { OPEN, DONE }',
      ),
      'a/Use.kt': kt(
        'a',
        'fun use() {',
        '  Registry.find().area()',
        '  Square.make().area()',
        '  Square.make().grow(1)',
        '  Square.make().grow(1, 2)',
        '  val s = State.OPEN',
        '}',
      ),
    });
    expect(usesOf('Shape.area')).toEqual(['a/Use.kt:3']);
    expect(usesOf('Square.area')).toEqual(['a/Use.kt:4']);
    expect(usesOf('a/A.kt:7')).toEqual(['a/Use.kt:5']);
    expect(usesOf('a/A.kt:8')).toEqual(['a/Use.kt:6']);
    expect(usesOf('Square.make')).toEqual(['a/A.kt:14', 'a/Use.kt:4', 'a/Use.kt:5', 'a/Use.kt:6']);
    expect(usesOf('State.OPEN')).toEqual(['a/Use.kt:7']);
  });

  test('extension functions are found by the type that they extend; Java and Kotlin see each other', async () => {
    const { usesOf } = await resolveSources({
      'a/Cart.java': 'package a;\npublic class Cart {\n  public void add(int n) {}\n}\n',
      'a/Ext.kt': kt('a', 'fun Cart.twice() { this.add(1) }', 'fun String.shout() = this'),
      'a/Use.kt': kt('a', 'fun use(cart: Cart) {', '  cart.twice()', '  cart.add(2)', '  "a".shout()', '}'),
    });
    expect(usesOf('Cart.twice')).toEqual(['a/Use.kt:3']);
    expect(usesOf('Cart.add')).toEqual(['a/Ext.kt:2', 'a/Use.kt:4']);
  });
});
