/** PHP: namespaces, `use` in all of its forms, includes, and the files that names without `use` mean. */
import type { Collector } from '../collector.ts';
import { childOf, fieldOf, namedOf, type SyntaxNode } from '../syntax-node.ts';

export interface PhpImports {
  /** From here on names belong to this namespace; that of the file is the first. */
  enter(namespace: string): void;
  /** `use Foo\Bar as Baz, Foo\{A, function b};` */
  read(node: SyntaxNode): void;
  /** `require __DIR__ . '/other.php'`. */
  include(node: SyntaxNode): void;
  /** A class is loaded by its full name alone: it may need no `use`. */
  name(written: string, node: SyntaxNode): void;
}

const CLASS = /^[A-Z]\w*[a-z]/;

export function createPhpImports(facts: Collector): PhpImports {
  const { textOf, top } = facts;
  const known = new Set<string>();
  let namespace: string | undefined;

  function add(specifier: string, name: string, node: SyntaxNode): void {
    if (known.has(specifier)) return;
    known.add(specifier);
    facts.import({ specifier, names: name === '' ? [] : [name] }, node);
  }

  function readClause(clause: SyntaxNode, prefix: string): void {
    const named = childOf(clause, 'qualified_name', 'namespace_name', 'name');
    const name = named?.type === 'name' ? named : namedOf(named).findLast((child) => child.type === 'name');
    if (named === undefined || name === undefined) return;
    const alias = fieldOf(clause, 'alias') ?? childOf(childOf(clause, 'namespace_aliasing_clause'), 'name');
    const specifier = `${prefix}${textOf(named)}`.replace(/^\\/, '');
    const local = alias ?? name;
    facts.bind(top, textOf(local), { import: { specifier, name: textOf(name) } });
    // An alias is another word for it; the use is the name itself.
    facts.use(name, {
      kind: 'import',
      scope: top,
      of: { kind: 'name', name: `\\${specifier.slice(0, -textOf(name).length)}` },
    });
    add(specifier, textOf(name), clause);
  }

  return {
    enter(name) {
      if (namespace === undefined) facts.setPackage(name);
      namespace ??= name;
    },
    read(node) {
      const group = fieldOf(node, 'body') ?? childOf(node, 'namespace_use_group');
      const before = group === undefined ? undefined : childOf(node, 'namespace_name');
      const prefix = before === undefined ? '' : `${textOf(before)}\\`;
      for (const clause of (group ?? node).children)
        if (clause.type === 'namespace_use_clause' || clause.type === 'namespace_use_group_clause')
          readClause(clause, prefix);
    },
    include(node) {
      const open = [...node.children];
      for (let at = open.shift(); at !== undefined; at = open.shift()) {
        if (at.type !== 'string_content') open.unshift(...at.children);
        else if (/\.(?:php|inc)$/.test(textOf(at)))
          return facts.import({ specifier: `./${textOf(at).replace(/^\.?\//, '')}`, names: [] }, node);
      }
    },
    name(written, node) {
      if (written.startsWith('\\')) return add(written.slice(1), '', node);
      if (!CLASS.test(written) || top.names.has(written.split('\\')[0] ?? '')) return;
      add(namespace === undefined ? written : `${namespace}\\${written}`, '', node);
    },
  };
}
