/**
 * C and C++: declarations and definitions, tags, members, namespaces, macros, uses. What other files may link to is exported; a method
 * that is defined out of its class stands in a scope whose `Self` is the class.
 */
import type { UseKind } from '../../core/index.ts';
import {
  declaredBy,
  type Declared,
  exprOf,
  itemOf,
  pathOf,
  TAGS,
  typeAt,
  type TypeExpr,
  typeOf,
} from './c-expressions.ts';
import { readMacroText, TAG } from './c-macros.ts';
import { classOf, type Collector } from './collector.ts';
import type { Expr, FactDefinition, Scope } from './facts.ts';
import {
  childOf,
  fieldOf,
  fieldsOf,
  firstNamed,
  isComment,
  namedOf,
  type SyntaxNode,
} from './syntax-node.ts';

const NAMES = new Set(['identifier', 'type_identifier', 'field_identifier', 'namespace_identifier']);
const BLOCKS = new Set([
  'compound_statement',
  'for_statement',
  'if_statement',
  'while_statement',
  'switch_statement',
  'catch_clause',
]);
const UNKNOWN: Expr = { kind: 'unknown' };
/** `TEST_F(Name, Case) { … }`: a macro that makes a method of the fixture. */
const FIXTURE = /^(?:TEST_F|TYPED_TEST|TEST_P|BENCHMARK_F|FRIEND_TEST)$/;

export function readC(root: SyntaxNode, facts: Collector): void {
  readFamily(root, facts, false);
}

export function readCpp(root: SyntaxNode, facts: Collector): void {
  readFamily(root, facts, true);
}

