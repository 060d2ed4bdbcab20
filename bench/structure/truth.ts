/** The truth about references: precise sets of uses, made by compilers and indexers, in the files of `--truth DIR`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Place {
  readonly file: string;
  readonly line: number;
}

export interface TrueUse extends Place {
  readonly kind: string;
  /** The definition around it. */
  readonly in: string;
}

export interface SampledSymbol {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly defs: readonly Place[];
  readonly refs: readonly TrueUse[];
  readonly neutral?: readonly string[];
}

export interface FileOfTruth {
  readonly path: string;
  /** Kind, name, first and last line, and that of the name where it is known. */
  readonly defs: readonly (readonly [string, string, number, number, number?])[];
  /** Line, column, name, and the kind where it is known. */
  readonly uses: readonly (readonly [number, number, string, string?])[];
}

export interface Truth {
  readonly name: string;
  readonly sample: readonly SampledSymbol[];
  readonly files: ReadonlyMap<string, FileOfTruth>;
  /** `line:column` of every use that the precise indexer resolved, by file. */
  readonly resolved: ReadonlyMap<string, ReadonlySet<string>>;
  readonly imports: Readonly<Record<string, readonly string[]>> | undefined;
}

export function namesOfTruth(folder: string): string[] {
  return readdirSync(join(folder, 'gt')).flatMap((file) => /^(.+)\.sample\.json$/.exec(file)?.[1] ?? []);
}

export function readTruth(folder: string, name: string): Truth {
  // The format is that of the folder; a file of another one fails here or in the score.
  const read = <T>(file: string): T => JSON.parse(readFileSync(join(folder, file), 'utf8')) as T;
  const lines = readFileSync(join(folder, 'facts', `${name}.jsonl`), 'utf8')
    .trim()
    .split('\n');
  // As above.
  const files = lines.map((line) => JSON.parse(line) as FileOfTruth);
  const resolved = read<Record<string, string[]>>(`gt/${name}.resolved.json`);
  const imports = `gt/${name}.deps.json`;
  return {
    name,
    sample: read<SampledSymbol[]>(`gt/${name}.sample.json`),
    files: new Map(files.map((file) => [file.path, file])),
    resolved: new Map(Object.entries(resolved).map(([path, places]) => [path, new Set(places)])),
    imports: existsSync(join(folder, imports)) ? read<Record<string, string[]>>(imports) : undefined,
  };
}
