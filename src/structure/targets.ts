/** What a name or an expression was resolved to. */
import type { Binding, FactDefinition } from '../languages/index.ts';
import type { OpenFile } from './project-facts.ts';

export type Target =
  /** `all` are the definitions of one name that stand side by side, the first among them. */
  | {
      readonly kind: 'definition';
      readonly definition: FactDefinition;
      readonly all: readonly FactDefinition[];
      readonly file: OpenFile;
      /** What declares it, where it is the member of a type. */
      readonly member?: MemberFacts | undefined;
    }
  | { readonly kind: 'member'; readonly file: OpenFile; readonly member: MemberFacts }
  | { readonly kind: 'module'; readonly path: string }
  | { readonly kind: 'package'; readonly key: string }
  /** Of a library, or of nothing that we know. */
  | { readonly kind: 'external' }
  | { readonly kind: 'local'; readonly binding: Binding };

/** A name that was found in a scope, or what it means where no scope has it. */
export type Found =
  | { readonly kind: 'binding'; readonly binding: Binding }
  | { readonly kind: 'target'; readonly target: Target };

export type MemberFacts = Pick<Binding, 'type' | 'value'> & { readonly owner: FactDefinition };
export type DefinitionTarget = Extract<Target, { kind: 'definition' }>;

/** A definition, and the file it stands in. */
export interface Defined {
  readonly path: string;
  readonly definition: FactDefinition;
}

export const GRADES = ['sure', 'likely', 'possible'] as const;
/** How well a use is resolved: by scope, import or type; as the only one of its name; as one of several of its name. */
export type Grade = (typeof GRADES)[number];

export function targetOf(definition: FactDefinition, file: OpenFile): DefinitionTarget {
  return { kind: 'definition', definition, all: [definition], file };
}

/** The same definition, though its file may have been unpacked twice. */
export function keyOf(path: string, { line, column, name }: FactDefinition): string {
  return `${path}\0${line}\0${column}\0${name}`;
}

const TYPES: ReadonlySet<string> = new Set(['class', 'interface', 'type', 'enum', 'module']);

export function definesType({ kind }: FactDefinition): boolean {
  return TYPES.has(kind);
}

export function isType(target: Target | undefined): target is DefinitionTarget {
  return target?.kind === 'definition' && definesType(target.definition);
}

/** Languages in which a method and a field of one type may share a name. */
const FIELDS_APART: ReadonlySet<string> = new Set(['php', 'java']);

/** A field that is another symbol than a method of its name. */
export function isFieldApart(language: string, { kind }: FactDefinition): boolean {
  return kind === 'field' && FIELDS_APART.has(language);
}

/** What many files share: it is one symbol, and imports of it are what uses it. */
export function isNamespace(language: string, { kind }: FactDefinition): boolean {
  return language === 'csharp' && kind === 'module';
}

/** Where a method and a field have one name: what is called, or what is read. */
export function methodOf({ definition, all, file }: DefinitionTarget): FactDefinition {
  return all.find((each) => !isFieldApart(file.language, each)) ?? definition;
}

export function fieldOf({ definition, all, file }: DefinitionTarget): FactDefinition {
  return all.find((each) => isFieldApart(file.language, each)) ?? definition;
}

export function returnsSelf({ returns: [declared], returned, isAccessor }: FactDefinition): boolean {
  if (isAccessor === true) return false;
  if (declared !== undefined)
    return declared.kind === 'type' && declared.name === 'this' && declared.wrap === undefined;
  return returned?.kind === 'name' && returned.name === 'this';
}
