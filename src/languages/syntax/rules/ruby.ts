/** Ruby. */
import type { Node } from 'web-tree-sitter';
import { isInside, unquoted, type FoundDefinition, type LanguageRules } from './rules.ts';

const DECLARING =
  /^(?:attr_reader|attr_writer|attr_accessor|scope|define_method|has_many|has_one|belongs_to|delegate|task)$/;

function constant(node: Node): FoundDefinition | undefined {
  const name = node.childForFieldName('left');
  const right = node.childForFieldName('right');
  if (name?.type !== 'constant' || isInside(node, 'method', 'singleton_method')) return undefined;
  const isClass =
    right?.type === 'call' && /^(?:Struct|Class|Data|Module)\.(?:new|define)\b/.test(right.text);
  return { kind: isClass ? 'class' : 'constant', name, body: null };
}

/** `attr_reader :owner`, `scope :open, -> { … }`, `task :export do`. */
function declared(node: Node): FoundDefinition | undefined {
  const method = node.childForFieldName('method')?.text ?? '';
  if (!DECLARING.test(method) || node.childForFieldName('receiver') !== null) return undefined;
  const argument = node.childForFieldName('arguments')?.namedChild(0);
  const name = argument?.type === 'pair' ? argument.childForFieldName('key')?.text : argument?.text;
  if (argument === null || name === undefined || !/^[:'"]?[\w?!=]+[:'"]?$/.test(name)) return undefined;
  return { kind: 'function', name: unquoted(name).replace(/^:|:$/g, ''), body: null };
}

export const RUBY: LanguageRules = {
  definitions: {
    module: 'module',
    class: 'class',
    method: 'function',
    singleton_method: 'function',
    assignment: constant,
    call: declared,
  },
};
