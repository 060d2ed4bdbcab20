/**
 * C and C++: a name means what the file or the headers that it includes declare, and what is linked to that: a prototype and the
 * function with its body are one symbol. Methods may stand out of their class, in any file.
 */
import type { FactDefinition, Scope } from '../languages/index.ts';
import { attach, type LanguageNames, type NameParts } from './name-parts.ts';
import type { OpenFile } from './project-facts.ts';
import { familyOf } from './families.ts';
import { definesType, type DefinitionTarget, type Found, type Target } from './targets.ts';

interface Candidate {
  readonly definition: FactDefinition;
  readonly file: OpenFile;
  readonly isLinked: boolean;
  /** The namespaces that it is in, as a path. */
  readonly namespace: string;
}

const MOST_INCLUDED = 3_000;
const MOST_CANDIDATES = 500;
const MOST_FILES = 2_000;

export function createCNames({ project, memberOf, instanceOf }: NameParts): LanguageNames {
  const closures = new Map<string, ReadonlySet<string>>();
  const linked = new WeakMap<OpenFile, ReadonlySet<string>>();
  const candidates = new Map<string, readonly Candidate[]>();
  const found = new Map<string, DefinitionTarget | undefined>();
  const settled = new Set<string>();
  const completed = new Set<FactDefinition>();

  /** A file and all that it includes, through others. */
  function included(from: OpenFile): ReadonlySet<string> {
    const known = closures.get(from.path);
    if (known !== undefined) return known;
    const all = new Set([from.path]);
    for (const path of all) {
      const file = project.open(path);
      for (const { specifier } of file?.facts.imports ?? [])
        for (const other of file === undefined
          ? []
          : project.imports(file, { specifier, names: [], line: 1 }))
          if (all.size < MOST_INCLUDED) all.add(other);
    }
    closures.set(from.path, all);
    return all;
  }

  function isLinked(file: OpenFile, name: string): boolean {
    let names = linked.get(file);
    if (names === undefined) {
      names = new Set(file.facts.exports.flatMap((each) => (each.kind === 'local' ? [each.local] : [])));
      linked.set(file, names);
    }
    return names.has(name);
  }

  function allNamed(name: string, isTag: boolean): readonly Candidate[] {
    const key = `${isTag} ${name}`;
    const known = candidates.get(key);
    if (known !== undefined) return known;
    const all: Candidate[] = [];
    for (const { path, language } of project.naming(name)) {
      const file =
        familyOf(language) === 'c' && all.length < MOST_CANDIDATES ? project.open(path) : undefined;
      for (const definition of file?.facts.definitionsNamed(name) ?? [])
        if (file !== undefined && isOuter(definition) && fits(definition, isTag))
          all.push({
            definition,
            file,
            isLinked: isLinked(file, name),
            namespace: namespaceOf(definition.scope),
          });
    }
    candidates.set(key, all);
    return all;
  }

  /** What a file sees under a name, with what is linked to it. */
  function visible(
    file: OpenFile,
    name: string,
    isTag: boolean,
    around: string,
  ): DefinitionTarget | undefined {
    const key = `${file.path}\0${isTag}\0${around}\0${name}`;
    if (found.has(key)) return found.get(key);
    const all = allNamed(name, isTag);
    const seen = all.length === 0 ? [] : seenFrom(file, nearestNamespace(all, around));
    const target = toTarget(isTag ? [...seen, ...hidden(seen, all, file)] : seen, file);
    found.set(key, target);
    return target;
  }

  function seenFrom(file: OpenFile, all: readonly Candidate[]): readonly Candidate[] {
    const files = included(file);
    const seen = all.filter((each) => files.has(each.file.path));
    const own = seen.filter((each) => each.file === file);
    // A static function, or a macro of the file itself.
    if (own.length > 0 && !own.some((each) => each.isLinked || definesType(each.definition))) return own;
    const outside = all.filter((each) => each.isLinked && !files.has(each.file.path));
    // An include that was not found, or stands in a macro.
    if (seen.length === 0) return outside.length > 0 ? nearest(outside, file) : ofOneHeader(all);
    return seen.some((each) => each.isLinked) ? [...seen, ...nearest(outside, file)] : seen;
  }

  /** `struct name;` in a header, and what is in it in a file that includes the header. */
  function hidden(
    seen: readonly Candidate[],
    all: readonly Candidate[],
    file: OpenFile,
  ): readonly Candidate[] {
    if (seen.some(hasBody)) return [];
    const bodies = all.filter(hasBody);
    const including = bodies.filter((each) => included(each.file).has(file.path));
    return including.length > 0 || bodies.length > 1 ? including : bodies;
  }

  /** In a namespace: wherever it is declared. */
  function inNamespace(namespace: string, name: string, file: OpenFile): DefinitionTarget | undefined {
    const all = allNamed(name, false);
    const within = (fits: (candidate: Candidate) => boolean): DefinitionTarget | undefined =>
      toTarget(all.filter(fits), file);
    return (
      within((each) => each.namespace === namespace) ??
      within(
        (each) => each.namespace.endsWith(`::${namespace}`) || each.namespace.startsWith(`${namespace}::`),
      ) ??
      // A macro may have opened the namespace.
      within((each) => each.namespace === '')
    );
  }

  function lookUp(file: OpenFile, scope: Scope, name: string): Found | undefined {
    const target = (of: Target | undefined): Found | undefined => of && { kind: 'target', target: of };
    if (name === 'struct') return target({ kind: 'module', path: file.path });
    if (name.includes('::')) return target(byPath(file, scope, name));
    for (
      let at: Scope | undefined = scope;
      at !== undefined && at.kind !== 'file' && at.kind !== 'namespace';
      at = at.parent
    ) {
      const binding = at.names.get(name);
      if (binding !== undefined && !isOuterScope(at)) return { kind: 'binding', binding };
      const owner = at.kind === 'class' ? ownerOf(file, at) : undefined;
      if (owner === undefined) continue;
      if (owner.definition.name === name) return target(owner);
      const member = memberOf(owner, name);
      // A constructor has the name of its class.
      const isMaker = member?.kind === 'definition' && member.definition.owner?.name === name;
      if (member !== undefined && !isMaker) return target(member);
    }
    return target(visible(file, name, false, namespaceOf(scope)));
  }

  /** The class that a scope is inside of, also that of a method which stands apart. */
  function ownerOf(file: OpenFile, scope: Scope): DefinitionTarget | undefined {
    const { definition, parent } = scope;
    if (definition !== undefined) return { kind: 'definition', definition, all: [definition], file };
    const self = parent && instanceOf(file, parent, scope.names.get('Self')?.type);
    return self?.kind === 'definition' ? self : undefined;
  }

  function byPath(file: OpenFile, scope: Scope, path: string): Target | undefined {
    const [first = '', ...rest] = path.split('::').filter((part) => part !== '');
    const head = lookUp(file, scope, first);
    let at: Target | undefined = head?.kind === 'target' ? head.target : undefined;
    const [definition] = head?.kind === 'binding' ? head.binding.definitions : [];
    if (definition !== undefined) at = { kind: 'definition', definition, all: [definition], file };
    for (const part of rest) at = at && memberOf(at, part);
    return at;
  }

  function settle(file: OpenFile): void {
    if (settled.has(file.path)) return;
    settled.add(file.path);
    for (const definition of file.facts.definitions) {
      const { ownerName, owner, scope } = definition;
      if (ownerName === undefined || owner !== undefined) continue;
      const self = scope.names.get('Self')?.type;
      const type =
        self === undefined || scope.parent === undefined
          ? visible(file, ownerName, false, namespaceOf(scope))
          : instanceOf(file, scope.parent, self);
      if (type?.kind === 'definition' && type.definition.kind !== 'module')
        attach(type.definition, definition);
    }
  }

  return {
    lookUp,
    imported: () => undefined,
    exported(file, inner, name) {
      if (inner === undefined) return undefined;
      // What is asked for as `struct name` is asked of the file.
      return inner.parent === undefined
        ? visible(file, name, true, '')
        : inNamespace(namespaceOf(inner), name, file);
    },
    settle,
    complete(type) {
      if (completed.has(type)) return;
      completed.add(type);
      for (const { path, language } of project.naming(type.name).slice(0, MOST_FILES)) {
        const file = familyOf(language) === 'c' ? project.open(path) : undefined;
        if (file?.facts.definitions.some(({ ownerName }) => ownerName === type.name) === true) settle(file);
      }
    },
    basesOf: () => [],
  };
}

