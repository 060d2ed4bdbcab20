/**
 * The facts of a file as bytes: numbers in few bytes, every name once. Names stand between zero bytes in a part of their own, so that
 * files that may hold a name are found without the rest; uses stand at the end, in the order of the text. Both parts are deflated, to
 * a third.
 *
 * Kinds are indexes into their lists: changing the order of those lists changes `FACTS_VERSION`.
 */
import { deflateRawSync } from 'node:zlib';
import { USE_KINDS } from '../../core/index.ts';
import {
  type Binding,
  EXPR_KINDS,
  type Expr,
  FACT_KINDS,
  type FactDefinition,
  type FileFacts,
  type Member,
  SCOPE_KINDS,
} from './facts.ts';

export const FACTS_VERSION = 2;
/** What longer facts would tell is not worth what they cost. */
export const MOST_FACT_BYTES = 4 * 1024 * 1024;
const FIRST_BYTES = 16 * 1024;
/** Seven bits to a byte. */
const MOST_NUMBER_BYTES = 5;

export function packFacts(facts: FileFacts): Uint8Array | undefined {
  const names = new Map<string, number>();
  let body = new Uint8Array(FIRST_BYTES);
  let size = 0;
  const number = (value: number): void => {
    if (size + MOST_NUMBER_BYTES > body.length) body = grown(body);
    let rest = value;
    while (rest > 127) {
      body[size++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    body[size++] = rest;
  };
  const text = (value: string): void => number(idOf(names, value));
  const optionalText = (value: string | undefined): void =>
    number(value === undefined ? 0 : idOf(names, value) + 1);
  const definitionIds = new Map(facts.definitions.map((definition, at) => [definition, at]));
  const definition = (value: FactDefinition | undefined): void =>
    number(value === undefined ? 0 : (definitionIds.get(value) ?? -1) + 1);

  const exprs = new Map<string | number, number>();
  const exprRows: { readonly expr: Expr; readonly of: number }[] = [];
  const knownExprs = new Map<Expr, number>();
  /** The same expression is kept once. 0 is none. */
  const exprId = (value: Expr | undefined): number => {
    if (value === undefined) return 0;
    const known = knownExprs.get(value);
    if (known !== undefined) return known;
    const id = newExprId(value);
    knownExprs.set(value, id);
    return id;
  };
  const newExprId = (value: Expr): number => {
    const of = 'of' in value && typeof value.of === 'object' ? exprId(value.of) : 0;
    const key = keyOf(value, of, names);
    const known = exprs.get(key);
    if (known !== undefined) return known;
    exprRows.push({ expr: value, of });
    exprs.set(key, exprRows.length);
    return exprRows.length;
  };

  number(FACTS_VERSION);
  number((facts.depth === 'scopes' ? 1 : 0) | (facts.isCut ? 2 : 0));
  optionalText(facts.package);
  list(facts.stars, text);
  list(facts.imports, ({ specifier, names: imported, line }) => {
    text(specifier);
    number(line);
    list(imported, text);
  });
  list(facts.exports, (each) => {
    switch (each.kind) {
      case 'local':
        number(0);
        text(each.name);
        return text(each.local);
      case 'from':
        number(1);
        text(each.name);
        text(each.specifier);
        return text(each.from);
      case 'star':
        number(2);
        return text(each.specifier);
    }
  });

  // Before anything names them; how many there are of each stands before all, so that what names one can be checked.
  const knowTyped = ({ type, value }: Pick<Member, 'type' | 'value'>): void => {
    exprId(type);
    exprId(value);
  };
  for (const each of facts.definitions) {
    exprId(each.type);
    exprId(each.value);
    exprId(each.returned);
    each.bases.forEach(exprId);
    each.aliases.forEach(exprId);
    each.returns.forEach(exprId);
    each.members.forEach(knowTyped);
  }
  for (const scope of facts.scopes) scope.names.forEach(knowTyped);
  const receivers = facts.uses.map((use) => exprId(use.of));
  for (const all of [exprRows, facts.scopes, facts.definitions]) number(all.length);
  for (const { expr, of } of exprRows) packExpr(expr, of);
  for (const { parent, kind, definition: of } of facts.scopes) {
    number(parent === undefined ? 0 : parent.id + 1);
    number(SCOPE_KINDS.indexOf(kind));
    definition(of);
  }
  let lastLine = 0;
  for (const each of facts.definitions) {
    packDefinition(each, lastLine);
    lastLine = each.line;
  }
  for (const { members } of facts.definitions) {
    number(members.size);
    members.forEach(packMember);
  }
  for (const { names: bound } of facts.scopes) {
    number(bound.size);
    bound.forEach(packBinding);
  }
  let line = 0;
  let scope = 0;
  let at = 0;
  number(facts.uses.length);
  for (const use of facts.uses) {
    text(use.name);
    number(USE_KINDS.indexOf(use.kind));
    signed(number, use.line - line);
    number(use.column);
    signed(number, use.scope.id - scope);
    number(receivers[at++] ?? 0);
    number(use.args === undefined ? 0 : use.args + 1);
    line = use.line;
    scope = use.scope.id;
  }

  function packExpr(expr: Expr, of: number): void {
    number(EXPR_KINDS.indexOf(expr.kind));
    switch (expr.kind) {
      case 'name':
        return text(expr.name);
      case 'member':
        number(of);
        return text(expr.name);
      case 'call':
      case 'new':
      case 'item':
        return number(of);
      case 'result':
        number(of);
        return number(expr.at);
      case 'type':
        text(expr.name);
        optionalText(expr.of);
        return optionalText(expr.wrap);
      case 'foreign':
      case 'unknown':
    }
  }

  function packDefinition(each: FactDefinition, lastLine: number): void {
    text(each.name);
    number(FACT_KINDS.indexOf(each.kind));
    signed(number, each.line - lastLine);
    number(each.column);
    signed(number, each.startLine - each.line);
    number(each.endLine - each.startLine);
    number(each.scope.id);
    definition(each.owner);
    optionalText(each.ownerName);
    number(each.inner === undefined ? 0 : each.inner.id + 1);
    number(
      (each.isAccessor === true ? 1 : 0) |
        (each.isVariadic === true ? 2 : 0) |
        (each.isPartial === true ? 4 : 0),
    );
    number(each.arity === undefined ? 0 : each.arity + 1);
    number(exprId(each.type));
    number(exprId(each.value));
    number(exprId(each.returned));
    packExprs(each.bases);
    packExprs(each.aliases);
    packExprs(each.returns);
  }

  function packExprs(all: readonly (Expr | undefined)[]): void {
    number(all.length);
    all.forEach(packKnown);
  }

  function packKnown(one: Expr | undefined): void {
    number(exprId(one));
  }

  function packMember({ definitions, type, value }: Member, name: string): void {
    text(name);
    number(exprId(type));
    number(exprId(value));
    list(kept(definitions, definitionIds), definition);
  }

  function packBinding({ definitions, import: imported, type, value }: Binding, name: string): void {
    text(name);
    const whole = kept(definitions, definitionIds);
    number((whole.length > 0 ? 1 : 0) | (imported ? 2 : 0) | (type ? 4 : 0) | (value ? 8 : 0));
    if (whole.length > 0) list(whole, definition);
    if (imported) {
      text(imported.specifier);
      text(imported.name);
    }
    if (type) number(exprId(type));
    if (value) number(exprId(value));
  }

  function list<T>(items: readonly T[], each: (item: T) => unknown): void {
    number(items.length);
    items.forEach(each);
  }

  const table = Buffer.from(`\0${[...names.keys()].map((name) => `${name}\0`).join('')}`);
  if (table.length + size > MOST_FACT_BYTES) return undefined;
  const parts = [table, body.subarray(0, size)].map((part) => deflateRawSync(part, { level: 3 }));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(parts[0]?.length ?? 0);
  return Buffer.concat([length, ...parts]);
}

function idOf(names: Map<string, number>, written: string): number {
  const known = names.get(written);
  if (known !== undefined) return known;
  if (written.includes('\0')) return idOf(names, written.replaceAll('\0', ''));
  const name = written;
  names.set(name, names.size);
  return names.size - 1;
}

function grown(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const more = new Uint8Array(bytes.length * 2);
  more.set(bytes);
  return more;
}

function kept(
  definitions: readonly FactDefinition[],
  ids: ReadonlyMap<FactDefinition, number>,
): readonly FactDefinition[] {
  // Nearly always all of them.
  return definitions.every((each) => ids.has(each))
    ? definitions
    : definitions.filter((each) => ids.has(each));
}

function signed(number: (value: number) => void, value: number): void {
  number(value < 0 ? -value * 2 - 1 : value * 2);
}

/** Numbers where there is room for them: most expressions of a file are names and members. */
function keyOf(expr: Expr, of: number, names: Map<string, number>): string | number {
  switch (expr.kind) {
    case 'name':
      return numberOf(0, 0, idOf(names, expr.name));
    case 'member':
      return numberOf(1, of, idOf(names, expr.name));
    case 'call':
      return numberOf(2, of, 0);
    case 'new':
      return numberOf(3, of, 0);
    case 'item':
      return numberOf(4, of, 0);
    case 'result':
      return `${expr.kind} ${of} ${expr.at}`;
    case 'type':
      return `${expr.kind} ${expr.of ?? ''} ${expr.wrap ?? ''} ${expr.name}`;
    case 'foreign':
    case 'unknown':
      return `${expr.kind} ${of}`;
  }
}

/** Facts of a file are limited to much less than there is room for. */
function numberOf(kind: number, of: number, name: number): number {
  return (of * 8 + kind) * 2 ** 24 + name;
}
