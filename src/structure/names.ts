/** What a name stands for, from a scope outwards: types and namespaces around give theirs, then the package, then star imports. */
import type { Binding, FactDefinition, Scope } from '../languages/index.ts';
import type { LanguageNames } from './name-parts.ts';
import type { Modules } from './modules.ts';
import type { OpenFile } from './project-facts.ts';
import { type DefinitionTarget, type Found, type Target, targetOf } from './targets.ts';
import { A_TYPE, isTypedFamily, mayMean, type Wanted } from './wanted.ts';

export interface Names {
  lookUp(file: OpenFile, scope: Scope, name: string, wanted?: Wanted): Found | undefined;
  meant(file: OpenFile, found: Found | undefined): Target | undefined;
  /** What a name of a scope stands for. */
  meantBy(file: OpenFile, binding: Binding): Target | undefined;
  /** A type with its parts in other files. */
  wholeOf(definition: FactDefinition, file: OpenFile): DefinitionTarget;
}

type MemberOf = (target: Target | undefined, name: string, wanted?: Wanted) => Target | undefined;

/** `ownNames` of a file whose language has rules of its own. */
export function createNames(
  modules: Modules,
  memberOf: MemberOf,
  ownNames: (file: OpenFile) => LanguageNames | undefined,
): Names {
  const around = new WeakMap<OpenFile, Map<string, Target | undefined>>();

  function lookUp(file: OpenFile, scope: Scope, name: string, wanted?: Wanted): Found | undefined {
    const own = ownNames(file);
    if (own !== undefined) return own.lookUp(file, scope, name);
    const isTyped = isTypedFamily(file.language);
    for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
      // Methods do not see the names of their class.
      if (at.kind === 'class' && file.language === 'python' && at !== scope) continue;
      const binding = at.names.get(name);
      if (binding !== undefined && mayMean(binding, wanted)) return { kind: 'binding', binding };
      const target = isTyped ? sharedIn(file, at, name, wanted) : undefined;
      if (target !== undefined) return { kind: 'target', target };
    }
    const target = aroundFile(file, name);
    return target && { kind: 'target', target };
  }

  /** The same for all of a file that no scope has: found once. */
  function aroundFile(file: OpenFile, name: string): Target | undefined {
    let known = around.get(file);
    if (known === undefined) around.set(file, (known = new Map()));
    if (known.has(name)) return known.get(name);
    const key = modules.packageOf(file);
    const target =
      (key === undefined ? undefined : modules.inPackage(key, name, file)) ??
      modules.starred(file, name) ??
      modules.outside(file, name);
    known.set(name, target);
    return target;
  }

  /** What a type or a namespace around gives, beside what stands there. */
  function sharedIn(file: OpenFile, scope: Scope, name: string, wanted?: Wanted): Target | undefined {
    if (scope.kind === 'namespace') return modules.inNamespace(scope, name, file);
    if (scope.kind !== 'class' || scope.definition === undefined) return undefined;
    return memberOf(wholeOf(scope.definition, file), name, wanted);
  }

  /** A type with its parts in other files. */
  function wholeOf(definition: FactDefinition, file: OpenFile): DefinitionTarget {
    if (definition.isPartial !== true) return targetOf(definition, file);
    const { scope, owner, name } = definition;
    const found =
      owner === undefined ? sharedAround(file, scope, name) : memberOf(wholeOf(owner, file), name, A_TYPE);
    if (found?.kind === 'definition' && found.all.includes(definition)) return found;
    return { ...targetOf(definition, file), all: scope.names.get(name)?.definitions ?? [definition] };
  }

  function sharedAround(file: OpenFile, scope: Scope, name: string): Target | undefined {
    if (scope.kind === 'namespace') return modules.inNamespace(scope, name, file);
    const key = scope.kind === 'file' ? modules.packageOf(file) : undefined;
    return key === undefined ? undefined : modules.inPackage(key, name, file);
  }

  function meant(file: OpenFile, found: Found | undefined): Target | undefined {
    if (found === undefined) return undefined;
    const [first] = found.kind === 'binding' ? found.binding.definitions : [];
    if (first?.isPartial === true) return wholeOf(first, file);
    return found.kind === 'target' ? found.target : meantBy(file, found.binding);
  }

  function meantBy(file: OpenFile, binding: Binding): Target | undefined {
    const own = binding.import === undefined || binding.definitions.length > 0 ? undefined : ownNames(file);
    if (own === undefined || binding.import === undefined) return modules.meant(file, binding);
    return own.imported(file, binding.import) ?? { kind: 'external' };
  }

  return { lookUp, meant, meantBy, wholeOf };
}
