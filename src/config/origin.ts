/** Where a value came from: kept with every value, so that `config show` and errors can say whom to ask. */

export type Origin =
  | { readonly kind: 'flag'; readonly flag: string }
  | { readonly kind: 'env'; readonly name: string }
  | { readonly kind: 'project_file'; readonly file: string; readonly line: number }
  | { readonly kind: 'user_file'; readonly file: string; readonly line: number }
  | { readonly kind: 'default' };

/** Strongest first. */
export const PRECEDENCE = [
  'flag',
  'env',
  'project_file',
  'user_file',
  'default',
] as const satisfies readonly Origin['kind'][];

export function outranks(a: Origin, b: Origin): boolean {
  return PRECEDENCE.indexOf(a.kind) < PRECEDENCE.indexOf(b.kind);
}

export function renderOrigin(origin: Origin): string {
  switch (origin.kind) {
    case 'flag':
      return origin.flag;
    case 'env':
      return origin.name;
    case 'project_file':
    case 'user_file':
      return `${origin.file}:${origin.line}`;
    case 'default':
      return 'default';
  }
}
