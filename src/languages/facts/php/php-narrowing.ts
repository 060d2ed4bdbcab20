/** PHP: what a statement tells of a variable for those that follow, or for those inside of it. */
import type { Expr } from '../facts.ts';
import { fieldOf, firstNamed, lastNamed, namedOf, type SyntaxNode } from '../syntax-node.ts';

export interface Narrowed {
  /** With its dollar. */
  readonly name: string;
  readonly type: Expr | undefined;
  readonly value?: Expr | undefined;
}

export interface Reading {
  textOf(node: SyntaxNode): string;
  type(node: SyntaxNode | undefined): Expr | undefined;
  expr(node: SyntaxNode | undefined): Expr | undefined;
}

const EXITS = new Set(['return_statement', 'continue_statement', 'break_statement', 'exit_statement']);
const MOST_PARTS = 20;

/** `if (!$a instanceof Foo) { return; }`, `assert($a instanceof Foo)`, and a variable that gets another value. */
export function narrowedAfter(statement: SyntaxNode, reading: Reading): readonly Narrowed[] {
  if (statement.type === 'if_statement') {
    const isOpen = statement.children.some(({ type }) => type.startsWith('else'));
    if (isOpen || !leaves(fieldOf(statement, 'body'))) return [];
    return conditions(fieldOf(statement, 'condition'), reading).filter(isNegated).map(toNarrowed);
  }
  if (statement.type !== 'expression_statement') return [];
  const inside = firstNamed(statement);
  if (inside === undefined) return [];
  switch (inside.type) {
    case 'assignment_expression': {
      const left = fieldOf(inside, 'left');
      if (left?.type !== 'variable_name') return [];
      const value = reading.expr(fieldOf(inside, 'right'));
      return [{ name: reading.textOf(left), type: undefined, value }];
    }
    case 'function_call_expression':
    case 'member_call_expression':
    case 'scoped_call_expression':
      return asserted(inside, reading);
    default:
      return [];
  }
}

/** `if ($a instanceof Foo && …)`. */
export function narrowedWithin(condition: SyntaxNode | undefined, reading: Reading): readonly Narrowed[] {
  return conditions(condition, reading)
    .filter((each) => !isNegated(each))
    .map(toNarrowed);
}

interface Condition {
  readonly name: string;
  readonly type: Expr;
  readonly isNegated: boolean;
}

function isNegated(condition: Condition): boolean {
  return condition.isNegated;
}

function toNarrowed({ name, type }: Condition): Narrowed {
  return { name, type };
}

/** The tests by `instanceof` in a condition, each with whether it is negated. */
function conditions(node: SyntaxNode | undefined, { textOf, type }: Reading): readonly Condition[] {
  const found: Condition[] = [];
  const open: { readonly node: SyntaxNode | undefined; readonly not: boolean }[] = [{ node, not: false }];
  for (let at = open.pop(); at !== undefined && found.length < MOST_PARTS; at = open.pop()) {
    const { node: part, not } = at;
    if (part?.type === 'unary_op_expression') open.push({ node: lastNamed(part), not: !not });
    else if (part?.type === 'parenthesized_expression') open.push({ node: firstNamed(part), not });
    else if (part?.type === 'binary_expression') {
      const [left, right] = [fieldOf(part, 'left'), fieldOf(part, 'right')];
      const told = fieldOf(part, 'operator')?.type === 'instanceof' ? type(right) : undefined;
      if (told?.kind === 'type' && left?.type === 'variable_name')
        found.push({ name: textOf(left), type: told, isNegated: not });
      else open.push({ node: right, not }, { node: left, not });
    }
  }
  return found;
}

function leaves(body: SyntaxNode | undefined): boolean {
  const last = body?.type === 'compound_statement' ? lastNamed(body) : body;
  if (last === undefined) return false;
  return (
    EXITS.has(last.type) || firstNamed(last)?.type === 'throw_expression' || last.type === 'throw_statement'
  );
}

/** `assert($a instanceof Foo)`, `self::assertInstanceOf(Foo::class, $a)`. */
function asserted(call: SyntaxNode, reading: Reading): readonly Narrowed[] {
  const called = fieldOf(call, 'function') ?? fieldOf(call, 'name');
  const name = called === undefined ? '' : reading.textOf(called);
  const [first, second] = namedOf(fieldOf(call, 'arguments')).map((argument) => firstNamed(argument));
  if (name === 'assert') return narrowedWithin(first, reading);
  if (name !== 'assertInstanceOf' || second?.type !== 'variable_name') return [];
  const told =
    first?.type === 'class_constant_access_expression' ? reading.type(firstNamed(first)) : undefined;
  return told === undefined ? [] : [{ name: reading.textOf(second), type: told }];
}
