/** What the numbers of a file tell, made when it is first asked for: most files of an answer are asked for the uses of one name. */
import { USE_KINDS } from '../../core/index.ts';
import type { FactPlaces } from './fact-places.ts';
import {
  type Binding,
  EXPR_KINDS,
  type Expr,
  FACT_KINDS,
  type FactDefinition,
  type Member,
  type Scope,
  SCOPE_KINDS,
  type ScopeKind,
  type Use,
} from './facts.ts';
import { cut, NumberCursor, type Numbers } from './number-cursor.ts';

export class PackedFile {
  readonly scopes: readonly Scope[];
  readonly #numbers: Numbers;
  readonly #names: readonly string[];
  readonly #places: FactPlaces;
  readonly #exprs: (Expr | undefined)[] = [];
  readonly #definitions: (FactDefinition | undefined)[] = [];
  #all: readonly FactDefinition[] | undefined;

  /** `places` are those of `numbers`. */
  constructor(numbers: Numbers, names: readonly string[], places: FactPlaces) {
    this.#numbers = numbers;
    this.#names = names;
    this.#places = places;
    const scopes: Scope[] = [];
    const cursor = this.#from(places.scopes);
    for (let id = 0; id < places.bindings.length; id++) {
      const parent = scopes[cursor.next() - 1];
      scopes.push(
        new PackedScope(this, { id, parent, kind: at(SCOPE_KINDS, cursor.next()), of: cursor.next() }),
      );
    }
    this.scopes = scopes;
  }

  get definitions(): readonly FactDefinition[] {
    return (this.#all ??= Array.from(this.#places.definitions, (_, position) =>
      this.definition(position + 1),
    ));
  }

  definitionsNamed(name: number): readonly FactDefinition[] {
    const { named } = this.#places;
    const found: FactDefinition[] = [];
    for (let position = named.indexOf(name); position !== -1; position = named.indexOf(name, position + 1))
      found.push(this.definition(position + 1));
    return found;
  }

  /** From 1 on. */
  definition(id: number): FactDefinition {
    const known = this.#definitions[id - 1];
    if (known !== undefined) return known;
    const cursor = this.#from(this.#places.definitions[id - 1]);
    const name = this.#text(cursor);
    const kind = at(FACT_KINDS, cursor.next());
    cursor.skip(1);
    const line = this.#places.lines[id - 1] ?? cut();
    const column = cursor.next();
    const startLine = line + cursor.signed();
    const endLine = startLine + cursor.next();
    const scope = at(this.scopes, cursor.next());
    const owner = cursor.next();
    const ownerName = this.#optionalText(cursor);
    const inner = this.scopes[cursor.next() - 1];
    const marks = cursor.next();
    const arity = cursor.next();
    const expr = (): Expr | undefined => this.#expr(cursor.next());
    const made = new PackedDefinition(this, id, {
      name,
      kind,
      line,
      column,
      startLine,
      endLine,
      scope,
      ownerName,
      inner,
      isAccessor: (marks & 1) === 1,
      isVariadic: (marks & 2) === 2,
      isPartial: (marks & 4) === 4,
      arity: arity === 0 ? undefined : arity - 1,
      type: expr(),
      value: expr(),
      returned: expr(),
      bases: cursor.list(expr).filter(isTold),
      aliases: cursor.list(expr).filter(isTold),
      returns: cursor.list(expr),
    });
    this.#definitions[id - 1] = made;
    if (owner !== 0) made.owner = this.definition(owner);
    return made;
  }

  membersOf(id: number): Map<string, Member> {
    const read = this.#from(this.#places.members[id - 1]).list((cursor): [string, Member] => [
      this.#text(cursor),
      {
        type: this.#expr(cursor.next()),
        value: this.#expr(cursor.next()),
        definitions: cursor.list(() => this.definition(cursor.next())),
      },
    ]);
    return new Map(read);
  }

  namesOf(scope: number): Map<string, Binding> {
    const read = this.#from(this.#places.bindings[scope]).list((cursor): [string, Binding] => {
      const name = this.#text(cursor);
      const has = cursor.next();
      const binding: Binding = {
        definitions: has & 1 ? cursor.list(() => this.definition(cursor.next())) : [],
      };
      if (has & 2) binding.import = { specifier: this.#text(cursor), name: this.#text(cursor) };
      if (has & 4) binding.type = this.#expr(cursor.next());
      if (has & 8) binding.value = this.#expr(cursor.next());
      return [name, binding];
    });
    return new Map(read);
  }

  /** Of one name, of some, or all: lines and scopes are written as steps from one use to the next, so that all are passed. */
  usesOf(wanted: number | ReadonlySet<number> | undefined): Use[] {
    const cursor = this.#from(this.#places.uses);
    const found: Use[] = [];
    let line = 0;
    let scope = 0;
    for (let left = this.#places.usesCount; left > 0; left--) {
      const name = cursor.next();
      const kind = cursor.next();
      line += cursor.signed();
      const column = cursor.next();
      scope += cursor.signed();
      const of = cursor.next();
      const args = cursor.next();
      if (typeof wanted === 'number' ? wanted !== name : wanted?.has(name) === false) continue;
      found.push({
        name: at(this.#names, name),
        kind: at(USE_KINDS, kind),
        line,
        column,
        scope: at(this.scopes, scope),
        of: this.#expr(of),
        args: args === 0 ? undefined : args - 1,
      });
    }
    return found;
  }

  #from(place: number | undefined): NumberCursor {
    return new NumberCursor(this.#numbers, place ?? cut());
  }

  #text(cursor: NumberCursor): string {
    return at(this.#names, cursor.next());
  }

  #optionalText(cursor: NumberCursor): string | undefined {
    return this.#names[cursor.next() - 1];
  }

  #expr(id: number): Expr | undefined {
    if (id === 0) return undefined;
    return (this.#exprs[id - 1] ??= this.#readExpr(this.#from(this.#places.exprs[id - 1])));
  }

  #readExpr(cursor: NumberCursor): Expr {
    const kind = at(EXPR_KINDS, cursor.next());
    const inner = (): Expr => this.#expr(cursor.next()) ?? cut();
    switch (kind) {
      case 'name':
        return { kind, name: this.#text(cursor) };
      case 'member':
        return { kind, of: inner(), name: this.#text(cursor) };
      case 'call':
      case 'new':
      case 'item':
        return { kind, of: inner() };
      case 'result':
        return { kind, of: inner(), at: cursor.next() };
      case 'type': {
        const name = this.#text(cursor);
        const of = this.#optionalText(cursor);
        const wrap = this.#optionalText(cursor);
        return { kind, name, ...(of === undefined ? {} : { of }), ...(wrap === undefined ? {} : { wrap }) };
      }
      case 'foreign':
      case 'unknown':
        return { kind };
    }
  }
}

