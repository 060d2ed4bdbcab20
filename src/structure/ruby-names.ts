/** Ruby: constants by their full names (`A::B`), from the scopes around and then from ancestors; a type is all places that open it. */
import type { FactDefinition, Scope } from '../languages/index.ts';
import type { OpenFile, ProjectFacts } from './project-facts.ts';
import { type Defined, definesType } from './targets.ts';

/** A definition and the file it stands in. */
export interface Placed extends Defined {
  readonly file: OpenFile;
}

export interface RubyConstant {
  readonly full: string;
  readonly places: readonly Placed[];
}

export interface RubyNames {
  byFullName(full: string): RubyConstant | undefined;
  /** A constant as it is written in a scope. */
  lookUp(file: OpenFile, scope: Scope, written: string): RubyConstant | undefined;
  /** A constant of a type or of its ancestors. */
  inType(full: string, name: string): RubyConstant | undefined;
  /** The type itself, then what it includes and inherits from, nearest first. */
  ancestors(full: string): readonly string[];
  /** The full name of the type whose inside a scope is. */
  typeAround(scope: Scope): string | undefined;
}

const MOST_ANCESTORS = 500;
const MOST_PLACES = 2_000;

export function createRubyNames(project: ProjectFacts): RubyNames {
  const constants = new Map<string, RubyConstant | undefined>();
  const lines = new Map<string, readonly string[]>();
  const fulls = new WeakMap<FactDefinition, string>();

  function fullOf(definition: FactDefinition): string {
    const known = fulls.get(definition);
    if (known !== undefined) return known;
    const { ownerName, name, scope } = definition;
    const own = ownerName === undefined ? name : `${ownerName}::${name}`;
    const around = own.startsWith('::') ? undefined : typeAround(scope);
    const full = around === undefined ? own.replace(/^::/, '') : `${around}::${own}`;
    fulls.set(definition, full);
    return full;
  }

  function typeAround(scope: Scope): string | undefined {
    for (let at: Scope | undefined = scope; at !== undefined; at = at.parent)
      if (at.kind === 'class' && at.definition !== undefined) return fullOf(at.definition);
    return undefined;
  }

  function byFullName(full: string): RubyConstant | undefined {
    if (constants.has(full)) return constants.get(full);
    const name = full.slice(full.lastIndexOf(':') + 1);
    const places: Placed[] = [];
    for (const { path, language } of project.naming(name)) {
      const file = language === 'ruby' && places.length < MOST_PLACES ? project.open(path) : undefined;
      for (const definition of file?.facts.definitionsNamed(name) ?? [])
        if (file !== undefined && isConstant(definition) && fullOf(definition) === full)
          places.push({ path, definition, file });
    }
    const found = places.length === 0 ? undefined : { full, places };
    constants.set(full, found);
    return found;
  }

  function lookUp(file: OpenFile, scope: Scope, written: string): RubyConstant | undefined {
    const [head = '', ...rest] = written.replace(/^::/, '').split('::');
    let found = written.startsWith('::') ? byFullName(head) : inScopes(scope, head);
    for (const part of rest) found = found && inType(found.full, part);
    return found;
  }

  function inScopes(scope: Scope, name: string): RubyConstant | undefined {
    for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
      if (at.kind !== 'class' || at.definition === undefined) continue;
      const found = byFullName(`${fullOf(at.definition)}::${name}`);
      if (found !== undefined) return found;
    }
    const around = typeAround(scope);
    return (around === undefined ? undefined : inType(around, name)) ?? byFullName(name);
  }

  function inType(full: string, name: string): RubyConstant | undefined {
    for (const each of ancestors(full)) {
      const found = byFullName(`${each}::${name}`);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  function ancestors(full: string): readonly string[] {
    const known = lines.get(full);
    if (known !== undefined) return known;
    // A base may be looked for among the ancestors of what is around it: meanwhile there is the type alone.
    lines.set(full, [full]);
    const line = new Set([full]);
    for (const each of line) {
      if (line.size > MOST_ANCESTORS) break;
      for (const { definition, file } of byFullName(each)?.places ?? [])
        for (const base of definition.bases.toReversed()) {
          const found =
            base.kind === 'name' ? lookUp(file, definition.inner ?? definition.scope, base.name) : undefined;
          if (found !== undefined) line.add(found.full);
        }
    }
    lines.set(full, [...line]);
    return [...line];
  }

  return { byFullName, lookUp, inType, ancestors, typeAround };
}

/** Methods are no constants, though their names may look so. */
function isConstant(definition: FactDefinition): boolean {
  return definesType(definition) || definition.kind === 'value';
}
