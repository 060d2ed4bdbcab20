/** Blocks that give members and bases to a type that stands elsewhere: `impl` of Rust, `extension` of Swift. Their `Self` is the type. */
import type { FactDefinition, Scope } from '../languages/index.ts';
import { attach, type LanguageNames, type NameParts } from './name-parts.ts';
import type { DefinitionTarget, Target } from './targets.ts';

const MOST_FILES = 2_000;

export function createTypeBlocks(
  language: string,
  { project, instanceOf }: Pick<NameParts, 'project' | 'instanceOf'>,
): Pick<LanguageNames, 'settle' | 'complete' | 'basesOf'> {
  const settled = new Set<string>();
  const completed = new Set<FactDefinition>();
  const bases = new Map<FactDefinition, Target[]>();

  const settle: LanguageNames['settle'] = (file) => {
    if (settled.has(file.path)) return;
    settled.add(file.path);
    const blocks = new Map<Scope, DefinitionTarget>();
    for (const scope of file.facts.scopes) {
      const self =
        scope.kind === 'class' && scope.definition === undefined ? scope.names.get('Self')?.type : undefined;
      if (self === undefined || scope.parent === undefined) continue;
      const owner = instanceOf(file, scope.parent, self);
      if (owner?.kind !== 'definition') continue;
      blocks.set(scope, owner);
      for (const [name, { type }] of scope.names) {
        const base = /^impl\d*$/.test(name) ? instanceOf(file, scope.parent, type) : undefined;
        if (base?.kind === 'definition')
          bases.set(owner.definition, [...(bases.get(owner.definition) ?? []), base]);
      }
    }
    for (const definition of file.facts.definitions) {
      const owner = blocks.get(definition.scope);
      if (owner !== undefined && definition.owner === undefined && definition.ownerName !== undefined)
        attach(owner.definition, definition);
    }
  };

  return {
    settle,
    complete(type) {
      if (completed.has(type)) return;
      completed.add(type);
      for (const { path, language: of } of project.naming(type.name).slice(0, MOST_FILES)) {
        const file = of === language ? project.open(path) : undefined;
        if (file?.facts.scopes.some((scope) => isFor(scope, type.name)) === true) settle(file);
      }
    },
    basesOf: (type) => bases.get(type) ?? [],
  };
}

function isFor({ kind, names }: Scope, name: string): boolean {
  const self = kind === 'class' ? names.get('Self')?.type : undefined;
  return self?.kind === 'type' && self.name === name;
}
