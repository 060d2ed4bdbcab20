/** PHP: types as they are declared, and as doc comments tell them where nothing is declared. */
import { MOST_EXPR_DEPTH } from '../collector.ts';
import type { Expr } from '../facts.ts';
import { firstNamed, namedOf, type SyntaxNode } from '../syntax-node.ts';

type TextOf = (node: SyntaxNode) => string;

const SELF = /^(?:self|static|\$this)$/i;
const SCALAR = /^(?:int|integer|string|bool|boolean|float|double|true|false|void|never|resource|numeric)\b/i;
/** What says too little to go by. */
const LOOSE = /^(?:array|callable|iterable|object|mixed|null|list|class-string|Closure)$/i;
/** Stands beside the type that is meant: `Mailer&MockObject`. */
const MOCK = /(?:^|\\)(?:MockObject|Stub|MockInterface|ObjectProphecy)$/;
const CLASS = /^\\?[A-Za-z_\x80-\uffff][\w\x80-\uffff]*(?:\\[\w\x80-\uffff]+)*$/;

export function typeOf(node: SyntaxNode | undefined, textOf: TextOf, depth = 0): Expr | undefined {
  if (node === undefined || depth > MOST_EXPR_DEPTH) return undefined;
  switch (node.type) {
    case 'named_type':
    case 'primitive_type':
    case 'name':
    case 'qualified_name':
    case 'relative_name':
      return namedType(textOf(node));
    case 'optional_type':
    case 'parenthesized_type':
      return typeOf(firstNamed(node), textOf, depth + 1);
    case 'union_type':
    case 'intersection_type':
    case 'disjunctive_normal_form_type':
    case 'type_list':
      return firstType(namedOf(node).map((part) => typeOf(part, textOf, depth + 1)));
    default:
      return undefined;
  }
}

function namedType(written: string): Expr | undefined {
  if (SELF.test(written)) return { kind: 'type', name: 'this' };
  if (SCALAR.test(written)) return { kind: 'foreign' };
  return LOOSE.test(written) || !CLASS.test(written) ? undefined : { kind: 'type', name: written };
}

/** Of alternatives the first class; none where one of them may be anything. */
function firstType(all: readonly (Expr | undefined)[]): Expr | undefined {
  const classes = all.filter((each) => each?.kind === 'type');
  return (
    classes.find((each) => !MOCK.test(each.name)) ??
    classes[0] ??
    (all.length > 0 && all.every((each) => each?.kind === 'foreign') ? all[0] : undefined)
  );
}

/** What a doc comment says of a type: `?Foo`, `Foo|null`, `Foo[]`, `array<int, Foo>`, `Collection<Foo>`. */
export function docType(written: string): Expr | undefined {
  const text = written.replace(/^\?/, '').replace(/^\((.*)\)$/, '$1');
  const parts = splitAtTop(text, /[|&]/);
  if (parts.length > 1)
    return firstType(parts.filter((part) => !/^null$/i.test(part)).map((part) => docType(part)));
  const item = /^(.+)\[\]$/.exec(text)?.[1];
  if (item !== undefined) return listOf(docType(item));
  const [, base = text, inside] = /^([\w\\-]+)<(.*)>$/.exec(text) ?? [];
  if (inside === undefined) return namedType(base);
  const last = splitAtTop(inside, /,/).at(-1) ?? '';
  if (
    /^(?:array|list|iterable|non-empty-(?:list|array)|\\?(?:Generator|Iterator|Traversable|IteratorAggregate))$/i.test(
      base,
    )
  )
    return listOf(docType(last));
  return /^class-string$/i.test(base) ? docType(inside) : namedType(base);
}

function listOf(item: Expr | undefined): Expr | undefined {
  return item?.kind === 'type' ? { ...item, wrap: 'Array' } : undefined;
}

/** Not inside of brackets. */
function splitAtTop(text: string, at: RegExp): string[] {
  const parts: string[] = [''];
  let depth = 0;
  for (const char of text) {
    if ('<({['.includes(char)) depth++;
    if ('>)}]'.includes(char)) depth--;
    if (depth === 0 && at.test(char)) parts.push('');
    else parts[parts.length - 1] += char;
  }
  return parts.map((part) => part.trim());
}

const MOST_DOC_CHARS = 10_000;
/** A type in a doc comment ends at a blank that is not in brackets. */
const TYPE = String.raw`((?:[^\s<({*]|<[^>\n]*(?:<[^>\n]*>[^>\n]*)*>|\([^)\n]*\)|\{[^}]*\})+)`;

export interface DocComment {
  /** `@return`. */
  readonly returns: Expr | undefined;
  /** `@var` without a name. */
  readonly type: Expr | undefined;
  /** `@param` and `@var` by name, without the dollar. */
  readonly variables: ReadonlyMap<string, Expr>;
  /** `@property` and `@method`. */
  readonly members: readonly DocMember[];
}

/** `at` is where its name stands in the comment. */
export interface DocMember {
  readonly kind: 'method' | 'field';
  readonly name: string;
  readonly at: number;
  readonly type: Expr | undefined;
}

const NO_DOC: DocComment = { returns: undefined, type: undefined, variables: new Map(), members: [] };

export function readDoc(text: string | undefined): DocComment {
  if (text?.startsWith('/**') !== true || !text.includes('@') || text.length > MOST_DOC_CHARS) return NO_DOC;
  const one = (pattern: string): Expr | undefined => {
    const [, type] = new RegExp(pattern).exec(text) ?? [];
    return type === undefined ? undefined : docType(type);
  };
  const variables = new Map<string, Expr>();
  const tags = `@(?:phpstan-|psalm-)?(?:param|var)\\s+${TYPE}\\s+(?:&|\\.\\.\\.)*\\$(\\w+)`;
  for (const [, type = '', name = ''] of text.matchAll(new RegExp(tags, 'g'))) {
    const told = docType(type);
    if (told !== undefined && !variables.has(name)) variables.set(name, told);
  }
  const members: DocMember[] = [];
  const magic = `@(?:property(?:-read|-write)?\\s+${TYPE}\\s+\\$|method\\s+(?:static\\s+)?(?:${TYPE}\\s+)?)(\\w+)`;
  for (const found of text.matchAll(new RegExp(magic, 'g'))) {
    const [whole, property, method, name = ''] = found;
    const type = docType(property ?? method ?? '');
    const kind = property === undefined ? 'method' : 'field';
    members.push({ kind, name, at: found.index + whole.length - name.length, type });
  }
  return {
    returns: one(`@(?:phpstan-|psalm-)?return\\s+${TYPE}`),
    type: one(`@var\\s+${TYPE}`),
    variables,
    members,
  };
}
