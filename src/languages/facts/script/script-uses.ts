/** TypeScript and JavaScript: how a name is used. */
import type { UseKind } from '../../../core/index.ts';

import type { SyntaxNode } from '../syntax-node.ts';

/** By what stands around the name, or around the member expression that it ends. */
export function useKind(node: SyntaxNode): UseKind {
  const { parent } = node;
  switch (parent?.type ?? '') {
    case 'call_expression':
      return node.field === 'function' ? 'call' : 'read';
    case 'new_expression':
      return node.field === 'constructor' ? 'call' : 'read';
    case 'decorator':
    case 'jsx_opening_element':
    case 'jsx_self_closing_element':
      return 'call';
    case 'assignment_expression':
    case 'augmented_assignment_expression':
      return node.field === 'left' ? 'write' : 'read';
    case 'update_expression':
      return 'write';
    case 'extends_clause':
    case 'extends_type_clause':
    case 'implements_clause':
    case 'class_heritage':
      return 'inherit';
    case 'generic_type':
      return /^(?:extends|implements)/.test(parent?.parent?.type ?? '') ? 'inherit' : 'type';
    default:
      return node.type === 'type_identifier' ? 'type' : 'read';
  }
}
