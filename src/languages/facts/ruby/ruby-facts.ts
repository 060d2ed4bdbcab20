/**
 * Ruby: modules and classes may be opened again, constants are looked for in the scopes around and then among ancestors, and a name without
 * a receiver is a local variable or a method of `self`. Methods of a class itself stand in a scope of the kind `type`.
 */
import { type BindingDraft, type Collector, holderOf } from '../collector.ts';
import type { Expr, FactDefinition, Scope } from '../facts.ts';
import { constantOf, exprOf, isLocalName, namesLocal, SELF } from './ruby-expressions.ts';
import { ruleOf, symbolsOf } from './ruby-macros.ts';
import {
  childOf,
  fieldOf,
  firstNamed,
  lastNamed,
  namedOf,
  type SyntaxNode,
  walkChildren,
} from '../syntax-node.ts';

const UNKNOWN: Expr = { kind: 'unknown' };
const SENDERS = /^(?:send|__send__|public_send|method|instance_method|respond_to\?)$/;

export function readRuby(root: SyntaxNode, facts: Collector): void {
  const { textOf } = facts;
  const expr = (node: SyntaxNode | undefined, scope: Scope): Expr | undefined => exprOf(node, scope, textOf);
  /** Of each class body: the scope of what belongs to the class itself. */
  const ofClass = new Map<Scope, Scope>();

  function walkAll(node: SyntaxNode | undefined, scope: Scope): void {
    walkChildren(node, scope, walk);
  }

  function classScope(scope: Scope): Scope | undefined {
    const holder = holderOf(scope);
    return holder.kind === 'class' || holder.kind === 'type' ? holder : undefined;
  }

  function singletonOf(scope: Scope): Scope {
    const known = ofClass.get(scope);
    if (known !== undefined) return known;
    const made = facts.openScope(scope, 'type', scope.definition);
    ofClass.set(scope, made);
    return made;
  }

  function openType(
    node: SyntaxNode,
    scope: Scope,
    named: SyntaxNode,
    kind: 'class' | 'module',
  ): FactDefinition | undefined {
    const name = named.type === 'scope_resolution' ? fieldOf(named, 'name') : named;
    if (name === undefined) return undefined;
    const before = named.type === 'scope_resolution' ? fieldOf(named, 'scope') : undefined;
    if (before !== undefined) walk(before, scope);
    const ownerName = before === undefined ? undefined : constantOf(before, textOf);
    const definition = facts.define({ kind, scope, name, node, more: { ownerName } });
    definition.inner = facts.openScope(scope, 'class', definition);
    return definition;
  }

  function readType(node: SyntaxNode, scope: Scope): void {
    const named = fieldOf(node, 'name');
    if (named === undefined) return;
    const definition = openType(node, scope, named, node.type === 'module' ? 'module' : 'class');
    if (definition?.inner === undefined) return;
    const base = fieldOf(node, 'superclass');
    addBase(definition, firstNamed(base), scope);
    if (base !== undefined) walk(base, scope);
    walkAll(fieldOf(node, 'body'), definition.inner);
  }

  function addBase(definition: FactDefinition, base: SyntaxNode | undefined, scope: Scope): void {
    const name = constantOf(base, textOf);
    if (name !== undefined) definition.bases.push({ kind: 'name', name });
    // `class Point < Struct.new(:x, :y)`
    else if (base?.type === 'call') readStruct(definition, base, scope);
  }

  /** `Struct.new(:x, :y)`, `Class.new(Base)`, `Module.new`; tells whether it is one of them. */
  function readStruct(definition: FactDefinition, call: SyntaxNode, scope: Scope): void {
    const of = constantOf(fieldOf(call, 'receiver'), textOf) ?? '';
    const given = fieldOf(call, 'arguments');
    if (/^(?:::)?(?:Struct|Data)$/.test(of))
      for (const name of symbolsOf(given)) addField(definition, name, call, { value: undefined });
    else if (/^(?:::)?Class$/.test(of)) addBase(definition, firstNamed(given), scope);
  }

  function addField(
    owner: FactDefinition,
    name: SyntaxNode,
    node: SyntaxNode,
    more: { value: Expr | undefined },
  ): void {
    const scope = owner.inner ?? owner.scope;
    facts.addMember(owner, facts.define({ kind: 'field', scope, name, node, more }));
  }

  function readMethod(node: SyntaxNode, scope: Scope): void {
    const named = fieldOf(node, 'name');
    const name = named?.type === 'setter' ? firstNamed(named) : named;
    if (name === undefined) return;
    const holder = classScope(scope);
    const object = fieldOf(node, 'object');
    if (object?.type === 'constant') walk(object, scope);
    const isOwn =
      object === undefined || object.type === 'self' || textOf(object) === holder?.definition?.name;
    const home = holder === undefined ? scope : object === undefined ? holder : singletonOf(holder);
    const definition = facts.define({
      kind: holder === undefined ? 'function' : 'method',
      scope: home,
      name,
      node,
    });
    const owner = isOwn ? holder?.definition : undefined;
    if (owner !== undefined) facts.addMember(owner, definition);
    else facts.bind(holder === undefined ? scope : holder, definition.name, { definition });
    const inner = facts.openScope(home, 'function');
    definition.inner = inner;
    bindParameters(fieldOf(node, 'parameters'), inner);
    const body = fieldOf(node, 'body');
    if (body?.type === 'body_statement') walkAll(body, inner);
    else if (body !== undefined) walk(body, inner);
    definition.returned = returnedBy(body, inner);
  }

  /** The last statement; locals are told by what they were set to. */
  function returnedBy(body: SyntaxNode | undefined, scope: Scope): Expr | undefined {
    const last = body?.type === 'body_statement' ? lastNamed(body) : body;
    const value = expr(last, scope);
    return value?.kind === 'foreign' ? undefined : value;
  }

  function bindParameters(list: SyntaxNode | undefined, scope: Scope): void {
    for (const parameter of namedOf(list)) {
      const name = parameter.type === 'identifier' ? parameter : fieldOf(parameter, 'name');
      if (name?.type === 'identifier') bindLocal(name, scope, {});
      else if (parameter.type === 'destructured_parameter') bindParameters(parameter, scope);
      const value = fieldOf(parameter, 'value');
      if (value !== undefined) walk(value, scope);
    }
  }

  function bindLocal(name: SyntaxNode, scope: Scope, what: BindingDraft): void {
    facts.claim(name);
    facts.bind(scope, textOf(name), what);
  }

  function readBlock(node: SyntaxNode, scope: Scope): void {
    const inner = facts.openScope(scope, 'block');
    bindParameters(fieldOf(node, 'parameters'), inner);
    walkChildren(node, inner, walk, 'parameters');
  }

  function readAssignment(node: SyntaxNode, scope: Scope): void {
    const [left, right] = [fieldOf(node, 'left'), fieldOf(node, 'right')];
    const value = expr(right, scope);
    if (left?.type === 'constant') return defineConstant(left, node, scope, right);
    if (right !== undefined) walk(right, scope);
    bindTarget(left, scope, {
      value: node.type === 'assignment' || value?.kind === 'new' ? value : undefined,
    });
  }

  function bindTarget(left: SyntaxNode | undefined, scope: Scope, what: BindingDraft): void {
    if (left === undefined) return;
    switch (left.type) {
      case 'identifier': {
        const name = textOf(left);
        if (isLocalName(scope, name)) facts.claim(left);
        else bindLocal(left, scope, what);
        return;
      }
      case 'left_assignment_list':
      case 'destructured_left_assignment':
      case 'rest_assignment':
        for (const child of namedOf(left)) bindTarget(child, scope, {});
        return;
      case 'instance_variable':
      case 'class_variable':
        return bindInstance(left, scope, what);
      default:
        walk(left, scope);
    }
  }

  /** `@name = …` belongs to the class; a local variable is told by what it was set to. */
  function bindInstance(left: SyntaxNode, scope: Scope, { value }: BindingDraft): void {
    let at: Scope | undefined = scope;
    while (at !== undefined && at.kind !== 'class') at = at.parent;
    if (at === undefined) return;
    const given = value?.kind === 'name' && namesLocal(value) ? localValue(scope, value.name) : value;
    if (given === undefined || namesLocal(given) || given.kind === 'foreign') return;
    facts.bind(at, textOf(left), { value: given });
  }

  function localValue(scope: Scope, name: string): Expr | undefined {
    for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
      const known = at.names.get(name);
      if (known !== undefined) return known.value;
      if (at.kind !== 'block') return undefined;
    }
    return undefined;
  }

  function defineConstant(
    name: SyntaxNode,
    node: SyntaxNode,
    scope: Scope,
    right: SyntaxNode | undefined,
  ): void {
    const made = right?.type === 'call' ? constantOf(fieldOf(right, 'receiver'), textOf) : undefined;
    const method = fieldOf(right, 'method');
    const isType =
      right !== undefined &&
      /^(?:::)?(?:Struct|Class|Module|Data)$/.test(made ?? '') &&
      method !== undefined &&
      /^(?:new|define)$/.test(textOf(method));
    if (!isType) {
      const definition = facts.define({
        kind: 'value',
        scope,
        name,
        node,
        more: { value: expr(right, scope) },
      });
      facts.bind(scope, definition.name, { definition });
      if (right !== undefined) walk(right, scope);
      return;
    }
    const definition = openType(node, scope, name, made?.endsWith('Module') === true ? 'module' : 'class');
    if (definition?.inner === undefined) return;
    readStruct(definition, right, scope);
    const block = fieldOf(right, 'block');
    for (const child of right.children) if (child !== block) walk(child, scope);
    walkAll(fieldOf(block, 'body'), definition.inner);
  }

  function readCall(node: SyntaxNode, scope: Scope): void {
    const [receiver, method, given] = ['receiver', 'method', 'arguments'].map((field) =>
      fieldOf(node, field),
    );
    const name = method === undefined ? '' : textOf(method);
    if (receiver === undefined && method !== undefined && readMacro(name, node, given, scope)) return;
    if (method?.type === 'identifier' || method?.type === 'constant') {
      facts.claim(method);
      const of = receiver === undefined ? undefined : (expr(receiver, scope) ?? UNKNOWN);
      const isWrite = node.parent?.type === 'assignment' && node.field === 'left';
      facts.use(method, { kind: isWrite ? 'write' : 'call', scope, of });
      const [first] = SENDERS.test(name) ? symbolsOf(given) : [];
      if (first !== undefined) facts.use(first, { kind: 'call', scope, of: of ?? SELF });
    }
    walkChildren(node, scope, walk, method);
  }

  /** What looks like a keyword of the language and is a call: `include`, `attr_reader`, `require`; true where nothing is left to read. */
  function readMacro(name: string, node: SyntaxNode, given: SyntaxNode | undefined, scope: Scope): boolean {
    const rule = ruleOf(name);
    const owner = classScope(scope)?.definition;
    switch (rule) {
      case 'require': {
        const path = childOf(given, 'string');
        const written = path === undefined ? '' : textOf(path).slice(1, -1);
        if (written === '' || written.includes('#{')) return false;
        facts.import({ specifier: name === 'require_relative' ? `./${written}` : written, names: [] }, node);
        return true;
      }
      case 'include':
      case 'extend':
        for (const part of namedOf(given)) {
          const module = part.type === 'self' ? 'self' : constantOf(part, textOf);
          if (module === undefined || owner === undefined) continue;
          const list = rule === 'extend' || holderOf(scope).kind === 'type' ? owner.aliases : owner.bases;
          list.push({ kind: 'name', name: module });
        }
        return false;
      case 'module_function':
        if (given === undefined) owner?.aliases.push(SELF);
        return false;
      case 'define':
        defineAll(symbolsOf(given), node, scope, name);
        return false;
      case 'mention':
        for (const symbol of symbolsOf(given)) facts.use(symbol, { kind: 'read', scope, of: SELF });
        return false;
      case undefined:
        return false;
    }
  }

  /** `attr_reader :a, :b`, `define_method(:a)`, `let(:a)`, `alias_method :new, :old`, `def_delegators :@it, :a, :b`. */
  function defineAll(symbols: readonly SyntaxNode[], node: SyntaxNode, scope: Scope, macro: string): void {
    const holder = classScope(scope);
    const isAttribute = macro.startsWith('attr');
    const isOne =
      /^(?:define_method|let|subject|alias_method|def_delegator|define_singleton_method)/.test(macro) &&
      macro !== 'def_delegators';
    const named = /^def_delegators?$/.test(macro) ? symbols.slice(1) : symbols;
    for (const name of isOne ? named.slice(macro === 'def_delegator' ? -1 : 0).slice(0, 1) : named) {
      const value: Expr | undefined = isAttribute ? { kind: 'name', name: `@${textOf(name)}` } : undefined;
      const kind = isAttribute ? 'field' : 'method';
      const home = holder ?? scope;
      const definition = facts.define({ kind, scope: home, name, node, more: { value } });
      if (holder?.definition !== undefined) facts.addMember(holder.definition, definition);
      else facts.bind(scope, definition.name, { definition });
    }
    const old = macro === 'alias_method' ? symbols[1] : undefined;
    if (old !== undefined) facts.use(old, { kind: 'read', scope, of: SELF });
  }

  /** `alias new old`. */
  function readAlias(node: SyntaxNode, scope: Scope): void {
    const [name, old] = [fieldOf(node, 'name'), fieldOf(node, 'alias')];
    if (name?.type !== 'identifier' || old?.type !== 'identifier') return;
    defineAll([name], node, scope, 'alias_method');
    facts.claim(old);
    facts.use(old, { kind: 'read', scope, of: SELF });
  }

  function readConstant(node: SyntaxNode, scope: Scope): void {
    const { parent } = node;
    const isScoped = parent?.type === 'scope_resolution' && node.field === 'name';
    const before = isScoped ? fieldOf(parent, 'scope') : undefined;
    const of = before && (expr(before, scope) ?? UNKNOWN);
    const isBase = (isScoped ? parent : node).parent?.type === 'superclass';
    facts.use(node, {
      kind: isBase ? 'inherit' : 'read',
      scope,
      of: isScoped && before === undefined ? { kind: 'name', name: '::' } : of,
    });
  }

  function walk(node: SyntaxNode, scope: Scope): void {
    if (!node.isNamed) return;
    switch (node.type) {
      case 'comment':
        return;
      case 'class':
      case 'module':
        return readType(node, scope);
      case 'singleton_class': {
        const holder = classScope(scope);
        return walkAll(fieldOf(node, 'body'), holder === undefined ? scope : singletonOf(holder));
      }
      case 'method':
      case 'singleton_method':
        return readMethod(node, scope);
      case 'block':
      case 'do_block':
      case 'lambda':
        return readBlock(node, scope);
      case 'assignment':
      case 'operator_assignment':
        return readAssignment(node, scope);
      case 'call':
        return readCall(node, scope);
      case 'alias':
        return readAlias(node, scope);
      case 'for':
        bindTarget(fieldOf(node, 'pattern'), scope, {});
        break;
      case 'exception_variable':
        return bindTarget(firstNamed(node), scope, {});
      case 'block_argument': {
        const [symbol] = symbolsOf(node);
        if (symbol !== undefined) return facts.use(symbol, { kind: 'call', scope, of: UNKNOWN });
        break;
      }
      case 'constant':
        return facts.isClaimed(node) ? undefined : readConstant(node, scope);
      case 'identifier':
        if (facts.isClaimed(node) || isLocalName(scope, textOf(node))) return;
        if (ruleOf(textOf(node)) !== undefined) void readMacro(textOf(node), node, undefined, scope);
        return facts.use(node, { kind: 'call', scope });
    }
    walkAll(node, scope);
  }

  walkAll(root, facts.top);
}
