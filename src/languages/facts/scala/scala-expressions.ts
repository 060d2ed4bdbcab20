/** What types and expressions of Scala are, as far as syntax tells. Type arguments are erased, but for what containers hold. */
import { type Collector, MOST_EXPR_DEPTH } from '../collector.ts';
import { isContainer } from '../containers.ts';
import type { Expr } from '../facts.ts';
import { fieldOf, firstNamed, lastNamed, type SyntaxNode } from '../syntax-node.ts';

export interface ScalaExpressions {
  type(node: SyntaxNode | undefined): Expr | undefined;
  expr(node: SyntaxNode | undefined): Expr | undefined;
}

const FOREIGN: Expr = { kind: 'foreign' };

export function createScalaExpressions({ textOf }: Collector): ScalaExpressions {
  function type(node: SyntaxNode | undefined, depth = 0): Expr | undefined {
    if (node === undefined || depth > MOST_EXPR_DEPTH) return undefined;
    switch (node.type) {
      case 'type_identifier':
        return { kind: 'type', name: textOf(node) };
      case 'stable_type_identifier': {
        const parts = textOf(node).replace(/\s/g, '').split('.');
        const name = parts.pop() ?? '';
        return { kind: 'type', name, of: parts.join('.') };
      }
      case 'generic_type': {
        const outer = type(fieldOf(node, 'type'), depth + 1);
        if (outer?.kind !== 'type' || !isContainer(outer.name)) return outer;
        const item = type(lastNamed(fieldOf(node, 'type_arguments')), depth + 1);
        return item?.kind === 'type' && item.wrap === undefined ? { ...item, wrap: outer.name } : outer;
      }
      case 'repeated_parameter_type': {
        const item = type(fieldOf(node, 'type'), depth + 1);
        return item?.kind === 'type' ? { ...item, wrap: 'Seq' } : undefined;
      }
      case 'annotated_type':
      case 'compound_type':
      case 'lazy_parameter_type':
      case 'singleton_type':
        return type(firstNamed(node), depth + 1);
      default:
        return undefined;
    }
  }

  function expr(node: SyntaxNode | undefined, depth = 0): Expr | undefined {
    if (node === undefined || depth > MOST_EXPR_DEPTH) return undefined;
    const inside = (inner: SyntaxNode | undefined): Expr | undefined => expr(inner, depth + 1);
    switch (node.type) {
      case 'identifier':
      case 'type_identifier':
        return { kind: 'name', name: textOf(node) };
      case 'field_expression': {
        const [of, name] = [inside(fieldOf(node, 'value')), fieldOf(node, 'field')];
        return of && name && { kind: 'member', of, name: textOf(name) };
      }
      case 'call_expression': {
        const of = inside(fieldOf(node, 'function'));
        return of && { kind: 'call', of };
      }
      case 'generic_function': {
        const [called, given] = [fieldOf(node, 'function'), fieldOf(node, 'type_arguments')];
        if (
          called?.type === 'field_expression' &&
          textOf(fieldOf(called, 'field') ?? called) === 'asInstanceOf'
        )
          return type(firstNamed(given));
        return inside(called);
      }
      case 'instance_expression':
        return type(firstNamed(node));
      case 'parenthesized_expression':
        return inside(firstNamed(node));
      case 'ascription_expression':
        return type(lastNamed(node));
      case 'string':
      case 'interpolated_string_expression':
      case 'integer_literal':
        return FOREIGN;
      default:
        return undefined;
    }
  }

  return { type: (node) => type(node), expr: (node) => expr(node) };
}
