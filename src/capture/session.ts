/** A session as far as it matters here, whatever program kept it. */
export type Step =
  | { readonly kind: 'said'; readonly by: 'user' | 'agent'; readonly text: string }
  | {
      readonly kind: 'ran';
      readonly command: string;
      readonly output: string;
      /** Undefined where the transcript does not tell. */
      readonly failed: boolean | undefined;
    }
  | { readonly kind: 'edited'; readonly paths: readonly string[] }
  /** What a person chose of what a tool of the agent offered. */
  | { readonly kind: 'answered'; readonly question: string; readonly answer: string }
  /** The list of tasks as it stood then. */
  | { readonly kind: 'planned'; readonly open: readonly string[]; readonly done: readonly string[] };

export interface Session {
  readonly steps: readonly Step[];
  /** What the program itself says the session came to, if it does. */
  readonly summary: string | undefined;
}

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function textAt(value: unknown, ...path: readonly string[]): string {
  const found = path.reduce<unknown>((inner, key) => (isFields(inner) ? inner[key] : undefined), value);
  return typeof found === 'string' ? found : '';
}

export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = path.reduce<unknown>((inner, key) => (isFields(inner) ? inner[key] : undefined), value);
  return Array.isArray(found) ? found : [];
}

/** A program keeps text as it is, or as a list of parts. */
export function plainText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return textAt(content, 'text');
  return content
    .map((part: unknown) => (typeof part === 'string' ? part : textAt(part, 'text')))
    .filter((text) => text !== '')
    .join('\n');
}

/** Lines that are no JSON (the one that is being written, for one) are passed over. */
export function jsonLines(text: string): readonly Fields[] {
  return text.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return [];
    try {
      const value: unknown = JSON.parse(line);
      return isFields(value) ? [value] : [];
    } catch {
      return [];
    }
  });
}
