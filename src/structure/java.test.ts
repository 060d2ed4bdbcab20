/** Java: each rule of how a name is resolved, on small sources. */
import { describe, expect, test } from 'vitest';
import { resolveSources } from '../../test/support/resolved-sources.ts';

const java = (packageName: string, ...lines: readonly string[]): string =>
  [`package ${packageName};`, ...lines].join('\n');

describe('R130 names of Java', () => {
  test('a type is found by import, by package, by a wildcard and by its full name', async () => {
    const { usesOf } = await resolveSources({
      'a/Money.java': java('a', 'public class Money {}'),
      'b/Money.java': java('b', 'public class Money {}'),
      'a/Near.java': java('a', 'class Near { Money m; }'),
      'c/Named.java': java('c', 'import a.Money;', 'class Named { Money m; }'),
      'c/Wild.java': java('c', 'import b.*;', 'class Wild extends Money {}'),
      'c/Full.java': java('c', 'class Full { Object o = new a.Money(); b.Money m; }'),
    });
    expect(usesOf('a/Money.java:2')).toEqual(['a/Near.java:2', 'c/Full.java:2', 'c/Named.java:3']);
    expect(usesOf('b/Money.java:2')).toEqual(['c/Full.java:2', 'c/Wild.java:3']);
  });

  test('a method is found by the declared type of a field, a parameter, a local, a result and a cast', async () => {
    const { usesOf } = await resolveSources({
      'a/Till.java': java('a', 'class Till {', '  Till next() { return this; }', '  void close() {}', '}'),
      'a/Door.java': java('a', 'class Door {', '  void close() {}', '}'),
      'a/Use.java': java(
        'a',
        'class Use {',
        '  Till field;',
        '  void run(Till given, Object any) {',
        '    field.close();',
        '    this.field.close();',
        '    given.next().next().close();',
        '    var made = new Till();',
        '    made.close();',
        '    ((Till) any).close();',
        '    if (any instanceof Till it) it.close();',
        '    new Door().close();',
        '  }',
        '}',
      ),
    });
    expect(usesOf('Till.close')).toEqual([5, 6, 7, 9, 10, 11].map((line) => `a/Use.java:${line}`));
    expect(usesOf('Door.close')).toEqual(['a/Use.java:12']);
  });

  test('a call through an interface uses the method of the interface, one of the class that of the class', async () => {
    const { usesOf } = await resolveSources({
      'a/Shape.java': java('a', 'interface Shape {', '  int area();', '}'),
      'a/Square.java': java('a', 'class Square implements Shape {', '  public int area() { return 1; }', '}'),
      'a/Use.java': java(
        'a',
        'class Use {',
        '  int a(Shape s) { return s.area(); }',
        '  int b(Square s) { return s.area(); }',
        '}',
      ),
    });
    expect(usesOf('Shape.area')).toEqual(['a/Use.java:3']);
    expect(usesOf('Square.area')).toEqual(['a/Use.java:4']);
  });

  test('inherited members are found through bases, from inside without a receiver too', async () => {
    const { usesOf } = await resolveSources({
      'a/Base.java': java('a', 'abstract class Base {', '  protected int sum;', '  void add(int n) {}', '}'),
      'a/Cart.java': java(
        'a',
        'class Cart extends Base {',
        '  void run() { add(1); sum = 2; super.add(3); }',
        '  class Line { void up() { add(4); Cart.this.add(5); } }',
        '}',
      ),
    });
    expect(usesOf('Base.add')).toEqual(['a/Cart.java:3', 'a/Cart.java:4']);
    expect(usesOf('Base.sum')).toEqual(['a/Cart.java:3']);
  });

  test('overloads are told apart by how many arguments they take, also those that are inherited', async () => {
    const { usesOf } = await resolveSources({
      'a/Log.java': java(
        'a',
        'class Log {',
        '  void put(String a) {}',
        '  void put(String a, int b) {}',
        '}',
      ),
      'a/Sub.java': java('a', 'class Sub extends Log {', '  void put(int a, int b, int... c) {}', '}'),
      'a/Use.java': java(
        'a',
        'class Use {',
        '  void run(Log log, Sub sub) {',
        '    log.put("a");',
        '    log.put("a", 1);',
        '    sub.put("a");',
        '    sub.put(1, 2, 3, 4);',
        '  }',
        '}',
      ),
    });
    expect(usesOf('a/Log.java:3')).toEqual(['a/Use.java:4', 'a/Use.java:6']);
    expect(usesOf('a/Log.java:4')).toEqual(['a/Use.java:5']);
    expect(usesOf('Sub.put')).toEqual(['a/Use.java:7']);
  });

  test('a method, a field and a variable of one name are three things', async () => {
    const { usesOf } = await resolveSources({
      'a/Box.java': java(
        'a',
        'class Box {',
        '  int size;',
        '  int size() { return size; }',
        '  int twice() { int size = size(); return size + size(); }',
        '}',
      ),
    });
    expect(usesOf('a/Box.java:3')).toEqual(['a/Box.java:4']);
    expect(usesOf('a/Box.java:4')).toEqual(['a/Box.java:5']);
  });

  test('static imports name a method with all its overloads, by wildcard and through a base', async () => {
    const { usesOf } = await resolveSources({
      'a/Base.java': java('a', 'public class Base {', '  public static void up() {}', '}'),
      'a/Calc.java': java(
        'a',
        'public class Calc extends Base {',
        '  public static int add(int a) { return a; }',
        '  public static int add(int a, int b) { return a; }',
        '}',
      ),
      'b/One.java': java('b', 'import static a.Calc.add;', 'class One { int x = add(1) + add(1, 2); }'),
      'b/All.java': java('b', 'import static a.Calc.*;', 'class All { { add(1); up(); } }'),
    });
    expect(usesOf('a/Calc.java:3')).toEqual(['b/All.java:3', 'b/One.java:3']);
    expect(usesOf('a/Calc.java:4')).toEqual(['b/One.java:3']);
    expect(usesOf('Base.up')).toEqual(['b/All.java:3']);
  });

  test('nested types, enum constants, records and annotations are members as others', async () => {
    const { usesOf } = await resolveSources({
      'a/Order.java': java(
        'a',
        'class Order {',
        '  static class Line { int price; }',
        '  enum State { OPEN, DONE { void hi() {} } }',
        '  record Point(int x, int y) {}',
        '  @interface Mark { String value(); }',
        '}',
      ),
      'a/Use.java': java(
        'a',
        'class Use {',
        '  Order.Line line = new Order.Line();',
        '  @Order.Mark(value = "m") int p() { return line.price; }',
        '  boolean q(Order.State s) { switch (s) { case OPEN: return true; } return s == Order.State.DONE; }',
        '  int r(Order.Point p) { return p.x(); }',
        '}',
      ),
    });
    expect(usesOf('Order.Line')).toEqual(['a/Use.java:3']);
    expect(usesOf('Line.price')).toEqual(['a/Use.java:4']);
    expect(usesOf('Mark.value')).toEqual(['a/Use.java:4']);
    expect(usesOf('State.OPEN')).toEqual(['a/Use.java:5']);
    expect(usesOf('State.DONE')).toEqual(['a/Use.java:5']);
    expect(usesOf('Point.x')).toEqual(['a/Use.java:6']);
  });

  test('anonymous classes and lambdas: what is inside belongs to the base, what is around is seen', async () => {
    const { usesOf } = await resolveSources({
      'a/Job.java': java('a', 'abstract class Job {', '  abstract void run();', '  void log() {}', '}'),
      'a/Use.java': java(
        'a',
        'import java.util.List;',
        'class Use {',
        '  void help() {}',
        '  void go(List<Job> jobs) {',
        '    new Job() { void run() { log(); help(); } }.log();',
        '    jobs.forEach(each -> each.run());',
        '    jobs.forEach(Job::run);',
        '    for (var job : jobs) job.log();',
        '    jobs.get(0).log();',
        '  }',
        '}',
      ),
    });
    expect(usesOf('Job.log')).toEqual(['a/Use.java:6', 'a/Use.java:9', 'a/Use.java:10']);
    expect(usesOf('Job.run')).toEqual(['a/Use.java:7', 'a/Use.java:8']);
    expect(usesOf('Use.help')).toEqual(['a/Use.java:6']);
  });

  test('a type parameter is its bound; what a library types is not ours, and the rest is likely', async () => {
    const { usesOf } = await resolveSources({
      'a/Item.java': java('a', 'class Item {', '  void sell() {}', '  int length() { return 0; }', '}'),
      'a/Use.java': java(
        'a',
        'class Use<T extends Item, U> {',
        '  T one; U other;',
        '  void run(String text, java.util.Map<String, Object> map) {',
        '    one.sell();',
        '    other.sell();',
        '    text.length();',
        '    map.sell();',
        '  }',
        '}',
      ),
    });
    expect(usesOf('Item.sell')).toEqual(['a/Use.java:5', 'a/Use.java:6 likely']);
    expect(usesOf('Item.length')).toEqual([]);
  });
});
