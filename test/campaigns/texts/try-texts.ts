/** Many texts as queries: none is an error, and none finds nothing because of its signs. */
import { parseQuery } from '../../../src/search/index.ts';
import { createTexts, type TextKind } from './random-texts.ts';

export interface TextReport {
  readonly asked: Readonly<Partial<Record<TextKind, number>>>;
  /** Nothing was found, as was asked for: all of it is syntax that stays strict. */
  readonly strict: number;
  readonly findings: readonly string[];
  readonly slowestMs: number;
}

export interface TryOptions {
  /** What is wrong with the answer: `empty`, or an error's message; undefined if it found something. */
  readonly ask: (text: string) => Promise<string | undefined>;
  readonly count: number;
  readonly seed: number;
  readonly sources: readonly string[];
}

export async function tryTexts({ ask, count, seed, sources }: TryOptions): Promise<TextReport> {
  const next = createTexts(seed, sources);
  const asked: Partial<Record<TextKind, number>> = {};
  const findings: string[] = [];
  let strict = 0;
  let slowestMs = 0;
  for (let at = 0; at < count; at++) {
    const one = next();
    asked[one.kind] = (asked[one.kind] ?? 0) + 1;
    const started = performance.now();
    const outcome = await ask(one.text);
    slowestMs = Math.max(slowestMs, performance.now() - started);
    if (outcome === undefined) continue;
    if (outcome === 'empty' && isStrict(one.text)) strict += 1;
    else
      findings.push(
        `seed ${seed}, text ${at}, ${one.kind}: ${outcome}: ${JSON.stringify(one.text.slice(0, 300))}`,
      );
  }
  return { asked, strict, findings, slowestMs };
}

/** Filters that are valid, text that is all in quotes, and expressions ask whether something is there. */
function isStrict(text: string): boolean {
  const { filters, phrases, pattern, isPasted } = parseQuery(text);
  if (isPasted) return false;
  const { changed, branch, ...lists } = filters;
  return (
    changed ||
    branch !== undefined ||
    pattern !== undefined ||
    phrases.length > 0 ||
    Object.values(lists).some(({ length }) => length > 0)
  );
}