function readFamily(root: SyntaxNode, facts: Collector, isCpp: boolean): void {
  const { textOf } = facts;
  const type = (node: SyntaxNode | undefined) => typeOf(node, textOf);
  const expr = (node: SyntaxNode | undefined) => exprOf(node, textOf);

  function walkAll(node: SyntaxNode | undefined, scope: Scope): void {
    for (const child of node?.children ?? []) walk(child, scope);
  }

  function walkFields(node: SyntaxNode, scope: Scope, ...fields: readonly string[]): void {
    for (const child of node.children)
      if (child.field !== undefined && fields.includes(child.field)) walk(child, scope);
  }

  /** Names of a file and of its namespaces; those that are not static are what other files may mean. */
  function bindOuter(scope: Scope, definition: FactDefinition, isLinked: boolean): void {
    facts.bind(scope, definition.name, { definition });
    if (isLinked && isOuter(scope))
      facts.export({ kind: 'local', name: definition.name, local: definition.name });
  }

  function isOuter(scope: Scope): boolean {
    return scope.kind === 'file' || scope.kind === 'namespace';
  }

  function isStatic(node: SyntaxNode): boolean {
    return node.children.some(
      (child) => child.type === 'storage_class_specifier' && textOf(child) === 'static',
    );
  }

  function include(node: SyntaxNode): void {
    const path = fieldOf(node, 'path');
    if (path === undefined || path.type === 'identifier') return;
    facts.import({ specifier: textOf(path).replace(/^["<]|[">]$/g, ''), names: [] }, node);
  }

  function readMacro(node: SyntaxNode): void {
    const [name, value] = [fieldOf(node, 'name'), fieldOf(node, 'value')];
    if (name === undefined) return;
    const isFunction = node.type === 'preproc_function_def';
    const definition = facts.define({
      kind: isFunction ? 'function' : 'value',
      scope: facts.top,
      name,
      node,
    });
    facts.bind(facts.top, definition.name, { definition });
    const parameters = new Set(namedOf(fieldOf(node, 'parameters')).map(textOf));
    if (value !== undefined) readMacroText(value, facts.top, { facts, parameters });
  }

  /** A tag, with or without what is in it. Returns what its members belong to. */
  function readTag(node: SyntaxNode, scope: Scope, named?: FactDefinition): FactDefinition | undefined {
    const [name, body] = [fieldOf(node, 'name'), fieldOf(node, 'body')];
    const isForward = body === undefined && node.parent !== undefined && isAlone(node);
    if (name !== undefined && body === undefined && !isForward) {
      walkTagName(name, scope);
      return undefined;
    }
    const definition = name === undefined ? named : defineTag(node, name, scope);
    if (definition === undefined) {
      if (node.type === 'enum_specifier' && body !== undefined)
        readEnumerators(body, scope, { owner: undefined, isScoped: false });
      else walkAll(body, scope);
      return undefined;
    }
    readBases(node, definition, scope);
    if (body === undefined) return definition;
    const inner = facts.openScope(scope, node.type === 'enum_specifier' ? 'type' : 'class', definition);
    definition.inner ??= inner;
    if (node.type === 'enum_specifier')
      readEnumerators(body, scope, { owner: definition, isScoped: isScopedEnum(node) });
    else for (const child of body.children) walk(child, inner);
    return definition;
  }

  function isScopedEnum(node: SyntaxNode): boolean {
    return childOf(node, 'class', 'struct') !== undefined;
  }

  /** `struct name;` declares; elsewhere it is used. */
  function isAlone({ parent, field }: SyntaxNode): boolean {
    if (
      parent?.type === 'translation_unit' ||
      parent?.type === 'declaration_list' ||
      parent?.type === 'template_declaration'
    )
      return true;
    return (
      (parent?.type === 'declaration' || parent?.type === 'field_declaration') &&
      field === 'type' &&
      fieldOf(parent, 'declarator') === undefined
    );
  }

  function walkTagName(name: SyntaxNode, scope: Scope): void {
    if (name.type !== 'type_identifier') return walk(name, scope);
    facts.use(name, { kind: 'type', scope, of: TAG });
  }

  function defineTag(node: SyntaxNode, written: SyntaxNode, scope: Scope): FactDefinition | undefined {
    const path = pathOf(written, textOf);
    const name = lastName(written);
    if (path === undefined || name === undefined) return undefined;
    if (written.type === 'template_type') walkFields(written, scope, 'arguments');
    const kind = node.type === 'enum_specifier' ? 'enum' : 'class';
    const definition = facts.define({ kind, scope, name, node, more: { ownerName: ownerIn(path) } });
    facts.bind(scope, `struct ${definition.name}`, { definition });
    if (isCpp) facts.bind(scope, definition.name, { definition });
    const owner = classOf(scope);
    if (owner !== undefined && isCpp) facts.addMember(owner, definition);
    return definition;
  }

  function readBases(node: SyntaxNode, definition: FactDefinition, scope: Scope): void {
    for (const base of namedOf(childOf(node, 'base_class_clause'))) {
      const path = pathOf(base, textOf);
      if (path !== undefined) definition.bases.push({ kind: 'name', name: path });
      walk(base, scope);
    }
  }

  /** Constants are names of what is around an enum, unless it is a class of its own. */
  function readEnumerators(
    body: SyntaxNode,
    scope: Scope,
    { owner, isScoped }: { readonly owner: FactDefinition | undefined; readonly isScoped: boolean },
  ): void {
    const made: TypeExpr | undefined = owner && {
      kind: 'type',
      name: owner.name,
      ...(isCpp ? {} : { of: 'struct' }),
    };
    const around = isCpp && !isScoped ? classOf(scope) : undefined;
    for (const each of namedOf(body)) {
      const name = each.type === 'enumerator' ? fieldOf(each, 'name') : undefined;
      if (name === undefined) {
        walk(each, scope);
        continue;
      }
      const definition = facts.define({ kind: 'value', scope, name, node: each, more: { type: made } });
      if (around !== undefined) facts.addMember(around, definition, { type: made });
      if (owner !== undefined) facts.addMember(owner, definition, { type: made });
      if (!isScoped) facts.bind(scope, definition.name, { definition });
      walkFields(each, scope, 'value');
    }
  }

  function readTypedef(node: SyntaxNode, scope: Scope): void {
    const is = fieldOf(node, 'type');
    const isTag = is !== undefined && TAGS.has(is.type);
    for (const [at, declarator] of fieldsOf(node, 'declarator').entries()) {
      const declared = declaredBy(declarator);
      if (declared === undefined || !NAMES.has(declared.name.type)) continue;
      const definition = facts.define({ kind: 'type', scope, name: declared.name, node });
      facts.bind(scope, definition.name, { definition });
      const owner = classOf(scope);
      if (owner !== undefined && isCpp) facts.addMember(owner, definition);
      const isNamed = !isTag || fieldOf(is, 'name') !== undefined;
      const alias = isNamed ? type(is) : undefined;
      if (alias !== undefined)
        definition.aliases.push(
          declared.isPointerToFunction || declared.parameters !== undefined
            ? { ...alias, wrap: 'Func' }
            : alias,
        );
      if (isTag && !isNamed && at === 0) readTag(is, scope, definition);
      walkAll(
        declared.parameters ?? (declared.isPointerToFunction ? parametersOf(declarator) : undefined),
        scope,
      );
    }
    if (is !== undefined && !(isTag && fieldOf(is, 'name') === undefined)) walk(is, scope);
  }

  function parametersOf(node: SyntaxNode): SyntaxNode | undefined {
    for (let at: SyntaxNode | undefined = node; at !== undefined; at = fieldOf(at, 'declarator')) {
      const found = fieldOf(at, 'parameters');
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** `Outer` of `Outer::name`, for what is defined out of its class. */
  function ownerIn(path: string): string | undefined {
    const parts = path.split('::');
    return parts.length > 1 ? parts.at(-2) : undefined;
  }

  function lastName(node: SyntaxNode): SyntaxNode | undefined {
    let at: SyntaxNode | undefined = node;
    while (at !== undefined && !NAMES.has(at.type)) at = fieldOf(at, 'name') ?? firstNamed(at);
    return at;
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

  /** Defines a function or method, declared or with its body. Returns the scope that its body is in. */
  function defineFunction(node: SyntaxNode, { name: written, parameters }: Declared, scope: Scope): Scope {
    const path = pathOf(written, textOf);
    const name = lastName(written);
    if (path === undefined || name === undefined) return scope;
    const owner = classOf(scope);
    const ownerName = owner === undefined ? ownerIn(path) : undefined;
    const returned = type(fieldOf(node, 'type'));
    const cut = path.lastIndexOf('::');
    const self = cut > 0 ? typeAt(path.slice(0, cut)) : undefined;
    const around = self === undefined ? scope : facts.openScope(scope, 'class');
    if (self !== undefined) {
      facts.bind(around, 'Self', { type: self });
      facts.bind(around, 'this', { type: self });
      if (written.type === 'qualified_identifier') walkFields(written, scope, 'scope');
    }
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
    else if (ownerName === undefined) bindOuter(scope, definition, !isStatic(node));
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

  /** Variables, prototypes and fields. */
  function readDeclaration(node: SyntaxNode, scope: Scope): void {
    const is = fieldOf(node, 'type');
    const isTag = is !== undefined && TAGS.has(is.type);
    const tag = isTag ? readTag(is, scope) : undefined;
    if (is !== undefined && !isTag) walk(is, scope);
    const given: TypeExpr | undefined =
      is?.type === 'placeholder_type_specifier'
        ? undefined
        : (type(is) ?? (tag && { kind: 'type', name: tag.name }));
    const declarators = fieldsOf(node, 'declarator');
    for (const declarator of declarators) declare(node, declarator, scope, given);
    // `struct { … };` inside of another: its members are those of what is around it.
    const around = classOf(scope);
    if (
      declarators.length === 0 &&
      is !== undefined &&
      isTag &&
      fieldOf(is, 'name') === undefined &&
      around !== undefined
    )
      readTag(is, scope, around);
    else if (isTag && fieldOf(is, 'name') === undefined && tag === undefined)
      readNameless(is, declarators[0], scope);
    for (const child of node.children)
      if (child.field === 'value' || child.field === 'default_value') walk(child, scope);
  }

  /** `struct { int x; } name;`: the members are those of the one variable. */
  function readNameless(tag: SyntaxNode, declarator: SyntaxNode | undefined, scope: Scope): void {
    const name = declaredBy(
      declarator?.type === 'init_declarator' ? fieldOf(declarator, 'declarator') : declarator,
    )?.name;
    const owner = classOf(scope);
    const written = name === undefined ? '' : textOf(name);
    const definition =
      owner?.members.get(written)?.definitions[0] ?? scope.names.get(written)?.definitions[0];
    readTag(tag, scope, definition);
  }

  function declare(
    node: SyntaxNode,
    declarator: SyntaxNode,
    scope: Scope,
    given: TypeExpr | undefined,
  ): void {
    const isInit = declarator.type === 'init_declarator';
    const declared = declaredBy(isInit ? fieldOf(declarator, 'declarator') : declarator);
    if (declared === undefined) return walk(declarator, scope);
    const value = isInit
      ? fieldOf(declarator, 'value')
      : (fieldOf(node, 'value') ?? fieldOf(node, 'default_value'));
    if (
      declared.parameters !== undefined &&
      !isInit &&
      (isOuter(scope) || classOf(scope) !== undefined || scope.kind === 'class')
    ) {
      const around = defineFunction(node, declared, scope);
      return bindParameters(declared.parameters, facts.openScope(around, 'function'));
    }
    const held = declared.isPointerToFunction && given !== undefined ? { ...given, wrap: 'Func' } : given;
    const what = { type: held, value: held === undefined ? expr(value) : undefined };
    const owner = classOf(scope);
    const name = lastName(declared.name);
    if (name === undefined) return walk(declarator, scope);
    if (owner !== undefined && scope.kind === 'class')
      facts.addMember(owner, facts.define({ kind: 'field', scope, name, node, more: what }), what);
    else if (isOuter(scope)) {
      const path = pathOf(declared.name, textOf) ?? '';
      const definition = facts.define({
        kind: 'value',
        scope,
        name,
        node,
        more: { ...what, ownerName: ownerIn(path) },
      });
      if (ownerIn(path) === undefined) bindOuter(scope, definition, !isStatic(node));
    } else bindName(scope, name, what);
    const own = isInit ? fieldOf(declarator, 'declarator') : declarator;
    walkAll(
      declared.isPointerToFunction && own !== undefined ? parametersOf(own) : declared.parameters,
      scope,
    );
    walkSizes(own, scope);
    if (isInit && value !== undefined) readValue(value, scope, given);
  }

  function walkSizes(declarator: SyntaxNode | undefined, scope: Scope): void {
    for (let at = declarator; at !== undefined; at = fieldOf(at, 'declarator')) walkFields(at, scope, 'size');
  }

  /** `{ .x = 1 }`: what is between dots and signs is a field of the type that is made. */
  function readValue(node: SyntaxNode, scope: Scope, made: Expr | undefined): void {
    if (node.type !== 'initializer_list') return walk(node, scope);
    for (const each of node.children) {
      if (each.type !== 'initializer_pair') {
        readValue(each, scope, each.type === 'initializer_list' ? made : undefined);
        continue;
      }
      for (const child of each.children) {
        const name = child.type === 'field_designator' ? firstNamed(child) : undefined;
        if (name !== undefined) facts.use(name, { kind: 'write', scope, of: made ?? UNKNOWN });
        else readValue(child, scope, undefined);
      }
    }
  }

  function readNamespace(node: SyntaxNode, scope: Scope): void {
    const [name, body] = [fieldOf(node, 'name'), fieldOf(node, 'body')];
    const parts =
      name?.type === 'nested_namespace_specifier' ? namedOf(name) : name === undefined ? [] : [name];
    let inner = parts.length === 0 ? facts.openScope(scope, 'namespace') : scope;
    for (const part of parts) {
      const definition = facts.define({ kind: 'module', scope: inner, name: part, node });
      facts.bind(inner, definition.name, { definition });
      inner = facts.openScope(inner, 'namespace', definition);
      definition.inner = inner;
    }
    walkAll(body, inner);
  }

  function readTemplate(node: SyntaxNode, scope: Scope): void {
    const inner = isOuter(scope) || scope.kind === 'class' ? scope : facts.openScope(scope, 'block');
    for (const each of namedOf(fieldOf(node, 'parameters'))) {
      const name = each.children.find((child) => child.type === 'type_identifier');
      if (name !== undefined && /type_parameter/.test(each.type)) facts.claim(name);
      walkAll(each, scope);
    }
    for (const child of node.children) if (child.field !== 'parameters') walk(child, inner);
  }

  function readAlias(node: SyntaxNode, scope: Scope): void {
    const [name, is] = [fieldOf(node, 'name'), fieldOf(node, 'type')];
    if (name === undefined) return;
    const definition = facts.define({ kind: 'type', scope, name, node });
    facts.bind(scope, definition.name, { definition });
    const alias = type(is);
    if (alias !== undefined) definition.aliases.push(alias);
    const owner = classOf(scope);
    if (owner !== undefined) facts.addMember(owner, definition);
    if (is !== undefined) walk(is, scope);
  }

  function walk(node: SyntaxNode, scope: Scope): void {
    if (!node.isNamed || isComment(node)) return;
    switch (node.type) {
      case 'preproc_include':
        return include(node);
      case 'preproc_def':
      case 'preproc_function_def':
        return readMacro(node);
      case 'preproc_arg':
        return readMacroText(node, scope, { facts, parameters: new Set() });
      case 'type_definition':
        return readTypedef(node, scope);
      case 'struct_specifier':
      case 'union_specifier':
      case 'class_specifier':
      case 'enum_specifier':
        return void readTag(node, scope);
      case 'function_definition':
        return readFunction(node, scope);
      case 'declaration':
      case 'field_declaration':
        return readDeclaration(node, scope);
      case 'namespace_definition':
        return readNamespace(node, scope);
      case 'template_declaration':
        return readTemplate(node, scope);
      case 'alias_declaration':
        return readAlias(node, scope);
      case 'using_declaration':
      case 'friend_declaration':
        return readNamed(node, scope, 'import');
      case 'lambda_expression': {
        const inner = facts.openScope(scope, 'function');
        bindParameters(fieldOf(fieldOf(node, 'declarator'), 'parameters'), inner);
        walkFields(node, scope, 'captures');
        return walkFields(node, inner, 'body');
      }
      case 'for_range_loop': {
        const inner = facts.openScope(scope, 'block');
        const declared = declaredBy(fieldOf(node, 'declarator'));
        const given = type(fieldOf(node, 'type'));
        walkFields(node, inner, 'right', 'type');
        if (declared?.name.type === 'identifier')
          bindName(
            inner,
            declared.name,
            given === undefined ? { value: itemOf(expr(fieldOf(node, 'right'))) } : { type: given },
          );
        return walkFields(node, inner, 'body');
      }
      case 'catch_clause': {
        const inner = facts.openScope(scope, 'block');
        bindParameters(fieldOf(node, 'parameters'), inner);
        return walkFields(node, inner, 'body');
      }
      case 'compound_literal_expression': {
        walkFields(node, scope, 'type');
        const value = fieldOf(node, 'value');
        return value && readValue(value, scope, type(fieldOf(node, 'type')));
      }
      case 'qualified_identifier':
        return readPath(node, scope, '');
      case 'statement_identifier':
      case 'destructor_name':
        return;
    }
    if (NAMES.has(node.type) && node.children.length === 0)
      return facts.isClaimed(node) ? undefined : readUse(node, scope);
    walkAll(node, BLOCKS.has(node.type) ? facts.openScope(scope, 'block') : scope);
  }

  function readNamed(node: SyntaxNode, scope: Scope, kind: UseKind): void {
    for (const child of namedOf(node)) {
      const name =
        child.type === 'qualified_identifier' || NAMES.has(child.type) ? lastName(child) : undefined;
      if (name === undefined) walk(child, scope);
      else {
        const path = pathOf(child, textOf) ?? '';
        const cut = path.lastIndexOf('::');
        facts.use(name, {
          kind,
          scope,
          of: cut > 0 ? { kind: 'name', name: path.slice(0, cut) } : undefined,
        });
      }
    }
  }

  /** `a::b::C`: each is used, in what stands before it. */
  function readPath(node: SyntaxNode, scope: Scope, before: string): void {
    const [first, name] = [fieldOf(node, 'scope'), fieldOf(node, 'name')];
    const head = pathOf(first, textOf);
    const of: Expr | undefined = before === '' ? undefined : { kind: 'name', name: before };
    const headName = first && lastName(first);
    if (headName !== undefined && headName.type !== 'identifier')
      facts.use(headName, { kind: 'type', scope, of });
    if (first?.type === 'template_type') walkFields(first, scope, 'arguments');
    const whole = [before, head].filter((part) => part !== '' && part !== undefined).join('::');
    if (name === undefined) return;
    if (name.type === 'qualified_identifier') return readPath(name, scope, whole);
    const last = lastName(name);
    if (last === undefined) return walkAll(name, scope);
    if (name.type === 'template_type' || name.type === 'template_function')
      walkFields(name, scope, 'arguments');
    if (!facts.isClaimed(last))
      facts.use(last, {
        kind: last.type === 'type_identifier' ? 'type' : useKind(outermost(node)),
        scope,
        of: whole === '' ? undefined : { kind: 'name', name: whole },
      });
  }

  function outermost(node: SyntaxNode): SyntaxNode {
    let at = node;
    while (at.parent?.type === 'qualified_identifier') at = at.parent;
    return at;
  }

  function readUse(node: SyntaxNode, scope: Scope): void {
    const { parent } = node;
    const args = parent && argumentsOf(node);
    const access = parent?.type === 'template_method' ? parent.parent : parent;
    if (node.type === 'field_identifier' && access?.type === 'field_expression') {
      const of = expr(fieldOf(access, 'argument')) ?? UNKNOWN;
      return facts.use(node, { kind: useKind(access), scope, of, args });
    }
    if (node.type === 'field_identifier' && parent?.type === 'offsetof_expression')
      return facts.use(node, { kind: 'read', scope, of: type(fieldOf(parent, 'type')) ?? UNKNOWN });
    const isType = node.type === 'type_identifier';
    facts.use(node, {
      kind: isType ? (parent?.type === 'base_class_clause' ? 'inherit' : 'type') : useKind(node),
      scope,
      args,
    });
  }

  /** Overloads are told apart by the number of arguments. */
  function argumentsOf(node: SyntaxNode): number | undefined {
    if (!isCpp) return undefined;
    let at: SyntaxNode | undefined = node;
    while (
      at !== undefined &&
      at.type !== 'call_expression' &&
      /identifier|field_expression|template/.test(at.type) &&
      at.field !== 'argument'
    )
      at = at.parent;
    if (at?.type !== 'call_expression') return undefined;
    return namedOf(fieldOf(at, 'arguments')).length;
  }

  walkAll(root, facts.top);
}

function useKind(whole: SyntaxNode): UseKind {
  const around = whole.parent?.type === 'template_function' ? whole.parent : whole;
  const { parent } = around;
  if (parent?.type === 'call_expression' && around.field === 'function') return 'call';
  if (parent?.type === 'assignment_expression' && around.field === 'left') return 'write';
  return parent?.type === 'update_expression' ? 'write' : 'read';
}
