/** Gathers the facts of one file: scopes, definitions, bindings and uses, within their limits. */
import type { UseKind } from '../../core/index.ts';
import type {
  Binding,
  Expr,
  FactDefinition,
  FactExport,
  FactImport,
  FactKind,
  FileFacts,
  Scope,
  ScopeKind,
  Use,
} from './facts.ts';
import type { SyntaxNode } from './syntax-node.ts';

/** A file full of one table says little after its first names. */
const MOST = { definitions: 20_000, scopes: 50_000, uses: 150_000, imports: 20_000, nameChars: 120 } as const;
/** Deeper receivers tell nothing that is worth to follow. */
export const MOST_EXPR_DEPTH = 12;

export interface DefinitionDraft {
  readonly kind: FactKind;
  readonly scope: Scope;
  readonly name: SyntaxNode;
  /** All of it; its lines are those of the definition. */
  readonly node: SyntaxNode;
  readonly more?: Partial<
    Omit<FactDefinition, 'name' | 'kind' | 'line' | 'column' | 'startLine' | 'endLine' | 'scope'>
  >;
}

export interface UseDraft {
  readonly kind: UseKind;
  readonly scope: Scope;
  readonly of?: Expr | undefined;
  readonly args?: number | undefined;
  /** Where it is not the text of the node. */
  readonly name?: string | undefined;
}

export interface BindingDraft extends Omit<Binding, 'definitions'> {
  readonly definition?: FactDefinition;
}

export interface Collector {
  readonly top: Scope;
  textOf(node: SyntaxNode): string;
  lineOf(index: number): number;
  openScope(parent: Scope, kind: ScopeKind, definition?: FactDefinition): Scope;
  define(draft: DefinitionDraft): FactDefinition;
  /** A name in a scope; definitions win over what only binds, and several definitions stand side by side. */
  bind(scope: Scope, name: string, what: BindingDraft): void;
  /** Adds a member to a type, beside those of the same name. */
  addMember(owner: FactDefinition, definition: FactDefinition, what?: Omit<BindingDraft, 'definition'>): void;
  use(node: SyntaxNode, draft: UseDraft): void;
  import(what: Omit<FactImport, 'line'>, node: SyntaxNode): void;
  export(what: FactExport): void;
  /** All names of it are in scope. */
  star(specifier: string): void;
  /** The node defines a name or is otherwise accounted for: it is no use. */
  claim(node: SyntaxNode): void;
  isClaimed(node: SyntaxNode): boolean;
  setPackage(name: string): void;
  finish(depth: FileFacts['depth']): FileFacts;
}

export function createCollector(text: string): Collector {
  const lineStarts = startsOf(text);
  const scopes: Scope[] = [];
  const definitions: FactDefinition[] = [];
  const uses: Use[] = [];
  const imports: FactImport[] = [];
  const exports: FactExport[] = [];
  const stars: string[] = [];
  const claimed = new Set<SyntaxNode>();
  const state: { package: string | undefined; isCut: boolean; hint: number } = {
    package: undefined,
    isCut: false,
    hint: 0,
  };
  const hasRoom = (list: { readonly length: number }, most: number): boolean => {
    state.isCut ||= list.length >= most;
    return list.length < most;
  };
  const openScope = (parent: Scope | undefined, kind: ScopeKind, definition?: FactDefinition): Scope => {
    // Beyond the limit names fall into the scope around.
    if (parent !== undefined && !hasRoom(scopes, MOST.scopes)) return parent;
    const scope: Scope = { id: scopes.length, parent, kind, definition, names: new Map() };
    scopes.push(scope);
    return scope;
  };
  const top = openScope(undefined, 'file');
  const textOf = ({ start, end }: SyntaxNode): string => text.slice(start, end);
  /** Nodes come mostly in order: the line is nearly always that of the last one or the next. */
  const lineOf = (index: number): number => {
    let { hint } = state;
    if ((lineStarts[hint] ?? 0) > index || (lineStarts[hint + 8] ?? Infinity) <= index) {
      let low = 0;
      let high = lineStarts.length;
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if ((lineStarts[middle] ?? 0) <= index) low = middle;
        else high = middle;
      }
      hint = low;
    }
    while ((lineStarts[hint + 1] ?? Infinity) <= index) hint++;
    state.hint = hint;
    return hint + 1;
  };
  const columnOf = (index: number): number => index - (lineStarts[lineOf(index) - 1] ?? 0);
  const isName = (name: string): boolean => name !== '' && name.length <= MOST.nameChars;

  return {
    top,
    textOf,
    lineOf,
    openScope,
    define({ kind, scope, name, node, more = {} }) {
      claimed.add(name);
      const definition: FactDefinition = {
        members: new Map(),
        bases: [],
        aliases: [],
        returns: [],
        ...more,
        name: textOf(name).slice(0, MOST.nameChars),
        kind,
        line: lineOf(name.start),
        column: columnOf(name.start),
        startLine: lineOf(node.start),
        endLine: lineOf(Math.max(node.start, node.end - 1)),
        scope,
      };
      if (hasRoom(definitions, MOST.definitions)) definitions.push(definition);
      return definition;
    },
    bind(scope, name, { definition, ...what }) {
      if (!isName(name)) return;
      const known = scope.names.get(name);
      if (known === undefined || (definition !== undefined && known.definitions.length === 0)) {
        scope.names.set(name, { ...what, definitions: definition === undefined ? [] : [definition] });
      } else if (definition !== undefined) {
        if (!known.definitions.includes(definition)) known.definitions.push(definition);
      } else if (known.definitions.length === 0 && known.import === undefined) {
        known.type ??= what.type;
        known.value ??= what.value;
      }
    },
    addMember(owner, definition, what = {}) {
      definition.owner = owner;
      const known = owner.members.get(definition.name);
      if (known === undefined) owner.members.set(definition.name, { ...what, definitions: [definition] });
      else known.definitions.push(definition);
    },
    use(node, { kind, scope, of, args, name = textOf(node) }) {
      if (!isName(name) || !hasRoom(uses, MOST.uses)) return;
      const line = lineOf(node.start);
      const column = node.start - (lineStarts[line - 1] ?? 0);
      uses.push({ name, line, column, kind, scope, of, args });
    },
    import(what, node) {
      if (what.specifier !== '' && what.specifier.length <= 300 && hasRoom(imports, MOST.imports))
        imports.push({ ...what, line: lineOf(node.start) });
    },
    export: (what) => void (hasRoom(exports, MOST.imports) && exports.push(what)),
    star: (specifier) => void (hasRoom(stars, MOST.imports) && stars.push(specifier)),
    claim: (node) => void claimed.add(node),
    isClaimed: (node) => claimed.has(node),
    setPackage: (name) => void (state.package = name),
    finish: (depth) => ({
      depth,
      package: state.package,
      scopes,
      definitions,
      imports,
      exports,
      stars,
      uses,
      isCut: state.isCut,
    }),
  };
}

function startsOf(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** The scope of a function, class or file that a block belongs to. */
export function holderOf(scope: Scope): Scope {
  let at = scope;
  while (at.kind === 'block' && at.parent !== undefined) at = at.parent;
  return at;
}

/** The type whose inside a scope is, if it is directly so. */
export function classOf(scope: Scope): FactDefinition | undefined {
  return scope.kind === 'class' ? scope.definition : undefined;
}
