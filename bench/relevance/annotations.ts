/** Labelled questions about repositories: what is asked, and which files answer it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Target {
  readonly path: string;
  readonly start: number | null;
  readonly end: number | null;
}

export interface Task {
  readonly query: string;
  readonly category: string;
  readonly relevant: readonly Target[];
}

export interface Annotated {
  readonly name: string;
  readonly language: string;
  /** The folder to index; empty means the whole repository. */
  readonly indexRoot: string;
  readonly tasks: readonly Task[];
}

export function readAnnotations(folder: string): Annotated[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => {
      // The benchmark's own files, made for this reader.
      const raw = JSON.parse(readFileSync(join(folder, name), 'utf8')) as {
        language: string;
        index_root: string | null;
        tasks: Task[];
      };
      return {
        name: name.slice(0, -5),
        language: raw.language,
        indexRoot: raw.index_root ?? '',
        tasks: raw.tasks,
      };
    });
}
