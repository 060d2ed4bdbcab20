/**
 * The facts of a file that structure is resolved from: what it defines, in which scopes, what is known of types by syntax, what it
 * imports and exports, and every use of a name. By syntax of this one file only: the same text gives the same facts.
 */

import type { UseKind } from '../../core/index.ts';

/** What an expression or a type is, as far as syntax tells. */
export type Expr =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'member'; readonly of: Expr; readonly name: string }
  /** The result of calling it. */
  | { readonly kind: 'call'; readonly of: Expr }
  | { readonly kind: 'new'; readonly of: Expr }
  /** One of the items of it. */
  | { readonly kind: 'item'; readonly of: Expr }
  /** The second, third … of several results of a call. */
  | { readonly kind: 'result'; readonly of: Expr; readonly at: number }
  /** An instance of a type; `wrap` is what is around it, as in `Promise<T>`. */
  | { readonly kind: 'type'; readonly name: string; readonly of?: string; readonly wrap?: string }
  /** A literal, or what else is of no definition of a project. */
  | { readonly kind: 'foreign' }
  | { readonly kind: 'unknown' };

export const EXPR_KINDS = [
  'name',
  'member',
  'call',
  'new',
  'item',
  'result',
  'type',
  'foreign',
  'unknown',
] as const satisfies readonly Expr['kind'][];

export const SCOPE_KINDS = ['file', 'function', 'class', 'type', 'block', 'namespace'] as const;
export type ScopeKind = (typeof SCOPE_KINDS)[number];

export interface Scope {
  readonly id: number;
  readonly parent: Scope | undefined;
  readonly kind: ScopeKind;
  /** The type or module whose inside it is. */
  readonly definition: FactDefinition | undefined;
  readonly names: Map<string, Binding>;
}

/** What a name stands for in a scope. */
export interface Binding {
  /** Several for overloads, and for names that are defined again. */
  readonly definitions: FactDefinition[];
  import?: ImportedName | undefined;
  type?: Expr | undefined;
  value?: Expr | undefined;
}

/** `name` is `*` for the module itself. */
export interface ImportedName {
  readonly specifier: string;
  readonly name: string;
}

export const FACT_KINDS = [
  'function',
  'method',
  'class',
  'interface',
  'type',
  'enum',
  'module',
  'value',
  'field',
] as const;
export type FactKind = (typeof FACT_KINDS)[number];

export interface FactDefinition {
  readonly name: string;
  readonly kind: FactKind;
  /** Of its name, 1-based, and the column, 0-based. */
  readonly line: number;
  readonly column: number;
  readonly startLine: number;
  readonly endLine: number;
  /** Where it stands. */
  readonly scope: Scope;
  /** The type that it is a member of. */
  owner?: FactDefinition | undefined;
  /** The type that the head itself names as its owner, which may be in another file. */
  ownerName?: string | undefined;
  /** Of a type or module: what it holds. */
  readonly members: Map<string, Member>;
  readonly bases: Expr[];
  /** Of a type: what it is another name for; several for an intersection. */
  readonly aliases: Expr[];
  type?: Expr | undefined;
  value?: Expr | undefined;
  readonly returns: (Expr | undefined)[];
  /** What is returned, where no type is declared. */
  returned?: Expr | undefined;
  /** The scope of its body. */
  inner?: Scope | undefined;
  isAccessor?: boolean;
  /** How many parameters it takes, in languages that tell overloads apart by it. */
  arity?: number | undefined;
  isVariadic?: boolean;
  /** Of a type: it may go on in other files. */
  isPartial?: boolean;
}

export interface Member {
  readonly definitions: FactDefinition[];
  type?: Expr | undefined;
  value?: Expr | undefined;
}

export interface Use {
  readonly name: string;
  readonly line: number;
  readonly column: number;
  readonly kind: UseKind;
  readonly scope: Scope;
  /** What stands before the dot. */
  readonly of: Expr | undefined;
  /** How many arguments a call has, where overloads are told apart by it. */
  readonly args: number | undefined;
}

/** Another file or module that this one names. */
export interface FactImport {
  readonly specifier: string;
  readonly names: readonly string[];
  readonly line: number;
}

/** What a module gives to others. */
export type FactExport =
  | { readonly kind: 'local'; readonly name: string; readonly local: string }
  /** `from` is `*` for the whole module under one name. */
  | { readonly kind: 'from'; readonly name: string; readonly specifier: string; readonly from: string }
  | { readonly kind: 'star'; readonly specifier: string };

export interface FileShape {
  /** How far names can be resolved: by scopes and imports, or by name alone. */
  readonly depth: 'scopes' | 'names';
  /** The package or module the file says it belongs to. */
  readonly package: string | undefined;
  readonly scopes: readonly Scope[];
  readonly definitions: readonly FactDefinition[];
  readonly imports: readonly FactImport[];
  readonly exports: readonly FactExport[];
  /** Modules, packages or types all of whose names are in scope. */
  readonly stars: readonly string[];
  /** A limit was reached: there may be more than this. */
  readonly isCut: boolean;
}

export interface FileFacts extends FileShape {
  readonly uses: readonly Use[];
}
