/** PHP: where a name stands, and what it is used for. */
import type { UseKind } from '../../../core/index.ts';
import { fieldOf, namedOf, type SyntaxNode } from '../syntax-node.ts';

export type Place =
  | { readonly kind: 'name' }
  /** `of` stands before the arrow or the colons, in what is `around`. */
  | { readonly kind: 'member'; readonly of: SyntaxNode | undefined; readonly around: SyntaxNode }
  /** The name of an argument. */
  | { readonly kind: 'label' };

const NAME: Place = { kind: 'name' };

export function placeOf(node: SyntaxNode): Place {
  const { parent } = node;
  const around = parent?.type === 'variable_name' ? parent.parent : parent;
  const isNamed = (parent === around ? node : parent)?.field === 'name';
  switch (around?.type ?? '') {
    case 'member_access_expression':
    case 'nullsafe_member_access_expression':
    case 'member_call_expression':
    case 'nullsafe_member_call_expression':
      return around !== undefined && isNamed
        ? { kind: 'member', of: fieldOf(around, 'object'), around }
        : NAME;
    case 'scoped_call_expression':
    case 'scoped_property_access_expression':
      return around !== undefined && isNamed
        ? { kind: 'member', of: fieldOf(around, 'scope'), around }
        : NAME;
    case 'class_constant_access_expression': {
      const [of, name] = namedOf(around);
      return around !== undefined && name === node ? { kind: 'member', of, around } : NAME;
    }
    case 'argument':
      return node.field === 'name' ? { kind: 'label' } : NAME;
    default:
      return NAME;
  }
}

export function useKind(node: SyntaxNode): UseKind {
  switch (node.type) {
    case 'member_call_expression':
    case 'nullsafe_member_call_expression':
    case 'scoped_call_expression':
      return 'call';
  }
  const { parent } = node;
  switch (parent?.type ?? '') {
    case 'function_call_expression':
      return node.field === 'function' ? 'call' : 'read';
    case 'object_creation_expression':
    case 'attribute':
      return 'call';
    case 'base_clause':
    case 'class_interface_clause':
    case 'use_declaration':
      return 'inherit';
    case 'named_type':
      return 'type';
    case 'assignment_expression':
    case 'augmented_assignment_expression':
      return node.field === 'left' ? 'write' : 'read';
    default:
      return 'read';
  }
}