function isOuterScope({ kind }: Scope): boolean {
  return kind === 'file' || kind === 'namespace';
}

function isOuter({ scope, owner, ownerName, kind }: FactDefinition): boolean {
  // Constants of an enum are names of what is around it.
  const isFree =
    (owner === undefined && ownerName === undefined) || (owner?.kind === 'enum' && kind === 'value');
  return isFree && isOuterScope(scope) && scope.names.size > 0;
}

/** In C a tag is meant with its keyword only; in C++ it is a name like others. */
function fits(definition: FactDefinition, isTag: boolean): boolean {
  const { kind, name, scope } = definition;
  const isType = kind === 'class' || kind === 'enum';
  return isTag ? isType : !isType || scope.names.get(name)?.definitions.includes(definition) === true;
}

function namespaceOf(scope: Scope): string {
  const names: string[] = [];
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent)
    if (at.kind === 'namespace' && at.definition !== undefined) names.unshift(at.definition.name);
  return names.join('::');
}

/** Those of the namespaces around, the innermost first; else all, for `using` may name any. */
function nearestNamespace(all: readonly Candidate[], around: string): readonly Candidate[] {
  for (let at = around; ; at = at.slice(0, Math.max(0, at.lastIndexOf('::')))) {
    const here = all.filter((each) => each.namespace === at);
    if (here.length > 0) return here;
    if (at === '') return all;
  }
}

