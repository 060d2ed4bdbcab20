/**
 * The facts of Kotlin: classes and objects with their members, those of a companion among them; functions and properties of a package; extension
 * functions by the type that they extend; imports by full name. Constructors are uses of their class.
 */
import { classOf, type Collector } from '../collector.ts';
import type { Expr, FactDefinition, FactKind, Scope } from '../facts.ts';
import { toExpr } from '../java/java-expressions.ts';
import { createKotlinExpressions, TYPE_NODES } from './kotlin-expressions.ts';
import { readKotlinUse } from './kotlin-uses.ts';
import {
  childOf,
  firstNamed,
  isComment,
  lastNamed,
  namedOf,
  type SyntaxNode,
  walkChildren,
} from '../syntax-node.ts';

const BLOCKS = new Set([
  'control_structure_body',
  'when_entry',
  'for_statement',
  'while_statement',
  'getter',
  'setter',
  'anonymous_initializer',
]);

export function readKotlin(root: SyntaxNode, facts: Collector): void {
  const { textOf, top } = facts;
  const syntax = createKotlinExpressions(facts);
  const { type, expr, bindTypeParameters } = syntax;

  function walkAll(node: SyntaxNode, scope: Scope): void {
    walkChildren(node, scope, walk);
  }

  function bindName(
    name: SyntaxNode | undefined,
    scope: Scope,
    what: { type?: Expr | undefined; value?: Expr | undefined },
  ): void {
    if (name === undefined) return;
    facts.claim(name);
    facts.bind(scope, textOf(name), what);
  }

  function readImport(node: SyntaxNode): void {
    const path = childOf(node, 'identifier');
    if (path === undefined) return;
    const specifier = textOf(path).replace(/[\s`]/g, '');
    if (childOf(node, 'wildcard_import') !== undefined) {
      facts.star(specifier);
      return facts.import({ specifier: `${specifier}.*`, names: [] }, node);
    }
    facts.import({ specifier, names: [] }, node);
    const name = specifier.slice(specifier.lastIndexOf('.') + 1);
    const alias = lastNamed(childOf(node, 'import_alias'));
    if (alias !== undefined) facts.claim(alias);
    facts.bind(top, alias === undefined ? name : textOf(alias), { import: { specifier, name } });
    const last = lastNamed(path);
    if (last !== undefined) facts.use(last, { kind: 'import', scope: top });
  }

  function readType(node: SyntaxNode, scope: Scope): void {
    const name = childOf(node, 'type_identifier', 'simple_identifier');
    if (name === undefined) return walkAll(node, scope);
    const words = node.children.filter((child) => !child.isNamed).map(({ type: word }) => word);
    const kind: FactKind = words.includes('interface')
      ? 'interface'
      : words.includes('enum')
        ? 'enum'
        : 'class';
    const definition = facts.define({ kind, scope, name, node });
    const outer = classOf(scope);
    if (outer !== undefined) facts.addMember(outer, definition);
    facts.bind(scope, definition.name, { definition });
    readBody(node, definition, scope, name);
  }

  function readBody(node: SyntaxNode, definition: FactDefinition, scope: Scope, name?: SyntaxNode): void {
    const inner = facts.openScope(scope, 'class', definition);
    definition.inner = inner;
    bindTypeParameters(node, inner);
    for (const each of node.children) {
      if (each.type !== 'delegation_specifier') continue;
      const first = firstNamed(each);
      const base = toExpr(type(first?.type === 'user_type' ? first : childOf(first, 'user_type')));
      if (base !== undefined) definition.bases.push(base);
    }
    for (const each of namedOf(childOf(node, 'primary_constructor'))) readComponent(each, definition, inner);
    walkChildren(node, inner, walk, name);
  }

  function readComponent(node: SyntaxNode, owner: FactDefinition, inner: Scope): void {
    const name = childOf(node, 'simple_identifier');
    if (name === undefined) return;
    const declared = type(childOf(node, ...TYPE_NODES));
    if (childOf(node, 'binding_pattern_kind') === undefined) return bindName(name, inner, { type: declared });
    facts.addMember(owner, facts.define({ kind: 'field', scope: inner, name, node }), { type: declared });
  }

  function readFunction(node: SyntaxNode, scope: Scope): void {
    const name = childOf(node, 'simple_identifier');
    const list = childOf(node, 'function_value_parameters');
    const inner = facts.openScope(scope, 'function');
    bindTypeParameters(node, inner);
    const [all, optional] = bindParameters(list, inner);
    const isVariadic =
      optional > 0 ||
      namedOf(list).some((each) =>
        /\bvararg\b/.test(each.type === 'parameter_modifiers' ? textOf(each) : ''),
      );
    const at = name === undefined ? 0 : node.children.indexOf(name);
    const receiver = type(
      node.children
        .slice(0, at)
        .findLast((child) => child.type === 'user_type' || child.type === 'nullable_type'),
    );
    const after = list === undefined ? [] : node.children.slice(node.children.indexOf(list));
    const returned = after.find((child) => TYPE_NODES.some((each) => each === child.type));
    const body = childOf(node, 'function_body');
    const isExpression = body !== undefined && childOf(body, 'statements') === undefined;
    if (receiver !== undefined) facts.bind(inner, 'this', { type: receiver });
    if (name !== undefined && node.type === 'function_declaration') {
      const owner = classOf(scope);
      const definition = facts.define({
        kind: owner === undefined ? 'function' : 'method',
        scope,
        name,
        node,
        more: {
          returns: [type(returned)],
          returned: returned === undefined && isExpression ? expr(firstNamed(body)) : undefined,
          arity: all - optional + (isVariadic ? (optional > 0 ? 1 : 0) : 0),
          isVariadic,
          ownerName: receiver?.kind === 'type' ? (receiver.wrap ?? receiver.name) : undefined,
        },
      });
      definition.inner = inner;
      if (owner !== undefined) facts.addMember(owner, definition);
      else if (receiver === undefined) facts.bind(scope, definition.name, { definition });
    }
    walkChildren(node, inner, walk, name);
  }

  /** How many there are, and how many have a value of their own. */
  function bindParameters(list: SyntaxNode | undefined, inner: Scope): readonly [number, number] {
    let [all, optional] = [0, 0];
    for (const each of namedOf(list)) {
      if (each.type === 'parameter') {
        all++;
        bindName(childOf(each, 'simple_identifier'), inner, { type: type(childOf(each, ...TYPE_NODES)) });
      } else if (each.type !== 'parameter_modifiers') optional++;
    }
    return [all, optional];
  }

  function readProperty(node: SyntaxNode, scope: Scope): void {
    const variable = childOf(node, 'variable_declaration');
    const name = childOf(variable, 'simple_identifier');
    for (const each of namedOf(childOf(node, 'multi_variable_declaration')))
      bindName(childOf(each, 'simple_identifier'), scope, { type: type(childOf(each, ...TYPE_NODES)) });
    const delegate = childOf(node, 'property_delegate');
    const last = lastNamed(node);
    const declared = type(childOf(variable, ...TYPE_NODES));
    const isValue =
      delegate === undefined && last !== variable && last?.type !== 'getter' && last?.type !== 'setter';
    const value = declared === undefined ? (isValue ? expr(last) : lazyValue(delegate)) : undefined;
    const owner = classOf(scope);
    if (name !== undefined) {
      if (owner !== undefined)
        facts.addMember(owner, facts.define({ kind: 'field', scope, name, node }), { type: declared, value });
      else if (scope.kind === 'file') {
        const definition = facts.define({
          kind: 'value',
          scope,
          name,
          node,
          more: { type: declared, value },
        });
        facts.bind(scope, definition.name, { definition });
      } else bindName(name, scope, { type: declared, value });
    }
    walkAll(node, scope);
  }

  /** `by lazy { Order() }` gives what the block ends with. */
  function lazyValue(node: SyntaxNode | undefined): Expr | undefined {
    const call = firstNamed(node);
    if (call?.type !== 'call_expression' || textOf(firstNamed(call) ?? call) !== 'lazy') return undefined;
    const lambda = childOf(childOf(childOf(call, 'call_suffix'), 'annotated_lambda'), 'lambda_literal');
    return expr(lastNamed(childOf(lambda, 'statements')));
  }

  function readLambda(node: SyntaxNode, scope: Scope): void {
    const inner = facts.openScope(scope, 'function');
    const suffix = node.parent?.type === 'annotated_lambda' ? node.parent.parent : undefined;
    const called = firstNamed(suffix?.parent);
    const holder = called?.type === 'navigation_expression' ? expr(firstNamed(called)) : undefined;
    const value: Expr | undefined = holder && { kind: 'item', of: holder };
    const given = namedOf(childOf(node, 'lambda_parameters'));
    if (given.length === 0) facts.bind(inner, 'it', { value });
    for (const each of given) {
      const declared = type(childOf(each, ...TYPE_NODES));
      bindName(childOf(each, 'simple_identifier'), inner, {
        type: declared,
        value: declared === undefined ? value : undefined,
      });
    }
    walkAll(node, inner);
  }

  /** `when (x) { is Order -> … }` and `if (x is Order) …`: inside, x is an Order. */
  function bindChecked(subject: SyntaxNode | undefined, test: SyntaxNode | undefined, scope: Scope): void {
    const checked = type(childOf(test, ...TYPE_NODES));
    if (subject?.type === 'simple_identifier' && checked !== undefined)
      facts.bind(scope, textOf(subject), { type: checked });
  }

  function walk(node: SyntaxNode, scope: Scope): void {
    if (!node.isNamed || isComment(node) || node.type === 'multiline_comment') return;
    switch (node.type) {
      case 'package_header':
        return;
      case 'import_header':
        return readImport(node);
      case 'class_declaration':
      case 'object_declaration':
        return readType(node, scope);
      case 'companion_object': {
        const body = childOf(node, 'class_body');
        return body && walkAll(body, scope);
      }
      case 'object_literal': {
        const body = childOf(node, 'class_body') ?? node;
        const definition = facts.define({
          kind: 'class',
          scope,
          name: { ...node, end: node.start },
          node: body,
        });
        return readBody(node, definition, scope);
      }
      case 'enum_entry': {
        const [name, owner] = [childOf(node, 'simple_identifier'), classOf(scope)];
        if (name !== undefined && owner !== undefined)
          facts.addMember(owner, facts.define({ kind: 'field', scope, name, node }), {
            type: { kind: 'type', name: owner.name },
          });
        break;
      }
      case 'type_alias': {
        const name = childOf(node, 'type_identifier');
        const is = type(childOf(node, ...TYPE_NODES));
        if (name === undefined) break;
        const definition = facts.define({
          kind: 'type',
          scope,
          name,
          node,
          more: { aliases: is === undefined ? [] : [is] },
        });
        facts.bind(scope, definition.name, { definition });
        break;
      }
      case 'function_declaration':
      case 'secondary_constructor':
      case 'anonymous_function':
        return readFunction(node, scope);
      case 'property_declaration':
        return readProperty(node, scope);
      case 'lambda_literal':
        return readLambda(node, scope);
      case 'for_statement': {
        // Without braces the grammar puts the body after the statement.
        const inner =
          childOf(node, 'control_structure_body') === undefined ? scope : facts.openScope(scope, 'block');
        const [variable, list] = namedOf(node);
        const of = expr(list);
        bindName(childOf(variable, 'simple_identifier'), inner, {
          type: type(childOf(variable, ...TYPE_NODES)),
          value: of && { kind: 'item', of },
        });
        return walkAll(node, inner);
      }
      case 'when_entry': {
        const inner = facts.openScope(scope, 'block');
        bindChecked(
          firstNamed(childOf(node.parent, 'when_subject')),
          childOf(childOf(node, 'when_condition'), 'type_test'),
          inner,
        );
        return walkAll(node, inner);
      }
      case 'if_expression': {
        const test = childOf(node, 'check_expression');
        const inner = facts.openScope(scope, 'block');
        bindChecked(firstNamed(test), test, inner);
        return walkAll(node, test === undefined ? scope : inner);
      }
      case 'catch_block': {
        const inner = facts.openScope(scope, 'block');
        bindName(childOf(node, 'simple_identifier'), inner, { type: type(childOf(node, ...TYPE_NODES)) });
        return walkAll(node, inner);
      }
      case 'simple_identifier':
      case 'type_identifier':
      case 'interpolated_identifier':
        return facts.isClaimed(node) ? undefined : readKotlinUse(facts, syntax, node, scope);
    }
    walkAll(node, BLOCKS.has(node.type) ? facts.openScope(scope, 'block') : scope);
  }

  const path = childOf(childOf(root, 'package_header'), 'identifier');
  if (path !== undefined) facts.setPackage(textOf(path).replace(/[\s`]/g, ''));
  walkAll(root, top);
}
