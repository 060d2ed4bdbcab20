/** Packed facts, read lazily: names as bytes to look in, the shape of a file once, its uses by name. */
import { inflateRawSync } from 'node:zlib';
import { USE_KINDS } from '../../core/index.ts';
import {
  type Binding,
  EXPR_KINDS,
  type Expr,
  FACT_KINDS,
  type FactDefinition,
  type FactExport,
  type FileShape,
  type Member,
  type Scope,
  SCOPE_KINDS,
  type Use,
} from './facts.ts';
import { hashNames } from './name-hashes.ts';
import { FACTS_VERSION, MOST_FACT_BYTES } from './pack-facts.ts';

export interface OpenFacts extends FileShape {
  /** Uses of these names, or all, in the order of the text. */
  uses(names?: ReadonlySet<string>): readonly Use[];
}

/** A row of facts: its names to look in, and the rest as it is stored. */
export interface FactRow {
  readonly names: Buffer;
  readonly rest: Uint8Array;
  /** Of each name. */
  readonly hashes: Uint32Array;
}

/** Name, kind, line, column, scope, receiver, arguments. */
const WIDTH = 7;

/** Undefined if the bytes are none that `packFacts` made. */
export function openRow(packed: Uint8Array): FactRow | undefined {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  const end = bytes.length < 4 ? Infinity : 4 + bytes.readUInt32LE();
  const names = end > bytes.length ? undefined : inflated(bytes.subarray(4, end));
  return names === undefined ? undefined : { names, rest: bytes.subarray(end), hashes: hashNames(names) };
}

function inflated(bytes: Uint8Array): Buffer | undefined {
  try {
    // A damaged row must not become gigabytes.
    return inflateRawSync(bytes, { maxOutputLength: MOST_FACT_BYTES });
  } catch {
    return undefined;
  }
}

/** Whether the name occurs among the names of a file. */
export function mayName({ names }: FactRow, name: string): boolean {
  return names.includes(`\0${name}\0`);
}

