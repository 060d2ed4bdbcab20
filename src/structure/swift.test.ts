/** Swift: each rule of how a name is resolved, on small sources. */
import { describe, expect, test } from 'vitest';
import { resolveSources } from '../../test/support/resolved-sources.ts';

const lines = (...all: readonly string[]): string => `${all.join('\n')}\n`;

describe('R130 names of Swift', () => {
  test('files see each other, and a name of the own target before one of another', async () => {
    const { usesOf, graph } = await resolveSources({
      'Sources/Shop/Money.swift': lines('struct Money {}', 'func helper() {}', 'let limit = 3'),
      'Sources/Shop/Cart.swift': lines('func pay(_ money: Money) { helper(); print(limit) }'),
      'Sources/Tool/Tool.swift': lines('import Shop', 'func helper() {}', 'func tool() { helper() }'),
      'Tests/ShopTests/CartTests.swift': lines('import Shop', 'let made: Shop.Money = Money()'),
    });
    expect(usesOf('Money')).toEqual(['Sources/Shop/Cart.swift:1', 'Tests/ShopTests/CartTests.swift:2']);
    expect(usesOf('Sources/Shop/Money.swift:2')).toEqual(['Sources/Shop/Cart.swift:1']);
    expect(usesOf('Sources/Tool/Tool.swift:2')).toEqual(['Sources/Tool/Tool.swift:3']);
    expect(usesOf('limit')).toEqual(['Sources/Shop/Cart.swift:1']);
    expect(graph.uses.get('Sources/Shop/Cart.swift')).toEqual(['Sources/Shop/Money.swift']);
  });

  test('members by declared types, results, optionals, conditions, containers and self', async () => {
    const { usesOf } = await resolveSources({
      'Types.swift': lines(
        'class Thing {',
        '  var price: Int = 0',
        '  func next() -> Thing { price += 1; return self }',
        '}',
        'class Other { var price: Int = 0 }',
      ),
      'Use.swift': lines(
        'struct Use {',
        '  let own: Thing',
        '  var all: [Thing] = []',
        '  lazy var made = { Thing() }()',
        '  func run(_ raw: Any, maybe: Thing?) {',
        '    own.price = 2',
        '    self.made.next().price',
        '    let local = Thing()',
        '    local.price',
        '    if let maybe { maybe.price }',
        '    guard let first = all.first else { return }',
        '    first.price',
        '    for each in all { each.price }',
        '    all.forEach { $0.price }',
        '    all.map { one in one.price }',
        '    let n = (raw as? Thing)?.price',
        '    if let cast = raw as? Thing { cast.price }',
        '    Other().price',
        '  }',
        '}',
      ),
    });
    expect(usesOf('Thing.price')).toEqual([
      'Types.swift:3',
      ...[6, 7, 9, 10, 12, 13, 14, 15, 16, 17].map((line) => `Use.swift:${line}`),
    ]);
    expect(usesOf('Other.price')).toEqual(['Use.swift:18']);
    expect(usesOf('Thing.next')).toEqual(['Use.swift:7']);
  });

  test('extensions in other files give members and protocols; a protocol has members of its own', async () => {
    const { usesOf } = await resolveSources({
      'Shape.swift': lines('protocol Shape { func area() -> Int }', 'struct Square { let side: Int }'),
      'Square+Shape.swift': lines(
        'extension Square: Shape {',
        '  func area() -> Int { grow(side) }',
        '  func grow(_ n: Int, by m: Int = 1) -> Int { n * side }',
        '}',
        'extension Shape { func twice() -> Int { area() * 2 } }',
      ),
      'Use.swift': lines(
        'func use(square: Square, shape: any Shape) {',
        '  square.area()',
        '  shape.area()',
        '  square.twice()',
        '}',
      ),
    });
    expect(usesOf('Square.grow')).toEqual(['Square+Shape.swift:2']);
    expect(usesOf('Square.area')).toEqual(['Use.swift:2']);
    expect(usesOf('Shape.area')).toEqual(['Square+Shape.swift:5', 'Use.swift:3']);
    expect(usesOf('Shape.twice')).toEqual(['Use.swift:4']);
    expect(usesOf('Square.side')).toEqual(['Square+Shape.swift:2', 'Square+Shape.swift:3']);
  });

  test('what extends a type of a library is likely meant by its only name', async () => {
    const { usesOf } = await resolveSources({
      'Request+Shop.swift': lines(
        'extension URLRequest {',
        '  var shopMethod: Int? { nil }',
        '  func shopSend() {}',
        '}',
      ),
      'Use.swift': lines(
        'func use(request: URLRequest, text: String) {',
        '  request.shopMethod',
        '  request.shopSend()',
        '}',
      ),
    });
    expect(usesOf('shopMethod')).toEqual(['Use.swift:2 likely']);
    expect(usesOf('shopSend')).toEqual(['Use.swift:3 likely']);
  });

  test('branches of the compiler are read side by side, inside of types too', async () => {
    const { usesOf } = await resolveSources({
      'A.swift': lines(
        'final class A {',
        '  #if os(Linux)',
        '  let lock = 1',
        '  #else',
        '  let lock = 2',
        '  #endif',
        '  func hold() { lock }',
        '}',
      ),
      'Use.swift': lines('func use(a: A) { a.hold() }'),
    });
    expect(usesOf('A.hold')).toEqual(['Use.swift:1']);
  });

  test('cases are found by what is switched over, compared, assigned and returned', async () => {
    const { usesOf } = await resolveSources({
      'Kinds.swift': lines(
        'enum State { case open, done(Int) }',
        'enum Door { case open }',
        'struct Holder { var state: State = .open; var door = Door.open }',
      ),
      'Use.swift': lines(
        'func use(holder: inout Holder) -> State {',
        '  switch holder.state {',
        '  case .open: break',
        '  case .done(let n): print(n)',
        '  }',
        '  if holder.door == .open {}',
        '  holder.state = .open',
        '  return .done(1)',
        '}',
      ),
    });
    expect(usesOf('State.open')).toEqual(['Kinds.swift:3', 'Use.swift:3', 'Use.swift:7']);
    expect(usesOf('State.done')).toEqual(['Use.swift:4', 'Use.swift:8']);
    expect(usesOf('Door.open')).toEqual(['Kinds.swift:3', 'Use.swift:6']);
  });

  test('overloads by how many arguments they take, blocks behind the call among them', async () => {
    const { usesOf } = await resolveSources({
      'A.swift': lines(
        'class A {',
        '  func run(_ n: Int) {}',
        '  func run(_ n: Int, then: () -> Void) {}',
        '  static let shared = A()',
        '}',
        'func use() {',
        '  A.shared.run(1)',
        '  A.shared.run(1) { print(2) }',
        '}',
      ),
    });
    expect(usesOf('A.swift:2')).toEqual(['A.swift:7']);
    expect(usesOf('A.swift:3')).toEqual(['A.swift:8']);
    expect(usesOf('A.shared')).toEqual(['A.swift:7', 'A.swift:8']);
  });
});
