/** Rust: `use`, `mod` and `extern crate`. A path is kept as it is written from the file's own module. */
import type { Collector } from '../collector.ts';
import type { Scope } from '../facts.ts';
import { pathOf } from './rust-expressions.ts';
import { childOf, fieldOf, firstNamed, namedOf, type SyntaxNode } from '../syntax-node.ts';

const MOST_NAMES = 2_000;

export interface RustUses {
  use(node: SyntaxNode, scope: Scope): void;
  externCrate(node: SyntaxNode, scope: Scope): void;
  /** `mod name;`, whose text is another file. */
  module(node: SyntaxNode, scope: Scope): void;
}

export function createRustUses(facts: Collector): RustUses {
  const { textOf } = facts;
  let stars = 0;
  let names = 0;

  function bindUse(scope: Scope, path: string, at: SyntaxNode, alias?: string): void {
    if (++names > MOST_NAMES) return;
    const whole = fromFile(path, scope);
    const cut = whole.lastIndexOf('::');
    const [specifier, name] = cut === -1 ? ['', whole] : [whole.slice(0, cut), whole.slice(cut + 2)];
    const given = alias ?? name;
    facts.bind(scope, given, { import: { specifier, name } });
    facts.import({ specifier: whole, names: [] }, at);
  }

  function readTree(node: SyntaxNode, prefix: string, scope: Scope): void {
    const join = (path: string | undefined): string | undefined =>
      path === undefined ? undefined : prefix === '' ? path : `${prefix}::${path}`;
    switch (node.type) {
      case 'use_list':
        for (const child of namedOf(node)) readTree(child, prefix, scope);
        return;
      case 'scoped_use_list': {
        const [path, list] = [fieldOf(node, 'path'), fieldOf(node, 'list')];
        const before = path === undefined ? prefix : join(pathOf(path, textOf));
        if (path !== undefined) readPrefix(path, prefix, scope);
        if (list !== undefined && before !== undefined) readTree(list, before, scope);
        return;
      }
      case 'use_wildcard': {
        const path = firstNamed(node);
        const whole = path === undefined ? prefix : join(pathOf(path, textOf));
        if (whole === undefined) return;
        if (path !== undefined) readPrefix(path, prefix, scope);
        const specifier = fromFile(whole, scope);
        facts.bind(scope, `*${stars++}`, { import: { specifier, name: '*' } });
        return facts.import({ specifier: `${specifier}::*`, names: [] }, node);
      }
      case 'use_as_clause': {
        const [path, alias] = [fieldOf(node, 'path'), fieldOf(node, 'alias')];
        const whole = path?.type === 'self' ? prefix : join(pathOf(path, textOf));
        if (path !== undefined) readPrefix(path, prefix, scope);
        if (whole !== undefined && alias !== undefined) bindUse(scope, whole, node, textOf(alias));
        return;
      }
      case 'self':
        return prefix === '' ? undefined : bindUse(scope, prefix, node);
      default: {
        const whole = join(pathOf(node, textOf));
        readPrefix(node, prefix, scope);
        if (whole !== undefined) bindUse(scope, whole, node);
      }
    }
  }

  /** Every name of a path is used. */
  function readPrefix(node: SyntaxNode | undefined, prefix: string, scope: Scope): void {
    if (node === undefined) return;
    const [path, name] = [fieldOf(node, 'path'), fieldOf(node, 'name') ?? node];
    if (path !== undefined) readPrefix(path, prefix, scope);
    if (!name.type.endsWith('identifier')) return;
    const own = path === undefined ? '' : pathOf(path, textOf);
    const of = [prefix, own].filter((part) => part !== '' && part !== undefined).join('::');
    facts.use(name, { kind: 'import', scope, of: of === '' ? undefined : { kind: 'name', name: `${of}::` } });
  }

  return {
    use(node, scope) {
      const argument = fieldOf(node, 'argument');
      if (argument !== undefined) readTree(argument, '', scope);
    },
    externCrate(node, scope) {
      const [name, alias] = [fieldOf(node, 'name'), fieldOf(node, 'alias')];
      if (name === undefined) return;
      const specifier = `::${textOf(name)}`;
      facts.bind(scope, textOf(alias ?? name), { import: { specifier, name: '*' } });
      facts.import({ specifier, names: [] }, node);
    },
    module(node, scope) {
      const name = fieldOf(node, 'name');
      if (name === undefined) return;
      const specifier = fileNamed(node, facts) ?? `./${[...modulesAround(scope), textOf(name)].join('/')}`;
      facts.claim(name);
      // A function may have the name of a module.
      facts.bind(scope, `${textOf(name)}::`, { import: { specifier, name: '*' } });
      facts.import({ specifier, names: [] }, node);
    },
  };
}

/** `#[path = "x.rs"]` before it. */
function fileNamed(node: SyntaxNode, { textOf }: Collector): string | undefined {
  const around = node.parent?.children ?? [];
  for (let at = around.indexOf(node) - 1; around[at]?.type === 'attribute_item'; at--) {
    const attribute = childOf(around[at], 'attribute');
    const [name, value] = [firstNamed(attribute), fieldOf(attribute, 'value')];
    if (name !== undefined && value !== undefined && textOf(name) === 'path')
      return `./${textOf(value).slice(1, -1)}`;
  }
  return undefined;
}

/** Names of the modules in this file that a scope is inside of, the outermost first. */
export function modulesAround(scope: Scope): readonly string[] {
  const names: string[] = [];
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent)
    if (at.kind === 'namespace' && at.definition !== undefined) names.unshift(at.definition.name);
  return names;
}

/** `super` and `self` inside of a module of this file, as they are seen from the file itself. */
function fromFile(path: string, scope: Scope): string {
  const around = [...modulesAround(scope)];
  const parts = path.split('::');
  if (around.length === 0 || (parts[0] !== 'self' && parts[0] !== 'super')) return path;
  while (parts[0] === 'self' || (parts[0] === 'super' && around.length > 0))
    if (parts.shift() === 'super') around.pop();
  return ['self', ...around, ...parts].join('::');
}
