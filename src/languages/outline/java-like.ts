/** Java, Groovy, C#, Dart, Kotlin and Swift: classes in braces, with annotations. */
import type { BraceRules } from './braces.ts';
import {
  ANYWHERE,
  callableAt,
  type Found,
  type HeadRules,
  keyword,
  keywords,
  OUTSIDE,
  type Place,
  SCOPE,
  TOP,
  words,
} from './declaration.ts';
import {
  NESTED_SLASH_STAR,
  DOUBLE,
  SINGLE,
  TRIPLE_DOUBLE,
  TRIPLE_SINGLE,
  slashes,
  hashesBefore,
  type LexRules,
  type Stretch,
} from './lex-rules.ts';

const JAVA_LEX: LexRules = slashes([TRIPLE_DOUBLE, DOUBLE, SINGLE]);
const CSHARP_LEX: LexRules = slashes([TRIPLE_DOUBLE, DOUBLE, SINGLE], {
  special: verbatim,
  specialChars: '"',
});
const DART_LEX: LexRules = slashes([TRIPLE_DOUBLE, TRIPLE_SINGLE, DOUBLE, SINGLE], {
  blockComments: [NESTED_SLASH_STAR],
});
const KOTLIN_LEX: LexRules = slashes([TRIPLE_DOUBLE, DOUBLE, SINGLE], { blockComments: [NESTED_SLASH_STAR] });
const SWIFT_LEX: LexRules = slashes([TRIPLE_DOUBLE, DOUBLE], {
  blockComments: [NESTED_SLASH_STAR],
  special: swiftRaw,
  specialChars: '"',
});

