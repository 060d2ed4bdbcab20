/** The uses of C#: which kind of use a name is, and what stands before its dot. */
import type { UseKind } from '../../../core/index.ts';
import type { Collector } from '../collector.ts';
import { type CsharpExpressions } from './csharp-expressions.ts';
import type { Expr, Scope } from '../facts.ts';
import { childOf, fieldOf, firstNamed, namedOf, type SyntaxNode } from '../syntax-node.ts';

const UNKNOWN: Expr = { kind: 'unknown' };
const TYPE_PARENTS = new Set([
  'base_list',
  'type_argument_list',
  'array_type',
  'nullable_type',
  'typeof_expression',
  'cast_expression',
  'type_pattern',
  'explicit_interface_specifier',
  'primary_constructor_base_type',
]);

export function readCsharpUse(
  facts: Collector,
  { expr, type }: Pick<CsharpExpressions, 'expr' | 'type'>,
  node: SyntaxNode,
  scope: Scope,
): void {
  const isGeneric = node.parent?.type === 'generic_name';
  const whole = isGeneric && node.parent !== undefined ? node.parent : node;
  const types = isGeneric ? namedOf(childOf(whole, 'type_argument_list')).length : 0;
  const { parent } = whole;
  const of = receiverOf(whole, parent);
  const outer = of === undefined ? whole : outerOf(whole);
  const kind = kindOf(outer);
  const isCalled = kind === 'call' && outer.parent?.type === 'invocation_expression';
  const args = isCalled
    ? namedOf(fieldOf(outer.parent, 'arguments')).length
    : kind === 'type' || kind === 'inherit' || kind === 'call'
      ? types
      : undefined;
  facts.use(node, { kind, scope, of: of?.expr, args });
  // `[Name]` means NameAttribute, if there is one.
  if (outer.parent?.type === 'attribute' && outer.field === 'name')
    facts.use(node, { kind, scope, of: of?.expr, args, name: `${facts.textOf(node)}Attribute` });

  function receiverOf(at: SyntaxNode, around: SyntaxNode | undefined): { readonly expr: Expr } | undefined {
    const known = (found: Expr | undefined): { readonly expr: Expr } => ({ expr: found ?? UNKNOWN });
    switch (around?.type) {
      case undefined:
        return undefined;
      case 'member_access_expression':
        return at.field === 'name' ? known(expr(fieldOf(around, 'expression'), scope)) : undefined;
      case 'qualified_name':
        return at.field === 'name' ? known(expr(fieldOf(around, 'qualifier'), scope)) : undefined;
      case 'member_binding_expression':
        return known(expr(fieldOf(around.parent, 'condition'), scope));
      case 'assignment_expression': {
        // `new Order { Name = … }`.
        const made = around.parent?.type === 'initializer_expression' ? around.parent.parent : undefined;
        return at.field === 'left' && made !== undefined
          ? known(type(fieldOf(made, 'type'), scope))
          : undefined;
      }
      case 'with_initializer':
        return around.children[0] === at ? known(expr(firstNamed(around.parent), scope)) : undefined;
      case 'subpattern':
        return around.children[0] === at
          ? known(type(fieldOf(around.parent?.parent, 'type'), scope))
          : undefined;
      case 'attribute_argument':
        return at.field === 'name' ? known(undefined) : undefined;
      default:
        return undefined;
    }
  }
}

/** The whole of `a.b`, of which the name is the last part. */
function outerOf(node: SyntaxNode): SyntaxNode {
  const { parent } = node;
  if (parent?.type === 'member_binding_expression') return parent.parent ?? parent;
  return parent?.type === 'member_access_expression' || parent?.type === 'qualified_name' ? parent : node;
}

function kindOf(node: SyntaxNode): UseKind {
  const { parent, field } = node;
  switch (parent?.type) {
    case undefined:
      return 'read';
    case 'invocation_expression':
      return field === 'function' ? 'call' : 'read';
    case 'object_creation_expression':
      return field === 'type' ? 'call' : 'read';
    case 'base_list':
    case 'primary_constructor_base_type':
      return 'inherit';
    case 'assignment_expression':
      return field === 'left' ? 'write' : 'read';
    case 'attribute':
      return field === 'name' ? 'type' : 'read';
    case 'as_expression':
      return field === 'right' ? 'type' : 'read';
    case 'cast_expression':
      return field === 'type' ? 'type' : 'read';
    default:
      if (field === 'type' || field === 'returns') return 'type';
      return parent !== undefined && TYPE_PARENTS.has(parent.type) ? 'type' : 'read';
  }
}
