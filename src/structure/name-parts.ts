/** What names of languages with rules of their own are built on, and what they give. */
import type { Binding, Expr, FactDefinition, Scope } from '../languages/index.ts';
import type { OpenFile, ProjectFacts } from './project-facts.ts';
import type { Found, Target } from './targets.ts';

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

/** A member that stands apart from its type. */
export function attach(owner: FactDefinition, member: FactDefinition): void {
  member.owner = owner;
  const known = owner.members.get(member.name);
  if (known === undefined) owner.members.set(member.name, { definitions: [member] });
  else if (!known.definitions.includes(member)) known.definitions.push(member);
}
