/** A service that the user named judges how well texts answer a question. It is asked in a hurry; one that fails is no error. */
import type { Clock } from '../core/index.ts';
import { postJson } from '../platform/index.ts';
import { redactSecrets } from '../text/index.ts';
import { parseServiceUrl } from './endpoint.ts';
import { isSuccess, whyNot } from './http-encoder.ts';

export type RerankerApi = 'cohere' | 'tei';

/** The slice of the settings. */
export interface RerankerSettings {
  readonly rerankerUrl: string | undefined;
  readonly rerankerModel: string | undefined;
  readonly rerankerApi: RerankerApi;
  readonly rerankerKey: string | undefined;
}

export interface Reranker {
  /** What people know it by: its model, or its address. */
  readonly name: string;
  /** A score for each text, higher is better. The texts hold no secrets any more. */
  judge(question: string, texts: readonly string[]): Promise<Judged>;
}

export type Judged =
  | { readonly kind: 'scores'; readonly scores: readonly number[] }
  /** In a few words that go on from its name. */
  | { readonly kind: 'none'; readonly why: string };

export interface RerankerLimits {
  readonly askMs: number;
  /** After a question without an answer, the next ones do not wait for one. */
  readonly restMs: number;
}

export interface RerankerParts {
  /** Ends whatever is under way. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly limits?: Partial<RerankerLimits> | undefined;
}

const LIMITS: RerankerLimits = { askMs: 2_000, restMs: 10_000 };
const MOST_BYTES = 1024 * 1024;
const MOST_QUESTION_CHARS = 8_000;
/** The next page of an answer, or the same question again, is not asked for twice. */
const MOST_KEPT = 16;

/** Undefined where none is named. Throws `bad_config` for a service that must not be called. */
export function createReranker(settings: RerankerSettings, parts: RerankerParts): Reranker | undefined {
  const { rerankerUrl, rerankerModel, rerankerApi, rerankerKey } = settings;
  if (rerankerUrl === undefined) return undefined;
  const url = parseServiceUrl(rerankerUrl, { setting: 'rerankerUrl', keyVariable: 'WAYMARK_RERANKER_KEY' });
  const headers: Record<string, string> =
    rerankerKey === undefined ? {} : { authorization: `Bearer ${rerankerKey}` };
  const limits = { ...LIMITS, ...parts.limits };
  const kept = new Map<string, readonly number[]>();
  let restUntil = -Infinity;
  let why = '';

  async function ask(query: string, texts: readonly string[]): Promise<Judged> {
    const body =
      rerankerApi === 'tei'
        ? { query, texts, truncate: true }
        : { model: rerankerModel, query, documents: texts, top_n: texts.length, return_documents: false };
    const outcome = await postJson(`${url}/rerank`, {
      body,
      headers,
      timeoutMs: limits.askMs,
      maxBytes: MOST_BYTES,
      signal: parts.signal,
    }).catch(() => ({ kind: 'unreachable' }) as const);
    if (outcome.kind !== 'answer' || !isSuccess(outcome.status))
      return { kind: 'none', why: whyNot(outcome) };
    const scores = readScores(outcome.body, texts.length);
    return scores === undefined
      ? { kind: 'none', why: 'does not answer with one score for each text: check rerankerApi' }
      : { kind: 'scores', scores };
  }

  return {
    name: rerankerModel ?? url,
    async judge(question, texts) {
      const query = redactSecrets(question).text.slice(0, MOST_QUESTION_CHARS);
      const key = JSON.stringify([query, texts]);
      const known = kept.get(key);
      if (known !== undefined) return { kind: 'scores', scores: known };
      if (parts.clock.elapsed() < restUntil) return { kind: 'none', why };
      const judged = await ask(query, texts);
      if (judged.kind === 'none') {
        restUntil = parts.clock.elapsed() + limits.restMs;
        why = judged.why;
        return judged;
      }
      const [oldest] = kept.keys();
      if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest);
      kept.set(key, judged.scores);
      return judged;
    },
  };
}

/** `{results: [{index, relevance_score}]}` or `[{index, score}]`, in any order; undefined for anything that leaves a text out. */
function readScores(body: unknown, count: number): readonly number[] | undefined {
  const rows: unknown = Array.isArray(body) ? body : field(body, 'results');
  if (!Array.isArray(rows) || rows.length !== count) return undefined;
  const scores = new Map<number, number>();
  for (const row of rows) {
    const index = field(row, 'index');
    const score = field(row, 'relevance_score') ?? field(row, 'score');
    if (typeof index !== 'number' || typeof score !== 'number' || !Number.isFinite(score)) return undefined;
    if (!Number.isInteger(index) || index < 0 || index >= count) return undefined;
    scores.set(index, score);
  }
  if (scores.size !== count) return undefined;
  return Array.from({ length: count }, (_, at) => scores.get(at) ?? 0);
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return Reflect.get(value, name);
}
