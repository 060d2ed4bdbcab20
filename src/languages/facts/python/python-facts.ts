/** Python: scopes, bindings, imports, uses. */
import { type BindingDraft, type Collector, holderOf } from '../collector.ts';
import type { UseKind } from '../../../core/index.ts';
import type { Expr, FactDefinition, Scope } from '../facts.ts';
import { exprOf, typeOf } from './python-expressions.ts';
import {
  childOf,
  fieldOf,
  fieldsOf,
  firstNamed,
  namedOf,
  type SyntaxNode,
  walkChildren,
} from '../syntax-node.ts';

const PATTERNS = new Set([
  'pattern_list',
  'tuple_pattern',
  'list_pattern',
  'tuple',
  'list',
  'list_splat_pattern',
  'expression_list',
]);
const COMPREHENSIONS = new Set([
  'list_comprehension',
  'set_comprehension',
  'dictionary_comprehension',
  'generator_expression',
]);
const UNKNOWN: Expr = { kind: 'unknown' };

export function readPython(root: SyntaxNode, facts: Collector): void {
  const { textOf } = facts;
  const type = (node: SyntaxNode | undefined): Expr | undefined => typeOf(node, textOf);
  const expr = (node: SyntaxNode | undefined): Expr | undefined => exprOf(node, textOf);
  /** Names that a function takes from outside. */
  const outer = new Map<Scope, Set<string>>();

  function walkAll(node: SyntaxNode | undefined, scope: Scope): void {
    walkChildren(node, scope, walk);
  }

  function bindTarget(scope: Scope, node: SyntaxNode | undefined, what: BindingDraft): void {
    if (node === undefined) return;
    if (node.type === 'identifier') {
      const name = textOf(node);
      if (outer.get(scope)?.has(name) === true) return;
      if (!scope.names.has(name)) facts.claim(node);
      facts.bind(scope, name, what);
    } else if (PATTERNS.has(node.type)) for (const child of node.children) bindTarget(scope, child, {});
    else if (node.type === 'attribute') bindAttribute(scope, node, what);
  }

  /** `self.name = …` makes a field. */
  function bindAttribute(scope: Scope, node: SyntaxNode, what: BindingDraft): void {
    const [of, name] = [fieldOf(node, 'object'), fieldOf(node, 'attribute')];
    if (of === undefined || name === undefined || textOf(of) !== 'self') return;
    let at: Scope | undefined = scope;
    while (at !== undefined && at.kind !== 'class') at = at.parent;
    const owner = at?.definition;
    if (owner === undefined) return;
    const known = owner.members.get(textOf(name));
    if (known !== undefined) {
      if (known.definitions.every(({ kind }) => kind === 'field')) {
        known.type ??= what.type;
        known.value ??= what.value;
      }
      return;
    }
    const definition = facts.define({ kind: 'field', scope, name, node });
    facts.addMember(owner, definition, what);
  }

  function importModules(node: SyntaxNode, scope: Scope): void {
    for (const part of fieldsOf(node, 'name')) {
      const alias = part.type === 'aliased_import' ? fieldOf(part, 'alias') : undefined;
      const module = part.type === 'aliased_import' ? fieldOf(part, 'name') : part;
      if (module === undefined) continue;
      const specifier = textOf(module);
      facts.import({ specifier, names: [] }, node);
      const first = specifier.split('.')[0] ?? specifier;
      const local = alias === undefined ? first : textOf(alias);
      const meant = alias === undefined ? first : specifier;
      facts.bind(holderOf(scope), local, { import: { specifier: meant, name: '*' } });
    }
  }

  function importNames(node: SyntaxNode, scope: Scope): void {
    const module = fieldOf(node, 'module_name');
    if (module === undefined) return;
    const specifier = textOf(module).replaceAll(/\s/g, '');
    if (childOf(node, 'wildcard_import') !== undefined) {
      facts.star(specifier);
      return facts.import({ specifier, names: [] }, node);
    }
    const names: string[] = [];
    for (const part of fieldsOf(node, 'name')) {
      const isAliased = part.type === 'aliased_import';
      const name = isAliased ? fieldOf(part, 'name') : part;
      const local = isAliased ? fieldOf(part, 'alias') : part;
      if (name === undefined || local === undefined) continue;
      names.push(textOf(name));
      facts.bind(holderOf(scope), textOf(local), { import: { specifier, name: textOf(name) } });
      facts.use(local, { kind: 'import', scope: holderOf(scope) });
    }
    facts.import({ specifier, names }, node);
  }

  function takeOuter(node: SyntaxNode, scope: Scope): void {
    const holder = holderOf(scope);
    const names = outer.get(holder) ?? new Set<string>();
    outer.set(holder, names);
    for (const child of node.children)
      if (child.type === 'identifier') {
        names.add(textOf(child));
        facts.use(child, { kind: 'read', scope: holder.parent ?? holder });
      }
  }

  function readClass(node: SyntaxNode, scope: Scope): void {
    const name = fieldOf(node, 'name');
    if (name === undefined) return;
    const holder = holderOf(scope);
    const definition = facts.define({ kind: 'class', scope, name, node });
    facts.bind(holder, definition.name, { definition });
    if (holder.kind === 'class' && holder.definition !== undefined)
      facts.addMember(holder.definition, definition);
    for (const base of fieldOf(node, 'superclasses')?.children ?? []) {
      const named = base.type === 'subscript' ? firstNamed(base) : base;
      if (named?.type === 'identifier' || named?.type === 'attribute')
        definition.bases.push(...[expr(named)].filter((each) => each !== undefined));
      walk(base, scope);
    }
    const inner = facts.openScope(scope, 'class', definition);
    definition.inner = inner;
    walkAll(fieldOf(node, 'body'), inner);
    for (const child of node.children) if (child.type === 'type_parameter') walk(child, inner);
  }

  function readFunction(node: SyntaxNode, scope: Scope): void {
    const name = fieldOf(node, 'name');
    if (name === undefined) return;
    const holder = holderOf(scope);
    const owner = holder.kind === 'class' ? holder.definition : undefined;
    const body = fieldOf(node, 'body');
    const decorators =
      node.parent?.type === 'decorated_definition'
        ? node.parent.children.filter((child) => child.type === 'decorator').map(textOf)
        : [];
    const definition = facts.define({
      kind: owner === undefined ? 'function' : 'method',
      scope,
      name,
      node,
      more: {
        returns: [type(fieldOf(node, 'return_type'))],
        isAccessor: decorators.some((text) => /property|\.setter/.test(text)),
      },
    });
    facts.bind(holder, definition.name, { definition });
    if (owner !== undefined) facts.addMember(owner, definition);
    const inner = facts.openScope(scope, 'function');
    definition.inner = inner;
    for (const parameter of namedOf(fieldOf(node, 'parameters'))) {
      bindParameter(inner, parameter);
      for (const field of ['type', 'value']) {
        const part = fieldOf(parameter, field);
        if (part !== undefined) walk(part, scope);
      }
    }
    const returnType = fieldOf(node, 'return_type');
    if (returnType !== undefined) walk(returnType, scope);
    walkAll(body, inner);
    if (definition.returns[0] === undefined) definition.returned = returnedIn(body);
  }

  function bindParameter(scope: Scope, node: SyntaxNode): void {
    const first = node.children.find((child) => child.isNamed);
    const outside = node.type === 'identifier' ? node : (fieldOf(node, 'name') ?? first);
    const name = outside?.type === 'identifier' ? outside : childOf(outside, 'identifier');
    if (name === undefined) return;
    facts.claim(name);
    facts.bind(scope, textOf(name), {
      type: type(fieldOf(node, 'type')),
      value: expr(fieldOf(node, 'value')),
    });
  }

  /** What the last `return` gives. */
  function returnedIn(body: SyntaxNode | undefined): Expr | undefined {
    const open = body === undefined ? [] : [body];
    let found: { readonly at: number; readonly value: Expr } | undefined;
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (node.type === 'function_definition' || node.type === 'class_definition') continue;
      if (node.type === 'return_statement') {
        const value = expr(firstNamed(node));
        if (value !== undefined && (found === undefined || node.start > found.at))
          found = { at: node.start, value };
      } else open.push(...node.children);
    }
    return found?.value;
  }

  function readLambda(node: SyntaxNode, scope: Scope): void {
    const inner = facts.openScope(scope, 'function');
    for (const parameter of namedOf(fieldOf(node, 'parameters'))) bindParameter(inner, parameter);
    const body = fieldOf(node, 'body');
    if (body !== undefined) walk(body, inner);
  }

  function readAssignment(node: SyntaxNode, scope: Scope): void {
    const [left, right, annotation] = ['left', 'right', 'type'].map((field) => fieldOf(node, field));
    const holder = holderOf(scope);
    const what = { type: type(annotation), value: expr(right) };
    const isTop = holder.kind === 'file' || holder.kind === 'class';
    const known = left?.type === 'identifier' ? holder.names.get(textOf(left)) : undefined;
    if (left?.type === 'identifier' && isTop && node.type === 'assignment' && known?.import === undefined) {
      if (known === undefined || known.definitions.length === 0)
        defineValue(left, node, { scope, holder, what });
    } else bindTarget(holder, left, what);
    if (left !== undefined && !facts.isClaimed(left)) walk(left, scope);
    if (annotation !== undefined) walk(annotation, scope);
    if (right !== undefined) walk(right, scope);
  }

  function defineValue(
    name: SyntaxNode,
    node: SyntaxNode,
    { scope, holder, what }: { scope: Scope; holder: Scope; what: Pick<FactDefinition, 'type' | 'value'> },
  ): void {
    const owner = holder.kind === 'class' ? holder.definition : undefined;
    const kind = owner === undefined ? 'value' : 'field';
    const definition = facts.define({ kind, scope, name, node, more: what });
    facts.bind(holder, definition.name, { definition });
    if (owner !== undefined && !owner.members.has(definition.name)) facts.addMember(owner, definition, what);
  }

  function readString(node: SyntaxNode, scope: Scope): void {
    for (const child of node.children) if (child.type === 'interpolation') walkAll(child, scope);
    const { parent } = node;
    const isType =
      parent?.type === 'type' || (parent?.type === 'subscript' && parent.parent?.type === 'type');
    if (!isType) return;
    for (const found of textOf(node).matchAll(/[A-Za-z_]\w*/g)) {
      const start = node.start + found.index;
      facts.use({ ...node, start, end: start + found[0].length }, { kind: 'type', scope });
    }
  }

  function readUse(node: SyntaxNode, scope: Scope): void {
    const { parent } = node;
    if (parent?.type === 'attribute' && node.field === 'attribute') {
      const of = expr(fieldOf(parent, 'object')) ?? UNKNOWN;
      facts.use(node, { kind: useKind(parent), scope, of });
    } else facts.use(node, { kind: useKind(node), scope });
  }

  function walk(node: SyntaxNode, scope: Scope): void {
    if (!node.isNamed) return;
    switch (node.type) {
      case 'comment':
        return;
      case 'import_statement':
        return importModules(node, scope);
      case 'import_from_statement':
        return importNames(node, scope);
      case 'global_statement':
      case 'nonlocal_statement':
        return takeOuter(node, scope);
      case 'class_definition':
        return readClass(node, scope);
      case 'function_definition':
        return readFunction(node, scope);
      case 'lambda':
        return readLambda(node, scope);
      case 'assignment':
      case 'augmented_assignment':
        return readAssignment(node, scope);
      case 'string':
        return readString(node, scope);
      case 'keyword_argument': {
        const value = fieldOf(node, 'value');
        return value === undefined ? undefined : walk(value, scope);
      }
      case 'for_statement':
        bindTarget(holderOf(scope), fieldOf(node, 'left'), itemOf(fieldOf(node, 'right')));
        break;
      case 'as_pattern':
        bindAs(node, scope);
        break;
      case 'named_expression':
        bindTarget(holderOf(scope), fieldOf(node, 'name'), { value: expr(fieldOf(node, 'value')) });
        break;
      case 'identifier':
        return facts.isClaimed(node) ? undefined : readUse(node, scope);
    }
    if (COMPREHENSIONS.has(node.type)) {
      const inner = facts.openScope(scope, 'function');
      for (const child of node.children)
        if (child.type === 'for_in_clause')
          bindTarget(inner, fieldOf(child, 'left'), itemOf(fieldOf(child, 'right')));
      return walkAll(node, inner);
    }
    walkAll(node, scope);
  }

  function itemOf(node: SyntaxNode | undefined): BindingDraft {
    const of = expr(node);
    return of === undefined ? {} : { value: { kind: 'item', of } };
  }

  /** `with open() as f`; what an `except` catches is told by its type. */
  function bindAs(node: SyntaxNode, scope: Scope): void {
    const name = firstNamed(childOf(node, 'as_pattern_target'));
    const value = firstNamed(node);
    const caught = node.parent?.type === 'except_clause' && value?.type === 'identifier';
    const what = caught ? { type: type(value) } : { value: expr(value) };
    bindTarget(holderOf(scope), name, what);
  }

  walkAll(root, facts.top);
}

function useKind(node: SyntaxNode): UseKind {
  const { parent } = node;
  switch (parent?.type ?? '') {
    case 'call':
      return node.field === 'function' ? 'call' : 'read';
    case 'decorator':
      return 'call';
    case 'type':
    case 'type_parameter':
      return 'type';
    case 'assignment':
    case 'augmented_assignment':
      return node.field === 'left' ? 'write' : 'read';
    case 'argument_list':
      return parent?.parent?.type === 'class_definition' ? 'inherit' : 'read';
    default:
      return 'read';
  }
}
