/** Languages without scopes of their own here: what is defined, by the definitions that were found, and every name that is used. */
import type { Definition, DefinitionKind } from '../../core/index.ts';
import type { Collector } from './collector.ts';
import type { UseKind } from '../../core/index.ts';
import type { FactDefinition, FactKind } from './facts.ts';
import type { SyntaxNode } from './syntax-node.ts';

const KINDS: Readonly<Record<DefinitionKind, FactKind | undefined>> = {
  function: 'function',
  method: 'method',
  class: 'class',
  struct: 'class',
  interface: 'interface',
  trait: 'interface',
  enum: 'enum',
  type: 'type',
  module: 'module',
  impl: undefined,
  constant: 'value',
  variable: 'value',
  macro: 'function',
  section: undefined,
};
const NAME = /(?:identifier|^name|^constant|^word|^variable|^atom)$/;
const CALL = /call|invocation|application|object_creation/;
const MEMBER = /member|field_access|selector|navigation|scoped|attribute|dot|field_expression/;
const TYPE = /type_identifier|^user_type|_type$/;

export function readNames(root: SyntaxNode, facts: Collector, definitions: readonly Definition[]): void {
  const leaves = leavesOf(root);
  defineAll(leaves, facts, definitions);
  for (const leaf of leaves)
    if (!facts.isClaimed(leaf)) facts.use(leaf, { kind: useKind(leaf), scope: facts.top });
}

/**
 * Where a grammar stumbles, what it could not read is missing. The fast outline may know it: each definition that `isKnown` does not
 * is added by its name. Exports are told by their first word.
 */
export function addMissing(
  root: SyntaxNode,
  facts: Collector,
  definitions: readonly Definition[],
  isKnown: (definition: Definition) => boolean,
): void {
  const missing = definitions.filter((each) => !isKnown(each));
  if (missing.length === 0) return;
  const leaves = leavesOf(root);
  const types = leaves.filter(({ type }) => type === 'type_identifier');
  const places = new Set(types.map((leaf) => `${facts.lineOf(leaf.start)} ${facts.textOf(leaf)}`));
  // To the outline `Name<…>(` at the start of a line is a method; the grammar knows a type that is used.
  const isType = ({ kind, name, startLine }: Definition): boolean =>
    (kind === 'method' || kind === 'function') && places.has(`${startLine} ${name}`);
  defineAll(
    leaves,
    facts,
    missing.filter((each) => !isType(each)),
  );
  for (const { name, signature, container } of missing)
    if (container === undefined && /^export\b/.test(signature))
      facts.export({
        kind: 'local',
        name: /^export\s+default\b/.test(signature) ? 'default' : name,
        local: name,
      });
}

/** In the order of the text. */
function leavesOf(root: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  const open: SyntaxNode[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.children.length === 0) {
      if (node.isNamed && NAME.test(node.type)) found.push(node);
    } else for (let at = node.children.length - 1; at >= 0; at--) open.push(node.children[at] ?? node);
  }
  return found;
}

/** The name of a definition is the first leaf on its lines that reads so. */
function defineAll(
  leaves: readonly SyntaxNode[],
  facts: Collector,
  definitions: readonly Definition[],
): void {
  const owners = new Map<string, FactDefinition>();
  let from = 0;
  for (const { name, kind, startLine, endLine, container } of definitions) {
    const meant = KINDS[kind];
    if (meant === undefined) continue;
    while (from < leaves.length && facts.lineOf(leaves[from]?.start ?? 0) < startLine) from++;
    let node: SyntaxNode | undefined;
    for (let at = from; at < leaves.length; at++) {
      const leaf = leaves[at];
      if (leaf === undefined || facts.lineOf(leaf.start) > endLine) break;
      if (facts.isClaimed(leaf) || facts.textOf(leaf) !== name) continue;
      node = leaf;
      break;
    }
    if (node === undefined) continue;
    const definition = facts.define({
      kind: meant,
      scope: facts.top,
      name: node,
      node,
      more: { ownerName: container },
    });
    const whole = Object.assign(definition, { startLine, endLine });
    const owner = container === undefined ? undefined : owners.get(container);
    if (owner !== undefined) facts.addMember(owner, whole);
    else facts.bind(facts.top, name, { definition: whole });
    owners.set(name, whole);
  }
}

function useKind(leaf: SyntaxNode): UseKind {
  const { parent } = leaf;
  if (parent === undefined) return 'read';
  const isLast = parent.children.findLast((child) => child.isNamed) === leaf;
  const around = MEMBER.test(parent.type) && isLast ? parent : leaf;
  const outside = around.parent;
  if (outside !== undefined && CALL.test(outside.type)) {
    const first = outside.children.find((child) => child.isNamed);
    if (first === around || around.field === 'name' || around.field === 'method') return 'call';
  }
  return TYPE.test(leaf.type) || TYPE.test(parent.type) ? 'type' : 'read';
}
