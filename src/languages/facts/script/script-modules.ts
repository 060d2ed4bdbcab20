/** TypeScript and JavaScript: import and export statements. */
import type { Collector } from '../collector.ts';
import { childOf, fieldOf, type SyntaxNode } from '../syntax-node.ts';

export function importStatement(node: SyntaxNode, facts: Collector): void {
  const source = fieldOf(node, 'source');
  if (source === undefined) return;
  const specifier = facts.textOf(source).slice(1, -1);
  const names: string[] = [];
  for (const part of childOf(node, 'import_clause')?.children ?? []) {
    if (part.type === 'identifier') {
      names.push('default');
      bindImport(part, part, { specifier, name: 'default' }, facts);
    } else if (part.type === 'namespace_import') {
      const local = childOf(part, 'identifier');
      if (local !== undefined) bindImport(local, local, { specifier, name: '*' }, facts);
    } else if (part.type === 'named_imports') {
      for (const each of part.children.filter((child) => child.type === 'import_specifier')) {
        const name = fieldOf(each, 'name');
        if (name === undefined) continue;
        names.push(facts.textOf(name));
        bindImport(
          name,
          fieldOf(each, 'alias') ?? name,
          { specifier, name: unquoted(facts.textOf(name)) },
          facts,
        );
      }
    }
  }
  facts.import({ specifier, names }, node);
}

/** The use of the imported name stands where it is written, under the name that it has here. */
function bindImport(
  name: SyntaxNode,
  local: SyntaxNode,
  what: { readonly specifier: string; readonly name: string },
  facts: Collector,
): void {
  facts.claim(name);
  facts.claim(local);
  facts.bind(facts.top, facts.textOf(local), { import: what });
  facts.use(local, { kind: 'import', scope: facts.top });
}

/** `done`: nothing in it is to be read further. */
export function exportStatement(node: SyntaxNode, facts: Collector): 'done' | 'read on' {
  const { textOf } = facts;
  const source = fieldOf(node, 'source');
  const clause = childOf(node, 'export_clause');
  const listed = clause?.children.filter((child) => child.type === 'export_specifier') ?? [];
  const names = listed.flatMap((each) => {
    const [name, alias] = [fieldOf(each, 'name'), fieldOf(each, 'alias')];
    if (alias !== undefined) facts.claim(alias);
    return name === undefined
      ? []
      : [{ node: name, from: unquoted(textOf(name)), name: unquoted(textOf(alias ?? name)) }];
  });
  if (source !== undefined) {
    const specifier = textOf(source).slice(1, -1);
    facts.import({ specifier, names: names.map(({ from }) => from) }, node);
    const whole = childOf(childOf(node, 'namespace_export'), 'identifier');
    if (whole !== undefined) facts.export({ kind: 'from', name: textOf(whole), specifier, from: '*' });
    else if (clause === undefined) facts.export({ kind: 'star', specifier });
    for (const { from, name } of names) facts.export({ kind: 'from', name, specifier, from });
    return 'done';
  }
  for (const { node: local, from, name } of names) {
    facts.claim(local);
    facts.export({ kind: 'local', name, local: from });
    facts.use(local, { kind: 'import', scope: facts.top });
  }
  const isDefault = node.children.some((child) => child.type === 'default');
  const value = fieldOf(node, 'value');
  if (isDefault && value?.type === 'identifier')
    facts.export({ kind: 'local', name: 'default', local: textOf(value) });
  for (const name of declaredNames(fieldOf(node, 'declaration')))
    facts.export({ kind: 'local', name: isDefault ? 'default' : textOf(name), local: textOf(name) });
  return 'read on';
}

function declaredNames(declaration: SyntaxNode | undefined): readonly SyntaxNode[] {
  if (declaration === undefined) return [];
  if (declaration.type !== 'lexical_declaration' && declaration.type !== 'variable_declaration') {
    const name = fieldOf(declaration, 'name');
    return name === undefined ? [] : [name];
  }
  return declaration.children
    .filter((child) => child.type === 'variable_declarator')
    .flatMap((each) => {
      const name = fieldOf(each, 'name');
      if (name === undefined) return [];
      if (name.type === 'identifier') return [name];
      return name.children.filter((child) => child.type === 'shorthand_property_identifier_pattern');
    });
}

function unquoted(name: string): string {
  return name.replace(/^['"]|['"]$/g, '');
}
