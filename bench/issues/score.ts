/** How well a ranked answer localises a fix: files, functions, and what is read until a changed line is seen. */
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import type { Definition } from '../../src/core/index.ts';
import { renderHit, type Hit } from '../../src/search/index.ts';
import type { IssueTask } from './tasks.ts';

export const FILE_DEPTHS = [1, 3, 5, 10] as const;
export const FUNCTION_DEPTHS = [1, 5, 10] as const;
export const TOKENS = 2_000;

/** Whether all of them stand within the first `depth`. */
export function allWithin<T>(ranked: readonly T[], gold: readonly T[], depth: number): boolean {
  const first = new Set(ranked.slice(0, depth));
  return gold.every((one) => first.has(one));
}

export function reciprocalRank<T>(ranked: readonly T[], gold: readonly T[]): number {
  const at = ranked.findIndex((one) => gold.includes(one));
  return at < 0 ? 0 : 1 / (at + 1);
}

/** Definitions by path. */
export type Outlines = ReadonlyMap<string, readonly Definition[]>;

/** Functions and methods alone, as papers count: heads of classes and constants are no function. */
export function callablesOf(outlines: Outlines): Outlines {
  return new Map(
    [...outlines].map(([path, all]) => [
      path,
      all.filter(({ kind }) => kind === 'function' || kind === 'method'),
    ]),
  );
}

/** The smallest definition around each changed line, once. */
export function goldFunctions({ gold_lines = {} }: IssueTask, outlines: Outlines): string[] {
  const names = Object.entries(gold_lines).flatMap(([path, ranges]) =>
    ranges.flatMap(([from, to]) =>
      Array.from({ length: Math.min(2_000, to - from + 1) }, (_, at) => from + at).flatMap((line) =>
        functionAt(path, line, outlines),
      ),
    ),
  );
  return [...new Set(names)];
}

/** A hit's own definition first, then those that its shown lines belong to. */
export function shownFunctions(hits: readonly Hit[], outlines: Outlines): string[] {
  const names = hits.flatMap(({ path, startLine, endLine, definition }) => {
    const own = (outlines.get(path) ?? []).find(
      (one) => one.name === definition?.name && one.startLine <= endLine && one.endLine >= startLine,
    );
    const lines = Array.from({ length: endLine - startLine + 1 }, (_, at) => startLine + at);
    return [
      ...(own === undefined ? [] : [nameOf(path, own)]),
      ...lines.flatMap((line) => functionAt(path, line, outlines)),
    ];
  });
  return [...new Set(names)];
}

const nameOf = (path: string, { name, startLine }: Definition): string => `${path}#${name}@${startLine}`;

function functionAt(path: string, line: number, outlines: Outlines): string[] {
  let best: Definition | undefined;
  for (const one of outlines.get(path) ?? []) {
    if (one.startLine > line || one.endLine < line) continue;
    if (best === undefined || one.endLine - one.startLine <= best.endLine - best.startLine) best = one;
  }
  return best === undefined ? [] : [nameOf(path, best)];
}

/** Tokens of the answer up to the end of the first hit that shows a changed line; Infinity if none does. */
export function tokensToGold(hits: readonly Hit[], { gold_lines = {} }: IssueTask): number {
  let used = 0;
  for (const hit of hits) {
    used += encode(`${renderHit(hit)}\n\n`).length;
    const isGold = (gold_lines[hit.path] ?? []).some(
      ([from, to]) => from <= hit.endLine && to >= hit.startLine,
    );
    if (isGold) return used;
  }
  return Infinity;
}
