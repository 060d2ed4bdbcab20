/** Every tool takes the project under three names; inside there is one. Pure. */

const NAMES = ['project', 'project_path', 'index_name'] as const;

export type TakenProject =
  | {
      readonly kind: 'args';
      readonly args: Readonly<Record<string, unknown>>;
      readonly project: string | undefined;
    }
  | { readonly kind: 'conflict'; readonly problem: string };

/** A slash at the end makes no other directory. */
function withoutSlash(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/(?<=[^\\/])[\\/]+$/, '') : value;
}

/** Null and empty text name nothing, as everywhere. Arguments that are no object are left for the tool's own schema to complain of. */
export function takeProjectArgument(given: unknown): TakenProject {
  const args = typeof given === 'object' && given !== null && !Array.isArray(given) ? { ...given } : {};
  const named = new Map<string, unknown>();
  for (const name of NAMES) {
    const value: unknown = Reflect.get(args, name);
    const isAbsent = value === undefined || value === null || value === '';
    if (!isAbsent) named.set(name, value);
    if (isAbsent || name !== 'project') Reflect.deleteProperty(args, name);
  }
  const values = [...new Map([...named.values()].map((value) => [withoutSlash(value), value])).values()];
  if (values.length > 1) {
    const names = [...named.keys()].map((name) => `\`${name}\``).join(' and ');
    return { kind: 'conflict', problem: `${names} name different projects; pass only \`project\`` };
  }
  const [project] = values;
  if (project === undefined) return { kind: 'args', args, project: undefined };
  return {
    kind: 'args',
    args: { ...args, project },
    project: typeof project === 'string' ? project : undefined,
  };
}
