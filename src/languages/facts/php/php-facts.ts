/**
 * PHP: a file belongs to a namespace, `use` gives short names, and classes are found by their full names. Members are no names of a
 * scope; variables are, with their dollar. What is known of a variable from a statement on (`instanceof`, another value) is a scope inside.
 */
import { type BindingDraft, type Collector, holderOf } from '../collector.ts';
import type { Expr, FactDefinition, FactKind, Scope } from '../facts.ts';
import { exprOf, type PhpSource } from './php-expressions.ts';
import { createPhpImports } from './php-modules.ts';
import { narrowedAfter, narrowedWithin } from './php-narrowing.ts';
import { type DocComment, readDoc, typeOf } from './php-types.ts';
import { placeOf, useKind } from './php-uses.ts';
import { childOf, fieldOf, firstNamed, namedOf, type SyntaxNode, walkChildren } from '../syntax-node.ts';

const TYPES: Readonly<Record<string, FactKind>> = {
  class_declaration: 'class',
  interface_declaration: 'interface',
  trait_declaration: 'interface',
  enum_declaration: 'enum',
};
const UNKNOWN: Expr = { kind: 'unknown' };

export function readPhp(root: SyntaxNode, facts: Collector): void {
  const { textOf, top } = facts;
  const imports = createPhpImports(facts);
  const source: PhpSource = {
    textOf,
    parentOf(node) {
      let at = node.parent;
      while (at !== undefined && at.type !== 'class_declaration' && at.type !== 'anonymous_class')
        at = at.parent;
      return typeOf(firstNamed(childOf(at, 'base_clause')), textOf);
    },
  };
  const type = (node: SyntaxNode | undefined): Expr | undefined => typeOf(node, textOf);
  const expr = (node: SyntaxNode | undefined): Expr | undefined => exprOf(node, source);

  function walkAll(node: SyntaxNode | undefined, scope: Scope): void {
    walkChildren(node, scope, walk);
  }

  /** Statements one after another: what one tells of a variable holds for those that follow. */
  function walkStatements(node: SyntaxNode, around: Scope): void {
    let scope = around;
    for (const child of node.children) {
      walk(child, scope);
      for (const { name, type: told, value } of narrowedAfter(child, { textOf, type, expr })) {
        // A first value is the binding itself; another one begins a scope.
        if (told === undefined && !isReassigned(scope, name, value)) continue;
        scope = facts.openScope(scope, 'block');
        facts.bind(scope, name, { type: told, value });
      }
    }
  }

  function isReassigned(scope: Scope, name: string, value: Expr | undefined): boolean {
    for (let at: Scope | undefined = scope; at !== undefined && at.kind !== 'class'; at = at.parent) {
      const known = at.names.get(name);
      if (known !== undefined) return JSON.stringify(known.value) !== JSON.stringify(value);
    }
    return false;
  }

  function commentOf(node: SyntaxNode): SyntaxNode | undefined {
    const list = node.parent?.children ?? [];
    const before = list[list.indexOf(node) - 1];
    return before?.type === 'comment' ? before : undefined;
  }

  function docOf(node: SyntaxNode): DocComment {
    const comment = commentOf(node);
    return readDoc(comment && textOf(comment));
  }

  function readType(node: SyntaxNode, scope: Scope, kind: FactKind): void {
    const name = fieldOf(node, 'name');
    if (name === undefined) return;
    const definition = facts.define({ kind, scope, name, node });
    facts.bind(top, definition.name, { definition });
    readMembers(node, scope, definition);
    readMagic(node, definition);
  }

  /** `@property` and `@method` of the doc comment. */
  function readMagic(node: SyntaxNode, owner: FactDefinition): void {
    const comment = commentOf(node);
    const scope = owner.inner;
    if (comment === undefined || scope === undefined) return;
    for (const { kind, name, at, type: told } of docOf(node).members) {
      if (owner.members.has(name)) continue;
      const start = comment.start + at;
      const place = { ...comment, start, end: start + name.length };
      const more = kind === 'field' ? { type: told } : { returns: [told] };
      facts.addMember(owner, facts.define({ kind, scope, name: place, node: place, more }));
    }
  }

  function readMembers(node: SyntaxNode, scope: Scope, definition: FactDefinition | undefined): void {
    const inner = facts.openScope(scope, 'class', definition);
    if (definition !== undefined) definition.inner = inner;
    const body = fieldOf(node, 'body');
    const heads = node.children.filter(
      ({ type: kind }) => kind === 'base_clause' || kind === 'class_interface_clause',
    );
    const traits = (body?.children ?? []).filter(({ type: kind }) => kind === 'use_declaration');
    // What a trait gives wins over what is inherited.
    for (const clause of [...traits, ...heads])
      for (const base of namedOf(clause))
        if (base.type === 'name' || base.type === 'qualified_name')
          definition?.bases.push({ kind: 'name', name: textOf(base) });
    for (const child of node.children) walk(child, child === body ? inner : scope);
  }

  function readFunction(node: SyntaxNode, scope: Scope): void {
    const name = fieldOf(node, 'name');
    const owner = scope.kind === 'class' ? scope.definition : undefined;
    const isMethod = node.type === 'method_declaration';
    const doc = docOf(node);
    const inner = facts.openScope(scope, 'function');
    const body = fieldOf(node, 'body');
    if (name !== undefined) {
      const declared = type(fieldOf(node, 'return_type'));
      const returns = declared?.kind === 'type' ? declared : (doc.returns ?? declared);
      const kind = isMethod ? 'method' : 'function';
      const definition = facts.define({ kind, scope, name, node, more: { inner, returns: [returns] } });
      if (owner !== undefined) facts.addMember(owner, definition);
      else if (!isMethod) facts.bind(top, definition.name, { definition });
      if (returns === undefined) definition.returned = returnedIn(body);
    }
    bindParameters(node, inner, { doc, owner });
    for (const child of node.children)
      if (child.field !== 'name' && child.field !== 'parameters') walk(child, inner);
  }

  function bindParameters(
    node: SyntaxNode,
    scope: Scope,
    { doc, owner }: { readonly doc: DocComment; readonly owner?: FactDefinition | undefined },
  ): void {
    for (const parameter of namedOf(fieldOf(node, 'parameters'))) {
      const variable = fieldOf(parameter, 'name');
      const name = firstNamed(variable);
      if (variable === undefined || name === undefined) continue;
      const declared = type(fieldOf(parameter, 'type'));
      const told = declared?.kind === 'type' ? declared : (doc.variables.get(textOf(name)) ?? declared);
      const isList = parameter.type === 'variadic_parameter' && told?.kind === 'type';
      facts.bind(scope, textOf(variable), { type: isList ? { ...told, wrap: 'Array' } : told });
      if (parameter.type === 'property_promotion_parameter' && owner?.inner !== undefined) {
        const more = { type: told };
        facts.addMember(
          owner,
          facts.define({ kind: 'field', scope: owner.inner, name, node: parameter, more }),
        );
      }
      facts.claim(name);
      for (const child of parameter.children) if (child !== variable) walk(child, scope);
    }
  }

  /** What the last `return` gives. */
  function returnedIn(body: SyntaxNode | undefined): Expr | undefined {
    const open = body === undefined ? [] : [body];
    let found: { readonly at: number; readonly value: Expr } | undefined;
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (/function|class/.test(node.type) && !node.type.endsWith('_expression')) continue;
      if (node.type !== 'return_statement') open.push(...node.children);
      else {
        const value = expr(firstNamed(node));
        if (value !== undefined && value.kind !== 'foreign' && (found === undefined || node.start > found.at))
          found = { at: node.start, value };
      }
    }
    return found?.value;
  }

  function readField(element: SyntaxNode, scope: Scope): void {
    const declaration = element.parent;
    const name = element.type === 'property_element' ? firstNamed(fieldOf(element, 'name')) : nameOf(element);
    if (name === undefined || declaration === undefined) return;
    const declared = type(fieldOf(declaration, 'type'));
    const isCase = element.type === 'enum_case';
    const value = expr(fieldOf(element, 'default_value'));
    const more: Pick<FactDefinition, 'type' | 'value'> = isCase
      ? { type: { kind: 'type', name: 'this' } }
      : { type: declared?.kind === 'type' ? declared : (docOf(declaration).type ?? declared) };
    if (value?.kind === 'type' || value?.kind === 'new') more.value = value;
    const owner = scope.kind === 'class' ? scope.definition : undefined;
    const kind = scope.kind === 'class' ? 'field' : 'value';
    const definition = facts.define({ kind, scope, name, node: isCase ? element : declaration, more });
    if (owner !== undefined) facts.addMember(owner, definition);
    else if (scope.kind !== 'class') facts.bind(top, definition.name, { definition });
    for (const child of element.children) if (child !== name && child.field !== 'name') walk(child, scope);
  }

  /** The first `name` of a constant, or the field of a case. */
  function nameOf(element: SyntaxNode): SyntaxNode | undefined {
    return fieldOf(element, 'name') ?? childOf(element, 'name');
  }

  function readAssignment(node: SyntaxNode, scope: Scope): void {
    const [left, right] = [fieldOf(node, 'left'), fieldOf(node, 'right')];
    bindTarget(left, scope, { value: expr(right) });
    if (right !== undefined) walk(right, scope);
    if (left !== undefined) walk(left, scope);
  }

  function bindTarget(left: SyntaxNode | undefined, scope: Scope, what: BindingDraft): void {
    if (left === undefined) return;
    switch (left.type) {
      case 'variable_name':
        return facts.bind(holderOf(scope), textOf(left), what);
      case 'list_literal':
        for (const child of namedOf(left)) bindTarget(child, scope, {});
        return;
      case 'member_access_expression':
        return tellField(left, scope, what);
    }
  }

  /** `$this->sender = $sender` tells the type of a property that declares none. */
  function tellField(left: SyntaxNode, scope: Scope, { value }: BindingDraft): void {
    const [of, name] = [fieldOf(left, 'object'), fieldOf(left, 'name')];
    if (of === undefined || name === undefined || textOf(of) !== '$this') return;
    let at: Scope | undefined = scope;
    while (at !== undefined && at.kind !== 'class') at = at.parent;
    const known = at?.definition?.members.get(textOf(name))?.definitions.find(({ kind }) => kind === 'field');
    if (known === undefined || known.type?.kind === 'type' || value === undefined) return;
    const given = value.kind === 'name' ? variableNamed(scope, value.name) : undefined;
    known.type ??= given?.type;
    if (value.kind !== 'name' && value.kind !== 'foreign') known.value ??= value;
    else known.value ??= given?.value;
  }

  function variableNamed(scope: Scope, name: string): BindingDraft | undefined {
    for (let at: Scope | undefined = scope; at !== undefined && at.kind !== 'class'; at = at.parent) {
      const found = at.names.get(name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  function readForeach(node: SyntaxNode, scope: Scope): void {
    const [list, target] = namedOf(node).filter(({ field }) => field !== 'body');
    const of = expr(list);
    const each = target?.type === 'pair' ? namedOf(target)[1] : target;
    const name = each?.type === 'by_ref' ? firstNamed(each) : each;
    const value: Expr | undefined = of && { kind: 'item', of };
    const inner = facts.openScope(scope, 'block');
    // The same name may go through several lists.
    if (name?.type === 'variable_name') facts.bind(inner, textOf(name), { value });
    else bindTarget(name, scope, {});
    walkAll(node, inner);
  }

  function readCatch(node: SyntaxNode, scope: Scope): void {
    const inner = facts.openScope(scope, 'block');
    const name = fieldOf(node, 'name');
    if (name !== undefined) facts.bind(inner, textOf(name), { type: type(fieldOf(node, 'type')) });
    walkAll(node, inner);
  }

  function readIf(node: SyntaxNode, scope: Scope): void {
    const inner = facts.openScope(scope, 'block');
    for (const { name, type: told } of narrowedWithin(fieldOf(node, 'condition'), { textOf, type, expr }))
      facts.bind(inner, name, { type: told });
    for (const child of node.children) {
      const isInside = child.field === 'body' || child.field === 'condition';
      walk(child, isInside ? inner : scope);
    }
  }

  function readComment(node: SyntaxNode, scope: Scope): void {
    if (holderOf(scope).kind === 'class') return;
    for (const [name, told] of readDoc(textOf(node)).variables)
      facts.bind(holderOf(scope), `$${name}`, { type: told });
  }

  function readDefine(node: SyntaxNode, scope: Scope): void {
    const called = fieldOf(node, 'function');
    const name = firstNamed(firstNamed(firstNamed(fieldOf(node, 'arguments'))));
    if (called === undefined || name?.type !== 'string_content' || textOf(called) !== 'define') return;
    const definition = facts.define({ kind: 'value', scope, name, node });
    facts.bind(top, definition.name, { definition });
  }

  function walk(node: SyntaxNode, scope: Scope): void {
    if (!node.isNamed) return;
    const kind = TYPES[node.type];
    if (kind !== undefined) return readType(node, scope, kind);
    switch (node.type) {
      case 'comment':
        return readComment(node, scope);
      case 'namespace_definition': {
        const name = fieldOf(node, 'name');
        if (name !== undefined) imports.enter(textOf(name));
        const body = fieldOf(node, 'body');
        return body === undefined ? undefined : walk(body, scope);
      }
      case 'namespace_use_declaration':
        return imports.read(node);
      case 'anonymous_class':
        return readMembers(node, scope, undefined);
      case 'method_declaration':
      case 'function_definition':
      case 'anonymous_function':
      case 'arrow_function':
        return readFunction(node, scope);
      case 'property_element':
      case 'const_element':
      case 'enum_case':
        return readField(node, scope);
      case 'assignment_expression':
      case 'augmented_assignment_expression':
      case 'reference_assignment_expression':
        return readAssignment(node, scope);
      case 'foreach_statement':
        return readForeach(node, scope);
      case 'catch_clause':
        return readCatch(node, scope);
      case 'if_statement':
      case 'else_if_clause':
        return readIf(node, scope);
      case 'program':
      case 'compound_statement':
        return walkStatements(node, scope);
      case 'function_call_expression':
        readDefine(node, scope);
        break;
      case 'variable_name':
        // Members of a class are named so too; variables are of no interest to other code.
        if (node.parent?.type === 'scoped_property_access_expression' && node.field === 'name') break;
        return;
      case 'include_expression':
      case 'include_once_expression':
      case 'require_expression':
      case 'require_once_expression':
        imports.include(node);
        break;
      case 'qualified_name':
      case 'relative_name':
        return readQualified(node, scope);
      case 'name':
        return facts.isClaimed(node) ? undefined : readName(node, scope);
    }
    walkAll(node, scope);
  }

  /** `\Foo\bar()`: the last part is looked for in the namespace before it. */
  function readQualified(node: SyntaxNode, scope: Scope): void {
    const name = namedOf(node).findLast((child) => child.type === 'name');
    if (name === undefined || facts.isClaimed(name)) return;
    const full = textOf(node);
    imports.name(full, node);
    const of: Expr = { kind: 'name', name: full.slice(0, full.length - textOf(name).length) };
    facts.use(name, { kind: useKind(node), scope, of });
  }

  function readName(node: SyntaxNode, scope: Scope): void {
    const place = placeOf(node);
    const name = textOf(node);
    if (place.kind === 'member') {
      const isClassName = place.around.type === 'class_constant_access_expression' && name === 'class';
      if (!isClassName)
        facts.use(node, { kind: useKind(place.around), scope, of: expr(place.of) ?? UNKNOWN });
    } else if (place.kind === 'name' && !/^(?:self|static|parent)$/i.test(name)) {
      imports.name(name, node);
      facts.use(node, { kind: useKind(node), scope });
    }
  }

  walk(root, top);
}
