/** C and C++: includes, links, tags, members and namespaces decide which definition is meant. */
import { expect, test } from 'vitest';
import { resolveSources } from '../../test/support/resolved-sources.ts';

const lines = (...text: readonly string[]): string => `${text.join('\n')}\n`;

test('R130 a prototype and its definition are one symbol, and a static function is of its file alone', async () => {
  const { usesOf } = await resolveSources({
    'src/money.h': 'int round_up(int n);\n#define LIMIT 10\n',
    'src/money.c':
      '#include "money.h"\nstatic int helper(int n) { return n; }\nint round_up(int n) { return helper(n); }\n',
    'src/cart.c': lines(
      '#include "money.h"',
      'static int helper(int n) { return LIMIT; }',
      'int pay(void) { return round_up(helper(1)); }',
    ),
  });

  expect(usesOf('src/money.h:1')).toEqual(['src/cart.c:3']);
  expect(usesOf('src/money.c:3')).toEqual(['src/cart.c:3']);
  expect(usesOf('src/money.c:2')).toEqual(['src/money.c:3']);
  expect(usesOf('src/cart.c:2')).toEqual(['src/cart.c:3']);
  expect(usesOf('LIMIT')).toEqual(['src/cart.c:2']);
});

test('R130 fields by the type of the receiver, through typedefs of structs that a header only names', async () => {
  const { usesOf } = await resolveSources({
    'box.h': 'typedef struct till till_t;\nenum color { RED, GREEN };\nint till_open(till_t *t);\n',
    'box.c': lines(
      '#include "box.h"',
      'struct till { int sum; struct till *next; int (*count)(int); };',
      'struct other { int sum; };',
      'int till_open(till_t *t) { t->next->sum = RED; return t->count(1); }',
      'int other_sum(struct other *o) { return o->sum; }',
      'till_t first = { .sum = 1 };',
      'int (*opener)(till_t *) = till_open;',
    ),
  });

  expect(usesOf('till.sum')).toEqual(['box.c:4', 'box.c:6']);
  expect(usesOf('other.sum')).toEqual(['box.c:5']);
  expect(usesOf('till.count')).toEqual(['box.c:4']);
  expect(usesOf('RED')).toEqual(['box.c:4']);
  expect(usesOf('box.h:3')).toEqual(['box.c:7']);
});

test('R130 C++: methods out of their class, bases, namespaces, smart pointers and `auto`', async () => {
  const { usesOf } = await resolveSources({
    'shape.h': lines(
      'namespace geo {',
      'class Base { public: int id() const { return id_; } int id_; };',
      'class Shape : public Base {',
      ' public:',
      '  int area() const;',
      '  static Shape* make();',
      '  Shape* next_;',
      '};',
      '}',
    ),
    'shape.cc': lines(
      '#include "shape.h"',
      'namespace geo {',
      'int Shape::area() const { return next_->area() + id(); }',
      '}',
    ),
    'main.cc': lines(
      '#include "shape.h"',
      '#include <memory>',
      'int area() { return 1; }',
      'int main() {',
      '  auto s = new geo::Shape();',
      '  std::unique_ptr<geo::Shape> p;',
      '  geo::Shape::make()->area();',
      '  return s->area() + p->area() + area();',
      '}',
    ),
  });

  expect(usesOf('shape.h:5')).toEqual(['main.cc:7', 'main.cc:8', 'shape.cc:3']);
  expect(usesOf('shape.cc:3')).toEqual(['main.cc:7', 'main.cc:8', 'shape.cc:3']);
  expect(usesOf('main.cc:3')).toEqual(['main.cc:8']);
  expect(usesOf('Base.id')).toEqual(['shape.cc:3']);
  expect(usesOf('Shape.make')).toEqual(['main.cc:7']);
});

test('R132 files depend through their includes', async () => {
  const { graph } = await resolveSources({
    'include/lib/a.h': '#include "b.h"\n',
    'include/lib/b.h': 'int b;\n',
    'src/a.c': '#include <lib/a.h>\n',
  });

  expect(graph.uses.get('src/a.c')).toEqual(['include/lib/a.h']);
  expect(graph.uses.get('include/lib/a.h')).toEqual(['include/lib/b.h']);
});