class PackedScope implements Scope {
  readonly id: number;
  readonly parent: Scope | undefined;
  readonly kind: ScopeKind;
  readonly #file: PackedFile;
  readonly #of: number;
  #names: Map<string, Binding> | undefined;

  constructor(
    file: PackedFile,
    { id, parent, kind, of }: Pick<Scope, 'id' | 'parent' | 'kind'> & { readonly of: number },
  ) {
    this.#file = file;
    this.id = id;
    this.parent = parent;
    this.kind = kind;
    this.#of = of;
  }

  get definition(): FactDefinition | undefined {
    return this.#of === 0 ? undefined : this.#file.definition(this.#of);
  }

  get names(): Map<string, Binding> {
    return (this.#names ??= this.#file.namesOf(this.id));
  }
}

class PackedDefinition implements FactDefinition {
  declare readonly name: string;
  declare readonly kind: FactDefinition['kind'];
  declare readonly line: number;
  declare readonly column: number;
  declare readonly startLine: number;
  declare readonly endLine: number;
  declare readonly scope: Scope;
  declare readonly ownerName: string | undefined;
  declare readonly inner: Scope | undefined;
  declare readonly isAccessor: boolean;
  declare readonly isVariadic: boolean;
  declare readonly isPartial: boolean;
  declare readonly arity: number | undefined;
  declare readonly type: Expr | undefined;
  declare readonly value: Expr | undefined;
  declare readonly returned: Expr | undefined;
  declare readonly bases: Expr[];
  declare readonly aliases: Expr[];
  declare readonly returns: (Expr | undefined)[];
  owner: FactDefinition | undefined = undefined;
  readonly #file: PackedFile;
  readonly #id: number;
  #members: Map<string, Member> | undefined;

  constructor(file: PackedFile, id: number, read: Omit<FactDefinition, 'members' | 'owner'>) {
    this.#file = file;
    this.#id = id;
    Object.assign(this, read);
  }

  get members(): Map<string, Member> {
    return (this.#members ??= this.#file.membersOf(this.#id));
  }
}

function at<T>(all: readonly T[], position: number): T {
  return all[position] ?? cut();
}

function isTold(expr: Expr | undefined): expr is Expr {
  return expr !== undefined;
}
