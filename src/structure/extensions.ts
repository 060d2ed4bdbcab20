/** Methods that are called on a type without being its members: extension methods, by the type that they name. */
import type { FactDefinition } from '../languages/index.ts';
import type { OpenFile, ProjectFacts } from './project-facts.ts';
import { familyOf } from './families.ts';
import { type DefinitionTarget, type Target } from './targets.ts';
import { sharesNames, type Wanted } from './wanted.ts';

export interface Extensions {
  /** Those that extend the type of a value, or one of its bases; of a value of a library's or an unknown type, all of the name. */
  extending(
    file: OpenFile,
    value: Target | undefined,
    name: string,
    wanted?: Wanted,
  ): DefinitionTarget | undefined;
}

const MOST_BASES = 50;

export function createExtensions(
  project: ProjectFacts,
  basesOf: (definition: FactDefinition) => readonly Target[],
  settle: (file: OpenFile) => void,
): Extensions {
  const byName = new Map<string, readonly FactDefinition[]>();

  function named(family: string, name: string): readonly FactDefinition[] {
    const key = `${family} ${name}`;
    const known = byName.get(key);
    if (known !== undefined) return known;
    const found: FactDefinition[] = [];
    for (const { path, language } of project.naming(name)) {
      if (familyOf(language) !== family) continue;
      const file = project.open(path);
      const own = file?.facts.definitionsNamed(name).filter((each) => each.ownerName !== undefined);
      if (file === undefined || own === undefined || own.length === 0) continue;
      // Swift: what extends a type of the project is a member of it, which is found by the type.
      if (family === 'swift') settle(file);
      found.push(...own.filter((each) => family !== 'swift' || each.owner === undefined));
    }
    byName.set(key, found);
    return found;
  }

  /** Names of a type and of what it inherits from. */
  function namesOf(value: DefinitionTarget): Set<string> {
    const names = new Set<string>();
    const open: Target[] = [value];
    for (let at = open.pop(); at !== undefined && names.size < MOST_BASES; at = open.pop()) {
      if (at.kind !== 'definition' || names.has(at.definition.name)) continue;
      for (const definition of at.all) {
        names.add(definition.name);
        for (const base of definition.bases) if (base.kind === 'name') names.add(base.name);
        open.push(...basesOf(definition));
      }
    }
    return names;
  }

  return {
    extending(file, value, name, wanted) {
      if (!sharesNames(file.language)) return undefined;
      const all = named(familyOf(file.language), name);
      if (all.length === 0) return undefined;
      const names = value?.kind === 'definition' ? namesOf(value) : undefined;
      // Of a type parameter it extends anything.
      const fitting = all.filter(
        (each) =>
          (names === undefined || each.ownerName === '' || names.has(each.ownerName ?? '')) &&
          wanted?.fits(each) !== false,
      );
      const [definition] = fitting;
      const home = definition && project.homeOf(definition);
      return home && { kind: 'definition', definition, all: fitting, file: home };
    },
  };
}
