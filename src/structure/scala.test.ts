/** Scala: each rule of how a name is resolved, on small sources. */
import { describe, expect, test } from 'vitest';
import { resolveSources } from '../../test/support/resolved-sources.ts';

const scala = (packageName: string, ...lines: readonly string[]): string =>
  [`package ${packageName}`, ...lines].join('\n');

describe('R130 names of Scala', () => {
  test('types are found by package, by packages around, by import, renaming and wildcards', async () => {
    const { usesOf } = await resolveSources({
      'a/Money.scala': scala('a', 'class Money'),
      'b/Money.scala': scala('b', 'class Money'),
      'a/Near.scala': scala('a', 'class Near(m: Money)'),
      'a/in/Inner.scala': 'package a\npackage in\nclass Inner extends Money\n',
      'c/Renamed.scala': scala('c', 'import a.{Money => Cash}', 'class Renamed(m: Cash)'),
      'c/Wild.scala': scala('c', 'import b._', 'class Wild(m: Money)'),
    });
    expect(usesOf('a/Money.scala:2')).toEqual(['a/Near.scala:2', 'a/in/Inner.scala:3', 'c/Renamed.scala:3']);
    expect(usesOf('b/Money.scala:2')).toEqual(['c/Wild.scala:3']);
  });

  test('members of classes, objects and traits are found by declared types, results, patterns and bases', async () => {
    const { usesOf } = await resolveSources({
      'a/Things.scala': scala(
        'a',
        'trait Shape {',
        '  def area(): Int',
        '}',
        'class Square(val side: Int) extends Shape {',
        '  def area(): Int = side',
        '  def grow(n: Int): Square = this',
        '}',
        'object Square {',
        '  def make(): Square = new Square(1)',
        '}',
      ),
      'a/Use.scala': scala(
        'a',
        'object Use {',
        '  val own = new Square(1)',
        '  def run(shape: Shape, any: Any, all: List[Square]): Int = {',
        '    shape.area()',
        '    own.area()',
        '    Square.make().grow(1).side',
        '    any match { case s: Square => s.grow(2) }',
        '    all.foreach(each => each.grow(3))',
        '  }',
        '}',
      ),
    });
    expect(usesOf('Shape.area')).toEqual(['a/Use.scala:5']);
    expect(usesOf('Square.area')).toEqual(['a/Use.scala:6']);
    expect(usesOf('Square.make')).toEqual(['a/Use.scala:7']);
    expect(usesOf('Square.grow')).toEqual(['a/Use.scala:7', 'a/Use.scala:8', 'a/Use.scala:9']);
    expect(usesOf('Square.side')).toEqual(['a/Things.scala:6', 'a/Use.scala:7']);
  });
});