const DOTTED = /\s+(?<name>[A-Za-z_][\w.]*)/y;
const CALLED = /\s*(?:<[^>]*>\s*)?(?<name>[A-Za-z_]\w*)\s*[(<]/y;
const CONSTANT = /\s+(?:[\w<>[\],.?]+\s+)?(?<name>[A-Za-z_]\w*)\s*=/y;

/** Methods of Java, C# and Dart have no keyword: a type, a name and a bracket. */
function methodAt(line: string, at: number, place: Place, scopes: number): Found | undefined {
  if ((place.scope & scopes) === 0) return undefined;
  const callable = callableAt(line, at, '.');
  if (callable === undefined) return undefined;
  const { name, qualifier, before } = callable;
  const isConstructor = before === '' && (qualifier ?? name) === place.container;
  if (before === '' && !isConstructor) return undefined;
  return { name, kind: 'function', container: isConstructor ? place.container : undefined };
}

const JAVA: HeadRules = {
  modifiers: words(
    'public private protected static final abstract default synchronized native strictfp sealed non transient volatile',
  ),
  keywords: keywords({
    class: keyword('class', ANYWHERE),
    interface: keyword('interface', OUTSIDE),
    trait: keyword('trait', OUTSIDE),
    enum: keyword('enum', OUTSIDE),
    record: keyword('class', OUTSIDE, CALLED),
    def: keyword('function', OUTSIDE, /\s+(?<name>[A-Za-z_]\w*)\s*\(/y),
  }),
  other: (line, at, place) =>
    annotationType(line, at) ??
    staticFinal(line, at, place) ??
    methodAt(line, at, place, SCOPE.member | SCOPE.top),
};

function annotationType(line: string, at: number): Found | undefined {
  const name = line.startsWith('@interface', at)
    ? /^@interface\s+(\w+)/.exec(line.slice(at))?.[1]
    : undefined;
  return name === undefined ? undefined : { name, kind: 'interface' };
}

function staticFinal(line: string, at: number, place: Place): Found | undefined {
  const before = line.slice(place.indent, at);
  if (!before.includes('static') || !before.includes('final')) return undefined;
  const name = /^[\w<>[\],.?\s]*?\b([A-Za-z_]\w*)\s*=/.exec(line.slice(at, at + 300))?.[1];
  return name === undefined ? undefined : { name, kind: 'constant' };
}

const CSHARP: HeadRules = {
  modifiers: words(
    'public private protected internal static sealed abstract partial readonly virtual override async unsafe extern new ref required file volatile',
  ),
  keywords: keywords({
    class: keyword('class', OUTSIDE),
    interface: keyword('interface', OUTSIDE),
    struct: keyword('struct', OUTSIDE),
    enum: keyword('enum', OUTSIDE),
    record: keyword('class', OUTSIDE, /\s+(?:class\s+|struct\s+)?(?<name>[A-Za-z_]\w*)/y),
    namespace: keyword('module', TOP, DOTTED),
    delegate: keyword('type', OUTSIDE, /\s+[\w<>[\],.?]+\s+(?<name>\w+)\s*[<(]/y),
    const: keyword('constant', SCOPE.member, CONSTANT),
  }),
  other: (line, at, place) =>
    staticReadonly(line, at, place) ?? methodAt(line, at, place, SCOPE.member | SCOPE.top | SCOPE.body),
};

function staticReadonly(line: string, at: number, place: Place): Found | undefined {
  const before = line.slice(place.indent, at);
  if (!before.includes('static') || !before.includes('readonly')) return undefined;
  const name = /^[\w<>[\],.?\s]*?\b([A-Za-z_]\w*)\s*=/.exec(line.slice(at, at + 300))?.[1];
  return name === undefined ? undefined : { name, kind: 'constant' };
}

const DART: HeadRules = {
  modifiers: words('abstract base sealed final static external late covariant factory const'),
  keywords: keywords({
    class: keyword('class', TOP),
    mixin: keyword('trait', TOP, /\s+(?:class\s+)?(?<name>\w+)/y),
    extension: keyword('impl', TOP, /\s+(?:type\s+)?(?:(?:const\s+)?(?<name>\w+))(?=[\s<(])/y),
    enum: keyword('enum', TOP),
    typedef: keyword('type', TOP, /\s+(?<name>\w+)/y),
  }),
  other: (line, at, place) =>
    accessorAt(line, at, place) ??
    dartConstant(line, at, place) ??
    methodAt(line, at, place, SCOPE.member | SCOPE.top),
};

function accessorAt(line: string, at: number, place: Place): Found | undefined {
  if ((place.scope & (SCOPE.member | SCOPE.top)) === 0) return undefined;
  const name = /^[\w<>,?.\s]*?\b(?:get|set|operator)\s+(\w+|[^\s\w(]{1,3})\s*(?:=>|\{|\(|async|$)/.exec(
    line.slice(at, at + 300),
  )?.[1];
  return name === undefined ? undefined : { name, kind: 'function' };
}

function dartConstant(line: string, at: number, place: Place): Found | undefined {
  if (place.scope !== SCOPE.top || !/^(?:const|final|late)\b/.test(line.slice(place.indent)))
    return undefined;
  const name = /^[\w<>,?.\s]*?\b(\w+)\s*=(?!=)/.exec(line.slice(at, at + 300))?.[1];
  return name === undefined ? undefined : { name, kind: 'constant' };
}

const KOTLIN: HeadRules = {
  modifiers: words(
    'public private protected internal open abstract final sealed data value inner override suspend inline noinline tailrec operator infix external lateinit expect actual annotation const',
  ),
  keywords: keywords({
    class: keyword('class'),
    interface: keyword('interface', ANYWHERE),
    fun: [
      keyword('interface', OUTSIDE, /\s+interface\s+(?<name>\w+)/y),
      keyword(
        'function',
        ANYWHERE,
        /\s+(?:<[^>]*>\s*)?(?:(?<container>[A-Za-z_]\w*)(?:<[^>]*>)?\??\.)?`?(?<name>[A-Za-z_][\w ]{0,80}?)`?\s*[(<]/y,
      ),
    ],
    enum: keyword('enum', OUTSIDE, /\s+class\s+(?<name>\w+)/y),
    object: keyword('class', OUTSIDE),
    companion: { kind: 'class', scopes: OUTSIDE, name: /\s+object\s*(?:\{|$|:)/y, called: 'Companion' },
    typealias: keyword('type', TOP),
    val: keyword('constant', TOP, /\s+(?:<[^>]*>\s*)?(?:[\w<>]+\.)?(?<name>\w+)\s*(?=[:=]|$)/y),
    var: keyword('variable', TOP),
  }),
  other: (line, at, place) => {
    if (place.scope !== SCOPE.member || !/\bconst\s/.test(line.slice(place.indent, at))) return undefined;
    const name = /^val\s+(\w+)/.exec(line.slice(at))?.[1];
    return name === undefined ? undefined : { name, kind: 'constant' };
  },
};

const SWIFT: HeadRules = {
  modifiers: words(
    'public private fileprivate internal open static final override mutating nonmutating required convenience lazy weak unowned indirect nonisolated async dynamic optional prefix postfix infix package isolated distributed consuming borrowing',
  ),
  keywords: keywords({
    class: [keyword('function', OUTSIDE, /\s+func\s+(?<name>\w+)/y), keyword('class', ANYWHERE)],
    struct: keyword('struct', ANYWHERE),
    enum: keyword('enum', ANYWHERE),
    actor: keyword('class', OUTSIDE),
    protocol: keyword('interface', OUTSIDE),
    extension: keyword('impl', OUTSIDE, DOTTED),
    func: keyword('function', ANYWHERE, /\s+`?(?<name>\w+|[^\s\w(]{1,4})`?\s*[(<]/y),
    init: { kind: 'function', scopes: SCOPE.member, name: /[?!]?\s*[(<]/y, called: 'init' },
    subscript: { kind: 'function', scopes: SCOPE.member, name: /\s*[(<]/y, called: 'subscript' },
    typealias: keyword('type', OUTSIDE),
    macro: keyword('macro', TOP),
    let: keyword('constant', TOP),
    var: keyword('variable', TOP),
  }),
};

const ANNOTATION = /^\s*@(?!interface\b)\w/;

export const JAVA_LIKE: BraceRules = { lex: JAVA_LEX, head: JAVA, decorator: ANNOTATION, newlineEnds: false };
export const GROOVY_LIKE: BraceRules = { ...JAVA_LIKE, newlineEnds: true };
export const CSHARP_LIKE: BraceRules = {
  lex: CSHARP_LEX,
  head: CSHARP,
  decorator: /^\s*\[/,
  newlineEnds: false,
  preprocessor: true,
};
export const DART_LIKE: BraceRules = { lex: DART_LEX, head: DART, decorator: ANNOTATION, newlineEnds: false };
export const KOTLIN_LIKE: BraceRules = {
  lex: KOTLIN_LEX,
  head: KOTLIN,
  decorator: ANNOTATION,
  newlineEnds: true,
};
export const SWIFT_LIKE: BraceRules = {
  lex: SWIFT_LEX,
  head: SWIFT,
  decorator: ANNOTATION,
  newlineEnds: true,
};

/** C#'s `@"…"`, over as many lines as it takes. */
function verbatim(line: string, at: number): Stretch | undefined {
  const before = line.slice(Math.max(0, at - 2), at);
  return before.endsWith('@') || before === '@$' ? { at: at + 1, until: '"', doubles: true } : undefined;
}

function swiftRaw(line: string, at: number): Stretch | undefined {
  const count = hashesBefore(line, at);
  if (count === 0) return undefined;
  const quote = line.startsWith('"""', at) ? '"""' : '"';
  return { at: at + quote.length, until: quote + '#'.repeat(count) };
}
