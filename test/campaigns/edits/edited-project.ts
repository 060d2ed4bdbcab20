/** A project under random edits that remembers every version of every file, and when it was on disk. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { Random } from '../../support/random.ts';

interface Version {
  /** Nothing while the file is gone. */
  readonly lines: readonly string[] | undefined;
  readonly from: number;
  to: number;
}

export interface EditedProject {
  readonly paths: readonly string[];
  edit(): void;
  /** Whether these lines stood there at some moment in between; blanks around a line do not count. */
  held(
    path: string,
    startLine: number,
    lines: readonly string[],
    between: readonly [number, number],
  ): boolean;
  /** A word that only the present version of the file holds; nothing if it is gone. */
  markOf(path: string): string | undefined;
}

const NOUNS = [
  'cart',
  'session',
  'invoice',
  'payment',
  'router',
  'coupon',
  'ledger',
  'parcel',
  'basket',
  'refund',
];
const VERBS = [
  'open',
  'close',
  'expire',
  'retry',
  'charge',
  'render',
  'collect',
  'verify',
  'archive',
  'merge',
];
export const WORDS: readonly string[] = [...NOUNS, ...VERBS];

export function createEditedProject(root: string, files: number, random: Random): EditedProject {
  const paths = Array.from(
    { length: files },
    (_, at) => `src/part-${at % 7}/${NOUNS[at % NOUNS.length]}-${at}.ts`,
  );
  const versions = new Map<string, Version[]>();
  let marks = 0;
  const present = (path: string): Version | undefined => versions.get(path)?.at(-1);

  const record = (path: string, lines: readonly string[] | undefined, change: () => void): void => {
    const known = versions.get(path) ?? [];
    const from = performance.now();
    change();
    const last = known.at(-1);
    // While the change went on, either may have been read.
    if (last !== undefined) last.to = performance.now();
    known.push({ lines, from, to: Number.POSITIVE_INFINITY });
    versions.set(path, known);
  };
  const write = (path: string, lines: readonly string[]): void => {
    const absPath = join(root, path);
    const text = `${lines.join('\n')}\n`;
    mkdirSync(dirname(absPath), { recursive: true });
    record(path, lines, () => {
      // As editors do: some in place, some beside it and then over it.
      if (random.below(2) === 0) writeFileSync(absPath, text);
      else {
        writeFileSync(`${absPath}.tmp~`, text);
        renameSync(`${absPath}.tmp~`, absPath);
      }
    });
  };
  const pick = (list: readonly string[]): string => list[random.below(list.length)] ?? '';
  const definition = (): string[] => {
    const name = `${pick(VERBS)}${pick(NOUNS)}${random.below(1_000)}`;
    const body = Array.from(
      { length: 1 + random.below(12) },
      () => `  ${pick(VERBS)}(${pick(NOUNS)}, ${random.below(10_000)});`,
    );
    return [
      `/** Makes the ${pick(NOUNS)} ${pick(VERBS)}. */`,
      `export function ${name}(): void {`,
      ...body,
      '}',
      '',
    ];
  };
  const fresh = (): string[] => [
    `// mark zq${marks++}qz`,
    ...Array.from({ length: 1 + random.below(5) }, definition).flat(),
  ];
  const change = (lines: readonly string[]): string[] => {
    const at = 1 + random.below(Math.max(1, lines.length - 1));
    const marked = [`// mark zq${marks++}qz`, ...lines.slice(1)];
    switch (random.below(4)) {
      case 0:
        return [...marked.slice(0, at), ...definition(), ...marked.slice(at)];
      case 1:
        return [...marked.slice(0, at), ...marked.slice(at + 1 + random.below(8))];
      case 2:
        return [...marked.slice(0, at), `// ${pick(NOUNS)} ${random.below(10_000)}`, ...marked.slice(at)];
      default:
        return fresh();
    }
  };
  for (const path of paths) write(path, fresh());

  return {
    paths,
    edit() {
      const path = pick(paths);
      const lines = present(path)?.lines;
      if (lines === undefined) write(path, fresh());
      else if (random.below(12) === 0) record(path, undefined, () => rmSync(join(root, path)));
      else write(path, change(lines));
    },
    held(path, startLine, lines, [asked, answered]) {
      return (versions.get(path) ?? []).some(
        (version) =>
          version.from <= answered &&
          version.to >= asked &&
          version.lines !== undefined &&
          lines.every((line, at) => version.lines?.[startLine - 1 + at] === line),
      );
    },
    markOf: (path) => /zq\d+qz/.exec(present(path)?.lines?.[0] ?? '')?.[0],
  };
}
