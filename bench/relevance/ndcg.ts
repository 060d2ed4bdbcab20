/** NDCG@10 with binary relevance: a target's rank is the first of ten results that shows it. */
import type { Target } from './annotations.ts';

export interface Shown {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
}

const DEPTH = 10;

export function isSamePath(a: string, b: string): boolean {
  return a === b || a.endsWith(`/${b}`) || b.endsWith(`/${a}`);
}

export function shows(result: Shown, target: Target): boolean {
  if (!isSamePath(result.path, target.path)) return false;
  if (target.start === null || target.end === null) return true;
  return result.endLine >= target.start && result.startLine <= target.end;
}

export function ndcg(results: readonly Shown[], targets: readonly Target[]): number {
  const gains = new Set<number>();
  for (const target of targets) {
    const rank = results.slice(0, DEPTH).findIndex((result) => shows(result, target));
    if (rank >= 0) gains.add(rank);
  }
  const ideal = Math.min(DEPTH, targets.length);
  return sum([...gains].map(discount)) / sum(Array.from({ length: ideal }, (_, rank) => discount(rank)));
}

function discount(rank: number): number {
  return 1 / Math.log2(rank + 2);
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : sum(values) / values.length;
}
