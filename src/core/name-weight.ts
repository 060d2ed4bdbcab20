/** How much it says that a file defines a name, in tenths: a class says more than a constant. */
import type { DefinitionKind } from './source-code.ts';

/** Languages whose modules are what classes are elsewhere. */
const MODULES_LIKE_CLASSES = new Set(['ruby', 'elixir']);

export function nameWeight(kind: DefinitionKind, language: string | undefined): number {
  switch (kind) {
    case 'class':
    case 'interface':
    case 'struct':
    case 'enum':
    case 'trait':
    case 'type':
      return 20;
    case 'module':
      return MODULES_LIKE_CLASSES.has(language ?? '') ? 20 : 4;
    case 'function':
    case 'method':
      return 10;
    case 'impl':
    case 'constant':
      return 5;
    case 'variable':
    case 'macro':
    case 'section':
      return 4;
  }
}
