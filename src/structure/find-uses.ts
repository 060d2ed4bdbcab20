/** Who uses a definition: of the uses of its name, those that mean it. */
import type { Use } from '../languages/index.ts';
import type { OpenFile } from './project-facts.ts';
import type { Resolver } from './resolver.ts';
import { familyOf } from './families.ts';
import { type Defined, type Grade } from './targets.ts';

export interface FoundUse {
  readonly path: string;
  readonly use: Use;
  readonly grade: Grade;
  readonly file: OpenFile;
}

export interface FoundUses {
  readonly uses: readonly FoundUse[];
  /** A limit was reached: there may be more. */
  readonly isPartial: boolean;
}

const MOST_USES = 50_000;
const FEW = 4;

/** `targets` are one symbol: a definition and its overloads. */
export function findUses(resolver: Resolver, targets: readonly Defined[]): FoundUses {
  const [first] = targets;
  if (first === undefined) return { uses: [], isPartial: false };
  const meant = new Set(targets.map(({ definition }) => definition));
  const isMeant = ({ definition }: Defined): boolean => meant.has(definition);
  /** What may mean thousands is one list for all uses of the name. */
  const lists = new Map<readonly Defined[], boolean>();
  const isAmong = (definitions: readonly Defined[]): boolean => {
    if (definitions.length <= FEW) return definitions.some(isMeant);
    const known = lists.get(definitions) ?? definitions.some(isMeant);
    lists.set(definitions, known);
    return known;
  };
  const { uses, isPartial } = resolver.usesNamed(first.definition.name);
  const found: FoundUse[] = [];
  for (const { file, use, resolved } of uses) {
    if (resolved === undefined || !isAmong(resolved.definitions)) continue;
    if (found.length >= MOST_USES) return { uses: found, isPartial: true };
    // One of several overloads that take as many arguments. In C and C++ the others may be declarations of the same one.
    const isOneOf =
      resolved.grade === 'sure' &&
      familyOf(file.language) !== 'c' &&
      resolved.definitions.some((each) => isOverload(each) && !isMeant(each));
    found.push({ path: file.path, use, grade: isOneOf ? 'likely' : resolved.grade, file });
  }
  return { uses: found, isPartial };
}

function isOverload({ definition: { kind, arity } }: Defined): boolean {
  return arity !== undefined && (kind === 'method' || kind === 'function');
}