/** Throws RangeError if the bytes are none that `packFacts` made. */
export function unpackFacts(row: FactRow): OpenFacts {
  const names = row.names.toString('utf8').split('\0').slice(1, -1);
  const bytes = inflated(row.rest) ?? cut();
  let at = 0;
  const number = (): number => {
    let byte = bytes[at++] ?? cut();
    if (byte < 128) return byte;
    let value = byte & 127;
    for (let shift = 7; shift <= 28; shift += 7) {
      byte = bytes[at++] ?? cut();
      value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
    }
    return cut();
  };
  const signed = (): number => {
    const value = number();
    return value & 1 ? -(value + 1) / 2 : value / 2;
  };
  const text = (): string => names[number()] ?? cut();
  const optionalText = (): string | undefined => {
    const id = number();
    return id === 0 ? undefined : (names[id - 1] ?? cut());
  };
  const list = <T>(each: (position: number) => T): T[] => {
    const count = number();
    // Each takes a byte at least: a damaged count must not ask for gigabytes.
    if (count > bytes.length - at) cut();
    const items: T[] = new Array<T>(count);
    for (let position = 0; position < count; position++) items[position] = each(position);
    return items;
  };

  if (number() !== FACTS_VERSION) cut();
  const flags = number();
  const packageName = optionalText();
  const stars = list(text);
  const imports = list(() => ({ specifier: text(), line: number(), names: list(text) }));
  const exports = list((): FactExport => {
    switch (number()) {
      case 0:
        return { kind: 'local', name: text(), local: text() };
      case 1:
        return { kind: 'from', name: text(), specifier: text(), from: text() };
      default:
        return { kind: 'star', specifier: text() };
    }
  });

  const exprs: Expr[] = [];
  const expr = (): Expr | undefined => {
    const id = number();
    return id === 0 ? undefined : (exprs[id - 1] ?? cut());
  };
  const inner = (): Expr => expr() ?? cut();
  list(() => {
    const kind = EXPR_KINDS[number()] ?? cut();
    exprs.push(readExpr(kind));
  });
  function readExpr(kind: Expr['kind']): Expr {
    switch (kind) {
      case 'name':
        return { kind, name: text() };
      case 'member':
        return { kind, of: inner(), name: text() };
      case 'call':
      case 'new':
      case 'item':
        return { kind, of: inner() };
      case 'result':
        return { kind, of: inner(), at: number() };
      case 'type': {
        const [name, of, wrap] = [text(), optionalText(), optionalText()];
        return { kind, name, ...(of === undefined ? {} : { of }), ...(wrap === undefined ? {} : { wrap }) };
      }
      case 'foreign':
      case 'unknown':
        return { kind };
    }
  }

  const scopes: Scope[] = [];
  const owned: { readonly scope: number; readonly definition: number }[] = [];
  list((id) => {
    const parent = number();
    const kind = SCOPE_KINDS[number()] ?? cut();
    const definition = number();
    const around = parent === 0 ? undefined : (scopes[parent - 1] ?? cut());
    scopes.push({ id, parent: around, kind, definition: undefined, names: new Map() });
    if (definition > 0) owned.push({ scope: id, definition });
  });
  const scopeAt = (id: number): Scope => scopes[id] ?? cut();

  const owners: number[] = [];
  let lastLine = 0;
  const definitions = list((): FactDefinition => {
    const name = text();
    const kind = FACT_KINDS[number()] ?? cut();
    const line = (lastLine += signed());
    const column = number();
    const startLine = line + signed();
    const endLine = startLine + number();
    const scope = scopeAt(number());
    owners.push(number());
    const ownerName = optionalText();
    const inside = number();
    const marks = number();
    const arity = number();
    const [type, value, returned] = [expr(), expr(), expr()];
    const [bases, aliases, returns] = [list(inner), list(inner), list(expr)];
    return {
      name,
      kind,
      line,
      column,
      startLine,
      endLine,
      scope,
      ownerName,
      members: new Map(),
      bases,
      aliases,
      type,
      value,
      returns,
      returned,
      inner: inside === 0 ? undefined : scopeAt(inside - 1),
      isAccessor: (marks & 1) === 1,
      isVariadic: (marks & 2) === 2,
      isPartial: (marks & 4) === 4,
      arity: arity === 0 ? undefined : arity - 1,
    };
  });
  const definitionAt = (id: number): FactDefinition => definitions[id - 1] ?? cut();
  for (const [position, owner] of owners.entries())
    if (owner > 0) definitionAt(position + 1).owner = definitionAt(owner);
  for (const { scope, definition } of owned)
    scopes[scope] = Object.assign(scopeAt(scope), { definition: definitionAt(definition) });

  const nextDefinition = (): FactDefinition => definitionAt(number());
  list((position) => {
    const { members } = definitionAt(position + 1);
    list(() => {
      const name = text();
      const member: Member = { type: expr(), value: expr(), definitions: list(nextDefinition) };
      members.set(name, member);
    });
  });
  list((id) => {
    const { names: bound } = scopeAt(id);
    list(() => {
      const name = text();
      const has = number();
      const binding: Binding = { definitions: has & 1 ? list(nextDefinition) : [] };
      if (has & 2) binding.import = { specifier: text(), name: text() };
      if (has & 4) binding.type = expr();
      if (has & 8) binding.value = expr();
      bound.set(name, binding);
    });
  });

  const usesAt = at;
  let columns: Int32Array | undefined;
  /** Numbers of all uses, WIDTH for each: they are read once, and looked through for every name that is asked. */
  function readColumns(): Int32Array {
    at = usesAt;
    const count = number();
    if (count > bytes.length - at) cut();
    const read = new Int32Array(count * WIDTH);
    let [line, scope] = [0, 0];
    for (let to = 0; to < read.length; to += WIDTH) {
      read[to] = number();
      read[to + 1] = number();
      read[to + 2] = line += signed();
      read[to + 3] = number();
      read[to + 4] = scope += signed();
      read[to + 5] = number();
      read[to + 6] = number();
    }
    return read;
  }

  return {
    depth: flags & 1 ? 'scopes' : 'names',
    isCut: (flags & 2) !== 0,
    package: packageName,
    stars,
    imports,
    exports,
    scopes,
    definitions,
    uses(wanted) {
      columns ??= readColumns();
      const ids = wanted && [...wanted].map((name) => names.indexOf(name));
      const only = ids?.length === 1 ? ids[0] : undefined;
      const found: Use[] = [];
      for (let from = 0; from < columns.length; from += WIDTH) {
        const name = columns[from] ?? 0;
        if (only === undefined ? ids?.includes(name) === false : only !== name) continue;
        const [of = 0, args = 0] = [columns[from + 5], columns[from + 6]];
        found.push({
          name: names[name] ?? cut(),
          kind: USE_KINDS[columns[from + 1] ?? -1] ?? cut(),
          line: columns[from + 2] ?? 0,
          column: columns[from + 3] ?? 0,
          scope: scopeAt(columns[from + 4] ?? -1),
          of: of === 0 ? undefined : (exprs[of - 1] ?? cut()),
          args: args === 0 ? undefined : args - 1,
        });
      }
      return found;
    },
  };
}

function cut(): never {
  throw new RangeError('The facts of a file are cut.');
}
