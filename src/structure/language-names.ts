/** Names of languages that have rules of their own for them: paths, headers, what stands apart from its type. */
import { createCNames } from './c-names.ts';
import type { LanguageNames, NameParts } from './name-parts.ts';
import type { OpenFile } from './project-facts.ts';
import { createRustNames } from './rust-names.ts';
import { createSwiftNames } from './swift-names.ts';
import { familyOf } from './families.ts';

export function createLanguageNames(parts: NameParts): (file: OpenFile) => LanguageNames | undefined {
  const rust = createRustNames(parts);
  const c = createCNames(parts);
  const swift = createSwiftNames(parts);
  return ({ language }) => {
    switch (familyOf(language)) {
      case 'rust':
        return rust;
      case 'swift':
        return swift;
      case 'c':
        return c;
      default:
        return undefined;
    }
  };
}
