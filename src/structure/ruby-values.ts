/** Ruby: what a use means, by constants, by `self`, and by the class of a value as far as syntax tells. */
import type { Expr, FactDefinition, Scope, Use } from '../languages/index.ts';
import type { OpenFile, ProjectFacts } from './project-facts.ts';
import { createRubyNames, type Placed } from './ruby-names.ts';
import { definesType } from './targets.ts';

/** An instance of a type, or the type itself. */
interface Value {
  readonly full: string;
  readonly isType: boolean;
}

interface Context {
  readonly file: OpenFile;
  readonly scope: Scope;
  /** What `self` is, where the scope does not tell. */
  readonly self?: Value | undefined;
}

export type RubyResolved =
  | { readonly kind: 'found'; readonly places: readonly Placed[] }
  /** Of a library, or of nothing that we know. */
  | { readonly kind: 'none' }
  /** The receiver may be anything. */
  | { readonly kind: 'unknown' };

export interface RubyResolver {
  resolve(file: OpenFile, use: Use): RubyResolved;
}

const NONE: RubyResolved = { kind: 'none' };
const UNKNOWN: RubyResolved = { kind: 'unknown' };
const MOST_DEPTH = 12;

export function createRubyResolver(project: ProjectFacts): RubyResolver {
  const names = createRubyNames(project);
  const busy = new Set<object>();

  function valueOf(context: Context, expr: Expr | undefined): Value | undefined {
    if (expr === undefined || busy.has(expr) || busy.size > MOST_DEPTH) return undefined;
    busy.add(expr);
    try {
      return valueOfExpr(context, expr);
    } finally {
      busy.delete(expr);
    }
  }

  function valueOfExpr(context: Context, expr: Expr): Value | undefined {
    switch (expr.kind) {
      case 'name':
        return valueOfName(context, expr.name);
      case 'new': {
        const made = valueOf(context, expr.of);
        return made?.isType === true ? { full: made.full, isType: false } : undefined;
      }
      case 'call':
        return expr.of.kind === 'member' ? resultOf(context, expr.of) : undefined;
      case 'member':
      case 'item':
      case 'result':
      case 'type':
      case 'foreign':
      case 'unknown':
        return undefined;
    }
  }

  function valueOfName(context: Context, name: string): Value | undefined {
    if (name === 'self') return context.self ?? selfIn(context.scope);
    if (name.startsWith('@')) return valueOfField(context, name);
    if (/^(?:::)?\p{Lu}/u.test(name)) return valueOfConstant(context, name);
    for (let at: Scope | undefined = context.scope; at !== undefined; at = at.parent) {
      const known = at.names.get(name);
      if (known !== undefined) return valueOf({ ...context, scope: at }, known.value);
      if (at.kind !== 'block') return undefined;
    }
    return undefined;
  }

  function valueOfConstant({ file, scope }: Context, name: string): Value | undefined {
    const found = names.lookUp(file, scope, name);
    const [first] = found?.places ?? [];
    if (found === undefined || first === undefined) return undefined;
    if (definesType(first.definition)) return { full: found.full, isType: true };
    return valueOf({ file: first.file, scope: first.definition.scope }, first.definition.value);
  }

  /** `@name`: what one of the places that open the class sets it to. */
  function valueOfField(context: Context, name: string): Value | undefined {
    const around = context.self?.full ?? names.typeAround(context.scope);
    if (around === undefined) return undefined;
    for (const each of names.ancestors(around))
      for (const { definition, file } of names.byFullName(each)?.places ?? []) {
        const scope = definition.inner;
        const value = scope?.names.get(name)?.value;
        if (scope !== undefined && value !== undefined)
          return valueOf({ file, scope, self: { full: around, isType: false } }, value);
      }
    return undefined;
  }

  /** In a method an instance; in the body of a class, and in its own methods, the class. */
  function selfIn(scope: Scope): Value | undefined {
    const full = names.typeAround(scope);
    if (full === undefined) return undefined;
    let isMethod = false;
    for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
      if (at.kind === 'type') return { full, isType: true };
      if (at.kind === 'class') return { full, isType: !isMethod };
      isMethod ||= at.kind === 'function';
    }
    return undefined;
  }

  function resultOf(context: Context, { of, name }: Extract<Expr, { kind: 'member' }>): Value | undefined {
    const owner = valueOf(context, of);
    const isOwn = of.kind === 'name' && of.name === 'self';
    const [near] = isOwn ? inScopes(context, name) : [];
    if (near !== undefined)
      return valueOf(
        { file: near.file, scope: near.definition.inner ?? near.definition.scope },
        near.definition.returned,
      );
    if (owner === undefined) return undefined;
    if (name === 'class') return { full: owner.full, isType: true };
    if (name === 'new') return owner.isType ? { full: owner.full, isType: false } : undefined;
    const [first] = membersOf(owner, name) ?? [];
    if (first === undefined) return undefined;
    const { definition, file } = first;
    const scope = definition.inner ?? definition.scope;
    return valueOf(
      { file, scope, self: owner },
      definition.kind === 'field' ? definition.value : definition.returned,
    );
  }

  function membersOf(owner: Value, name: string): readonly Placed[] | undefined {
    for (const each of names.ancestors(owner.full)) {
      const found = ownMembers(each, name, owner.isType) ?? (owner.isType ? extended(each, name) : undefined);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  function ownMembers(full: string, name: string, isOfType: boolean): readonly Placed[] | undefined {
    const found: Placed[] = [];
    for (const { definition, file, path } of names.byFullName(full)?.places ?? [])
      for (const member of definition.members.get(name)?.definitions ?? [])
        if (isOwn(member) === isOfType) found.push({ definition: member, file, path });
    return found.length === 0 ? undefined : found;
  }

  /** What the modules give that the type was extended with. */
  function extended(full: string, name: string): readonly Placed[] | undefined {
    for (const { definition, file } of names.byFullName(full)?.places ?? [])
      for (const module of definition.aliases) {
        if (module.kind !== 'name') continue;
        const given =
          module.name === 'self'
            ? full
            : names.lookUp(file, definition.inner ?? definition.scope, module.name)?.full;
        const found = given === undefined ? undefined : membersOf({ full: given, isType: false }, name);
        if (found !== undefined) return found;
      }
    return undefined;
  }

  function constant(file: OpenFile, { of, scope, name }: Use): RubyResolved {
    if (of === undefined) return placed(names.lookUp(file, scope, name)?.places);
    if (of.kind === 'name' && of.name === '::') return placed(names.byFullName(name)?.places);
    const owner = valueOf({ file, scope }, of);
    return placed(owner?.isType === true ? names.inType(owner.full, name)?.places : undefined);
  }

  /** A call without a receiver: a method that is defined in a scope around, or one of `self`. */
  function own(file: OpenFile, { scope, name }: Use): RubyResolved {
    const near = inScopes({ file, scope }, name);
    if (near.length > 0) return placed(near);
    const self = selfIn(scope);
    const found = self && membersOf(self, name);
    return found === undefined ? UNKNOWN : placed(found);
  }

  /** Methods that stand in no class: of the file, or of a block as tests have them. */
  function inScopes({ file, scope }: Context, name: string): readonly Placed[] {
    for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
      const local = at.names.get(name)?.definitions ?? [];
      if (local.length > 0) return local.map((definition) => ({ definition, file, path: file.path }));
    }
    return [];
  }

  function isForeign(file: OpenFile, scope: Scope, of: Expr): boolean {
    let head = of;
    while ('of' in head && typeof head.of === 'object') head = head.of;
    if (head.kind === 'foreign') return true;
    if (head.kind !== 'name') return false;
    if (/^(?:::)?\p{Lu}/u.test(head.name)) return names.lookUp(file, scope, head.name) === undefined;
    for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
      const value = at.names.get(head.name)?.value;
      if (value !== undefined) return !busy.has(value) && guarded(value, () => isForeign(file, scope, value));
      if (at.kind !== 'block') return false;
    }
    return false;
  }

  function guarded(what: object, work: () => boolean): boolean {
    busy.add(what);
    try {
      return busy.size <= MOST_DEPTH && work();
    } finally {
      busy.delete(what);
    }
  }

  return {
    resolve(file, use) {
      const { of, scope, name } = use;
      if (/^\p{Lu}/u.test(name) && use.kind !== 'call') return constant(file, use);
      if (of === undefined) return own(file, use);
      const owner = valueOf({ file, scope }, of);
      if (owner === undefined) return isForeign(file, scope, of) ? NONE : UNKNOWN;
      const found = membersOf(owner, name);
      if (found !== undefined) return placed(found);
      // A module may call what the types have that include it.
      const isModule = names.byFullName(owner.full)?.places[0]?.definition.kind === 'module';
      return isModule && !owner.isType ? UNKNOWN : NONE;
    },
  };
}

function placed(places: readonly Placed[] | undefined): RubyResolved {
  return places === undefined || places.length === 0 ? NONE : { kind: 'found', places };
}

/** A method of the class itself. */
function isOwn({ scope }: FactDefinition): boolean {
  return scope.kind === 'type';
}
