/** The uses of Swift: which kind of use a name is, and what stands before its dot. */
import type { UseKind } from '../../../core/index.ts';
import type { Collector } from '../collector.ts';
import type { Expr, Scope } from '../facts.ts';
import { childOf, fieldOf, firstNamed, type SyntaxNode } from '../syntax-node.ts';
import { declaredType, isSubscript, type SwiftExpressions } from './swift-expressions.ts';

const UNKNOWN: Expr = { kind: 'unknown' };
/** Names in them are labels, or stand for nothing that a file defines. */
const LABELS: ReadonlySet<string> = new Set(['value_argument_label', 'directive', 'statement_label']);
const FUNCTIONS: ReadonlySet<string> = new Set(['function_declaration', 'property_declaration']);
const MOST_STEPS = 12;

export function readSwiftUse(
  facts: Collector,
  { expr, type, nameOf }: SwiftExpressions,
  node: SyntaxNode,
  scope: Scope,
): void {
  const { parent } = node;
  if (parent === undefined || LABELS.has(parent.type)) return;
  const name = nameOf(node);
  const written = (at: SyntaxNode): { kind: UseKind; args: number | undefined } => ({
    kind: kindOf(at),
    args: argsOf(at, facts.textOf),
  });
  switch (parent.type) {
    case 'navigation_suffix': {
      const whole = parent.parent;
      if (name === 'self' || name === 'init' || whole === undefined) return;
      const of = expr(fieldOf(whole, 'target')) ?? UNKNOWN;
      return facts.use(node, { ...written(whole), scope, of, name });
    }
    case 'prefix_expression': {
      // `.name`: a member of the type that the place wants.
      if (!facts.textOf(parent).startsWith('.') || name === 'init') break;
      const of = parent.parent?.type === 'value_parameter_pack' ? nameEach() : wanted(parent);
      return facts.use(node, { ...written(parent), scope, of: of ?? UNKNOWN, name });
    }
    case 'pattern': {
      const of = caseSubject(parent);
      return facts.use(node, { kind: 'read', scope, of: of ?? UNKNOWN, name });
    }
    case 'if_statement':
    case 'guard_statement':
    case 'while_statement': {
      const before = parent.children[parent.children.indexOf(node) - 1];
      const isCase =
        before?.type === 'case' ||
        (before?.type === 'value_binding_pattern' &&
          parent.children[parent.children.indexOf(before) - 1]?.type === 'case');
      if (isCase)
        return facts.use(node, { kind: 'read', scope, of: subjectAfter(parent, node) ?? UNKNOWN, name });
      break;
    }
    case 'user_type': {
      const names = parent.children.filter((child) => child.type === 'type_identifier');
      const of = names
        .slice(0, names.indexOf(node))
        .reduce<Expr | undefined>(
          (all, each) => (all === undefined ? expr(each) : { kind: 'member', of: all, name: nameOf(each) }),
          undefined,
        );
      const kind = parent.parent?.type === 'inheritance_specifier' ? 'inherit' : 'type';
      return facts.use(node, { kind, scope, of, name });
    }
  }
  facts.use(node, { ...written(node), scope, name });

  function nameEach(): Expr {
    return { kind: 'name', name: 'each' };
  }

  /** `if case .open = x`, `if case let .done(n) = x`. */
  function subjectAfter(condition: SyntaxNode, at: SyntaxNode): Expr | undefined {
    const after = condition.children.slice(condition.children.indexOf(at) + 1);
    return expr(after.find(({ field, type: is }) => field === 'condition' && is !== 'pattern'));
  }

  /** `switch x { case .open: … }`. */
  function caseSubject(pattern: SyntaxNode): Expr | undefined {
    let at: SyntaxNode | undefined = pattern;
    for (let step = 0; at !== undefined && step < MOST_STEPS; step++, at = at.parent) {
      if (at.type === 'switch_statement') return expr(fieldOf(at, 'expr'));
      if (at.type === 'statements') return undefined;
    }
    return undefined;
  }

  /** By what it is compared with, assigned to, declared as or returned as. */
  function wanted(node: SyntaxNode): Expr | undefined {
    let [at, around] = [node, node.parent];
    while (around?.type === 'call_expression' && firstNamed(around) === at)
      [at, around] = [around, around.parent];
    switch (around?.type) {
      case undefined:
        return undefined;
      case 'equality_expression':
        return at.field === 'rhs' ? expr(fieldOf(around, 'lhs')) : expr(fieldOf(around, 'rhs'));
      case 'assignment':
        return at.field === 'result' ? expr(fieldOf(around, 'target')) : undefined;
      case 'nil_coalescing_expression':
        return expr(fieldOf(around, 'value'));
      case 'property_declaration':
        return type(declaredType(childOf(around, 'type_annotation')));
      case 'pattern':
        return caseSubject(around);
      case 'control_transfer_statement':
      case 'statements':
        return returned(around);
      case 'function_declaration':
      case 'init_declaration': {
        // The value that a parameter has by default stands behind the parameter.
        const before = around.children[around.children.indexOf(at) - 1];
        return at.field === 'default_value' ? type(declaredType(before)) : undefined;
      }
      default:
        return undefined;
    }
  }

  function returned(statement: SyntaxNode): Expr | undefined {
    let at: SyntaxNode | undefined = statement;
    for (let step = 0; at !== undefined && step < MOST_STEPS; step++, at = at.parent) {
      if (at.type === 'lambda_literal') return undefined;
      if (!FUNCTIONS.has(at.type)) continue;
      return type(
        at.type === 'function_declaration' ? declaredType(at) : declaredType(childOf(at, 'type_annotation')),
      );
    }
    return undefined;
  }
}

function callOf(node: SyntaxNode): SyntaxNode | undefined {
  const around = node.parent;
  return around?.type === 'call_expression' && firstNamed(around) === node ? around : undefined;
}

function kindOf(node: SyntaxNode): UseKind {
  if (node.parent?.type === 'directly_assignable_expression') return 'write';
  return callOf(node) === undefined ? 'read' : 'call';
}

/** Blocks after the parentheses are arguments too. */
function argsOf(node: SyntaxNode, textOf: (node: SyntaxNode) => string): number | undefined {
  const suffix = childOf(callOf(node), 'call_suffix');
  if (suffix === undefined || isSubscript(suffix, textOf)) return undefined;
  const given = childOf(suffix, 'value_arguments')?.children ?? [];
  // `#selector(run(_:))` names a function by its labels.
  if (given.some((each) => each.children.some((child) => child.field === 'reference_specifier')))
    return undefined;
  return [...given, ...suffix.children].filter(
    ({ type }) => type === 'value_argument' || type === 'lambda_literal',
  ).length;
}
