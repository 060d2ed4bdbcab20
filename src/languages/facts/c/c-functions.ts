/** C and C++: functions and methods, declared or with their bodies, and what their parameters bind. */
import {
  type Declared,
  declaredBy,
  lastName,
  parametersOf,
  scopePath,
  typeAt,
  typeOf,
} from './c-expressions.ts';
import type { TagParts } from './c-tags.ts';
import { classOf } from '../collector.ts';
import type { Expr, FactDefinition, Scope } from '../facts.ts';
import { fieldOf, firstNamed, namedOf, type SyntaxNode, walkChildren } from '../syntax-node.ts';

/** `TEST_F(Name, Case) { … }`: a macro that makes a method of the fixture. */
const FIXTURE = /^(?:TEST_F|TYPED_TEST|TEST_P|BENCHMARK_F|FRIEND_TEST)$/;

export interface Functions {
  readFunction(node: SyntaxNode, scope: Scope): void;
  /** Defines a function or method, declared or with its body. Returns the scope that its body is in. */
  defineFunction(node: SyntaxNode, declared: Declared, scope: Scope): Scope;
  bindParameters(list: SyntaxNode | undefined, scope: Scope): void;
  bindName(
    scope: Scope,
    name: SyntaxNode,
    what: { readonly type?: Expr | undefined; readonly value?: Expr | undefined },
  ): void;
  /** Names of a file and of its namespaces; those that are not static are what other files may mean. */
  bindOuter(scope: Scope, definition: FactDefinition, isLinked: boolean): void;
}

export function createFunctions({ facts, isCpp, walk }: TagParts): Functions {
  const { textOf } = facts;
  const type = (node: SyntaxNode | undefined) => typeOf(node, textOf);

  function walkAll(node: SyntaxNode | undefined, scope: Scope): void {
    walkChildren(node, scope, walk);
  }

  function walkFields(node: SyntaxNode, scope: Scope, ...fields: readonly string[]): void {
    for (const child of node.children)
      if (child.field !== undefined && fields.includes(child.field)) walk(child, scope);
  }

  function bindOuter(scope: Scope, definition: FactDefinition, isLinked: boolean): void {
    facts.bind(scope, definition.name, { definition });
    if (isLinked && isOuterScope(scope))
      facts.export({ kind: 'local', name: definition.name, local: definition.name });
  }

  function readFunction(node: SyntaxNode, scope: Scope): void {
    const declarator = fieldOf(node, 'declarator');
    const declared = declaredBy(declarator);
    if (declared?.parameters === undefined) return walkBody(node, facts.openScope(scope, 'function'));
    const isMade =
      fieldOf(node, 'type') === undefined &&
      declared.name.type === 'identifier' &&
      classOf(scope) === undefined;
    if (isMade) return readMadeByMacro(node, declared, scope);
    const around = defineFunction(node, declared, scope);
    const inner = facts.openScope(around, 'function');
    walkFields(node, inner, 'type');
    bindParameters(declared.parameters, inner);
    walkBody(node, inner);
  }

  function defineFunction(node: SyntaxNode, { name: written, parameters }: Declared, scope: Scope): Scope {
    const owner = classOf(scope);
    const before = owner === undefined ? scopePath(written, textOf) : '';
    const ownerName = before === '' ? undefined : before.slice(before.lastIndexOf(':') + 1);
    const returned = type(fieldOf(node, 'type'));
    const around = before === '' ? scope : facts.openScope(scope, 'class');
    if (before !== '') {
      const self = typeAt(before);
      facts.bind(around, 'Self', { type: self });
      facts.bind(around, 'this', { type: self });
      if (written.type === 'qualified_identifier') walkFields(written, scope, 'scope');
    }
    const name = lastName(written);
    if (name === undefined) return around;
    const { arity, isVariadic } = isCpp ? arityOf(parameters) : { arity: undefined, isVariadic: false };
    const isDestructor = name.parent?.type === 'destructor_name';
    if (isDestructor) {
      facts.claim(name);
      return around;
    }
    const definition = facts.define({
      kind: owner === undefined && ownerName === undefined ? 'function' : 'method',
      scope: around,
      name,
      node: node.parent?.type === 'template_declaration' ? node.parent : node,
      more: { returns: [returned], ownerName, arity, isVariadic },
    });
    if (owner !== undefined) facts.addMember(owner, definition);
    else if (ownerName === undefined) bindOuter(scope, definition, !isStatic(node, textOf));
    return around;
  }

  function arityOf(parameters: SyntaxNode | undefined): { arity: number | undefined; isVariadic: boolean } {
    const all = namedOf(parameters);
    const isOpen =
      all.some(({ type: kind }) => /variadic|optional/.test(kind)) ||
      /\.\.\./.test(parameters === undefined ? '' : textOf(parameters));
    const isVoid = all.length === 1 && all[0] !== undefined && textOf(all[0]) === 'void';
    return isOpen
      ? { arity: undefined, isVariadic: true }
      : { arity: isVoid ? 0 : all.length, isVariadic: false };
  }

  function readMadeByMacro(node: SyntaxNode, declared: Declared, scope: Scope): void {
    facts.use(declared.name, { kind: 'call', scope });
    const first = firstNamed(declared.parameters);
    const fixture = first && FIXTURE.test(textOf(declared.name)) ? type(fieldOf(first, 'type')) : undefined;
    const around = fixture === undefined ? scope : facts.openScope(scope, 'class');
    if (fixture !== undefined) {
      facts.bind(around, 'Self', { type: fixture });
      facts.bind(around, 'this', { type: fixture });
    }
    walkAll(declared.parameters, scope);
    walkBody(node, facts.openScope(around, 'function'));
  }

  function walkBody(node: SyntaxNode, inner: Scope): void {
    for (const child of node.children)
      if (child.type === 'field_initializer_list') readInitializers(child, inner);
      else if (child.field !== 'declarator' && child.field !== 'type') walk(child, inner);
  }

  function readInitializers(list: SyntaxNode, scope: Scope): void {
    for (const each of namedOf(list)) {
      const [name, ...values] = namedOf(each);
      if (name?.type === 'field_identifier') facts.use(name, { kind: 'write', scope });
      else if (name !== undefined) walk(name, scope);
      for (const value of values) walk(value, scope);
    }
  }

  function bindParameters(list: SyntaxNode | undefined, scope: Scope): void {
    for (const each of namedOf(list)) {
      if (each.type === 'identifier') bindName(scope, each, {});
      const declared = declaredBy(fieldOf(each, 'declarator'));
      const given = type(fieldOf(each, 'type'));
      if (declared?.name.type === 'identifier')
        bindName(scope, declared.name, {
          type: declared.isPointerToFunction && given !== undefined ? { ...given, wrap: 'Func' } : given,
        });
      for (const child of each.children) if (child.field !== 'declarator') walk(child, scope);
      const own = fieldOf(each, 'declarator');
      walkAll(own && parametersOf(own), scope);
    }
  }

  function bindName(
    scope: Scope,
    name: SyntaxNode,
    what: { readonly type?: Expr | undefined; readonly value?: Expr | undefined },
  ): void {
    facts.claim(name);
    facts.bind(scope, textOf(name), what);
  }

  return { readFunction, defineFunction, bindParameters, bindName, bindOuter };
}

export function isOuterScope({ kind }: Scope): boolean {
  return kind === 'file' || kind === 'namespace';
}

export function isStatic(node: SyntaxNode, textOf: (node: SyntaxNode) => string): boolean {
  return node.children.some(
    (child) => child.type === 'storage_class_specifier' && textOf(child) === 'static',
  );
}
