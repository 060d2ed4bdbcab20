/** Which of several definitions of one name is meant: by how it is used, and by how many arguments it gets. */
import type { Binding, FactDefinition, Use } from '../languages/index.ts';
import { familyOf } from './families.ts';
import { definesType } from './targets.ts';

/** Which of the definitions of a name may be meant, where a language has several of one name side by side. */
export interface Wanted {
  fits(definition: FactDefinition): boolean;
  /** Variables and parameters too. */
  readonly isLocal: boolean;
}

const isFunction = ({ kind }: FactDefinition): boolean => kind === 'method' || kind === 'function';
const isCallable = (definition: FactDefinition): boolean =>
  isFunction(definition) || definesType(definition) || definition.isAccessor === true;

export const CALLABLE: Wanted = { fits: isCallable, isLocal: false };
export const A_VALUE: Wanted = { fits: (definition) => !isFunction(definition), isLocal: true };
export const A_TYPE: Wanted = { fits: definesType, isLocal: true };

/** Languages in which a method and a field or variable of one name are two things. */
export function isApart(language: string): boolean {
  return language === 'java' || language === 'kotlin';
}

/** Languages in which every type is declared or imported, so that one that is not found is a library's. */
export function isTypedFamily(language: string): boolean {
  return familyOf(language) === 'jvm' || language === 'csharp';
}

/** Languages whose files see each other's names without importing a file. */
export function sharesNames(language: string): boolean {
  return isTypedFamily(language) || language === 'swift';
}

/** Languages in which a type that is not found is none of the project. */
export function isDeclaring(language: string): boolean {
  return isTypedFamily(language) || ['rust', 'c', 'cpp', 'swift'].includes(language);
}

/** What a use may mean, the narrowest first. */
export function wantedBy({ kind, args }: Use, language: string): readonly (Wanted | undefined)[] {
  if (!isTypedFamily(language)) return [undefined];
  if (kind === 'type' || kind === 'inherit') return [A_TYPE, undefined];
  const isCall = kind === 'call' || args !== undefined;
  if (!isCall) return isApart(language) ? [A_VALUE, undefined] : [undefined];
  // Elsewhere a value may be called.
  const kinds = language === 'java' ? [CALLABLE] : [CALLABLE, undefined];
  if (args === undefined) return kinds;
  return [{ fits: (each) => isCallable(each) && takes(each, args), isLocal: false }, ...kinds];
}

export function takes(definition: FactDefinition, args: number | undefined): boolean {
  const { arity, isVariadic, owner, ownerName } = definition;
  if (arity === undefined || args === undefined) return true;
  // `Extensions.run(value)` is `value.run()`.
  if (owner !== undefined && ownerName !== undefined && args === arity + 1) return true;
  return arity === args || (isVariadic === true && args >= arity - 1);
}

export function mayMean({ definitions, import: imported }: Binding, wanted: Wanted | undefined): boolean {
  if (wanted === undefined || imported !== undefined) return true;
  return definitions.length === 0 ? wanted.isLocal : definitions.some(wanted.fits);
}