/** What one header alone has. */
function ofOneHeader(all: readonly Candidate[]): readonly Candidate[] {
  const inHeaders = all.filter(({ file }) => /\.(?:h|hh|hpp|hxx|inc|inl|ipp)$/.test(file.path));
  return new Set(inHeaders.map(({ file }) => file.path)).size === 1 ? inHeaders : [];
}

function hasBody({ definition: { members } }: Candidate): boolean {
  return members.size > 0;
}

/** Several files may define one name, for several systems: those that are nearest to the file that asks. */
function nearest(all: readonly Candidate[], { path }: OpenFile): readonly Candidate[] {
  const bodies = all.filter(({ definition }) => definition.endLine > definition.startLine);
  if (bodies.length < 2) return all;
  const shared = (other: string): number => {
    let at = 0;
    while (at < path.length && path[at] === other[at]) at++;
    return path.slice(0, at).split('/').length;
  };
  const most = Math.max(...bodies.map(({ file }) => shared(file.path)));
  return all.filter((each) => !bodies.includes(each) || shared(each.file.path) === most);
}

function toTarget(all: readonly Candidate[], { path }: OpenFile): DefinitionTarget | undefined {
  const weight = ({ definition: { members, aliases, endLine, startLine }, file }: Candidate): number =>
    (members.size > 0 || aliases.length > 0 ? 4 : 0) +
    (file.path === path ? 2 : 0) +
    (endLine > startLine ? 1 : 0);
  const [best, ...others] = all.toSorted((a, b) => weight(b) - weight(a));
  if (best === undefined) return undefined;
  // What is of another kind is another symbol.
  const isSame = ({ definition: { kind } }: Candidate): boolean =>
    (kind === 'module') === (best.definition.kind === 'module');
  return {
    kind: 'definition',
    definition: best.definition,
    all: [best, ...others.filter(isSame)].map(({ definition }) => definition),
    file: best.file,
  };
}
