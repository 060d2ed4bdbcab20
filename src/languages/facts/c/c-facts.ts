/**
 * C and C++: declarations and definitions, tags, members, namespaces, macros, uses. What other files may link to is exported; a method
 * that is defined out of its class stands in a scope whose `Self` is the class.
 */
import type { UseKind } from '../../../core/index.ts';
import {
  C_NAMES,
  declaredBy,
  exprOf,
  itemOf,
  lastName,
  ownerIn,
  parametersOf,
  pathOf,
  TAGS,
  type TypeExpr,
  typeOf,
} from './c-expressions.ts';
import { readMacroText } from './c-macros.ts';
import { createFunctions, isOuterScope, isStatic } from './c-functions.ts';
import { createTags } from './c-tags.ts';
import { classOf, type Collector } from '../collector.ts';
import type { Expr, Scope } from '../facts.ts';
import {
  fieldOf,
  fieldsOf,
  firstNamed,
  isComment,
  namedOf,
  type SyntaxNode,
  walkChildren,
} from '../syntax-node.ts';

const BLOCKS = new Set([
  'compound_statement',
  'for_statement',
  'if_statement',
  'while_statement',
  'switch_statement',
  'catch_clause',
]);
const UNKNOWN: Expr = { kind: 'unknown' };
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

  const { readFunction, defineFunction, bindParameters, bindName, bindOuter } = createFunctions({
    facts,
    isCpp,
    walk,
  });
  const { readTag, readTypedef, readNameless } = createTags({ facts, isCpp, walk });

  function walkAll(node: SyntaxNode | undefined, scope: Scope): void {
    walkChildren(node, scope, walk);
  }

  function walkFields(node: SyntaxNode, scope: Scope, ...fields: readonly string[]): void {
    for (const child of node.children)
      if (child.field !== undefined && fields.includes(child.field)) walk(child, scope);
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
    if (value === undefined) return;
    readMacroText(value, facts.top, { facts, parameters });
    readOpened(value, node);
  }

  /** `#define BEGIN namespace name {`: the namespace is there, though none of its names can be told. */
  function readOpened(value: SyntaxNode, node: SyntaxNode): void {
    const opened = isCpp ? /\bnamespace\s+(\w+)\s*\{/.exec(textOf(value)) : null;
    const [whole = '', word = ''] = opened ?? [];
    if (opened === null) return;
    const start = value.start + opened.index + whole.lastIndexOf(word);
    const name = { ...value, start, end: start + word.length };
    const definition = facts.define({ kind: 'module', scope: facts.top, name, node });
    facts.bind(facts.top, word, { definition });
    definition.inner = facts.openScope(facts.top, 'namespace', definition);
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
      (isOuterScope(scope) || classOf(scope) !== undefined || scope.kind === 'class')
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
    else if (isOuterScope(scope)) {
      const path = pathOf(declared.name, textOf) ?? '';
      const definition = facts.define({
        kind: 'value',
        scope,
        name,
        node,
        more: { ...what, ownerName: ownerIn(path) },
      });
      if (ownerIn(path) === undefined) bindOuter(scope, definition, !isStatic(node, textOf));
      else if (declared.name.type === 'qualified_identifier') walkFields(declared.name, scope, 'scope');
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
    const inner = isOuterScope(scope) || scope.kind === 'class' ? scope : facts.openScope(scope, 'block');
    for (const each of namedOf(fieldOf(node, 'parameters'))) {
      const name = each.children.find((child) => child.type === 'type_identifier');
      if (name !== undefined && /type_parameter/.test(each.type)) facts.claim(name);
      walkAll(each, scope);
    }
    walkChildren(node, inner, walk, 'parameters');
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
    if (C_NAMES.has(node.type) && node.children.length === 0)
      return facts.isClaimed(node) ? undefined : readUse(node, scope);
    walkAll(node, BLOCKS.has(node.type) ? facts.openScope(scope, 'block') : scope);
  }

  function readNamed(node: SyntaxNode, scope: Scope, kind: UseKind): void {
    for (const child of namedOf(node)) {
      const name =
        child.type === 'qualified_identifier' || C_NAMES.has(child.type) ? lastName(child) : undefined;
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
