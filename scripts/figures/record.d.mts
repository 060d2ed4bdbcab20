/** The types of record.mjs, for TypeScript. */
export function readPrinted(text: string): {
  readonly lines: readonly string[];
  readonly tables: readonly {
    readonly head: readonly string[];
    readonly rows: readonly (readonly string[])[];
  }[];
};
export function describeCommand(script: string | undefined, args: readonly string[]): string;
