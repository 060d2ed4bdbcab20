/** Names of languages that have rules of their own for them: paths, headers, what stands apart from its type. */
import type { Binding, Expr, FactDefinition, Scope } from '../languages/index.ts';
import { createCNames } from './c-names.ts';
import type { OpenFile, ProjectFacts } from './project-facts.ts';
import { createRustNames } from './rust-names.ts';
import { familyOf, type Found, type Target } from './targets.ts';

/** What they are built on. */
export interface NameParts {
  readonly project: ProjectFacts;
  /** What a name of a scope stands for. */
  meant(file: OpenFile, binding: Binding): Target | undefined;
  memberOf(target: Target | undefined, name: string): Target | undefined;
  /** The type of which a value is, by its declaration. */
  instanceOf(file: OpenFile, scope: Scope, type: Expr | undefined): Target | undefined;
}

export interface LanguageNames {
  /** A name or a path, from a scope outwards. */
  lookUp(file: OpenFile, scope: Scope, name: string): Found | undefined;
  /** What an import means. */
  imported(file: OpenFile, what: { readonly specifier: string; readonly name: string }): Target | undefined;
  /** What a module gives under a name; it is a file, or stands in one. */
  exported(file: OpenFile, inner: Scope | undefined, name: string): Target | undefined;
  /** Gives the types that a file adds to their members. */
  settle(file: OpenFile): void;
  /** Finds all members of a type. */
  complete(type: FactDefinition, file: OpenFile): void;
  /** Base types that other files give to a type. */
  basesOf(type: FactDefinition): readonly Target[];
}

export function createLanguageNames(parts: NameParts): (file: OpenFile) => LanguageNames | undefined {
  const rust = createRustNames(parts);
  const c = createCNames(parts);
  return ({ language }) => {
    switch (familyOf(language)) {
      case 'rust':
        return rust;
      case 'c':
        return c;
      default:
        return undefined;
    }
  };
}

/** A member that stands apart from its type. */
export function attach(owner: FactDefinition, member: FactDefinition): void {
  member.owner = owner;
  const known = owner.members.get(member.name);
  if (known === undefined) owner.members.set(member.name, { definitions: [member] });
  else if (!known.definitions.includes(member)) known.definitions.push(member);
}
