/** Ruby: calls in the body of a class that define something, or name what is defined. */
import { namedOf, type SyntaxNode } from '../syntax-node.ts';

export type MacroRule = 'require' | 'include' | 'extend' | 'module_function' | 'define' | 'mention';

const RULES: readonly (readonly [RegExp, MacroRule])[] = [
  [/^(?:require|require_relative|load|autoload)$/, 'require'],
  [/^(?:include|prepend)$/, 'include'],
  [/^extend$/, 'extend'],
  [/^module_function$/, 'module_function'],
  [
    /^(?:attr_(?:reader|writer|accessor)|attr|define_method|define_singleton_method|let!?|subject|alias_method|def_delegators?|delegate)$/,
    'define',
  ],
  [
    /^(?:private|protected|public|private_class_method|public_class_method|private_constant|undef_method|remove_method|helper_method|(?:before|after|around|skip)_\w+)$/,
    'mention',
  ],
];

export function ruleOf(name: string): MacroRule | undefined {
  return RULES.find(([pattern]) => pattern.test(name))?.[1];
}

/** The names of `:a, :b`, without their colons; `:@a` is none. */
export function symbolsOf(given: SyntaxNode | undefined): readonly SyntaxNode[] {
  return namedOf(given)
    .filter((child) => child.type === 'simple_symbol')
    .map((child) => ({ ...child, start: child.start + 1 }));
}
