/** Vectors by a service that the user named: many texts at a time for the index, one in a hurry for a question. */
import { setTimeout as delay } from 'node:timers/promises';
import { AppError, type Clock } from '../core/index.ts';
import { postJson, type PostOutcome } from '../platform/index.ts';
import { redactSecrets } from '../text/index.ts';
import { readVectors, toRequest } from './embedding-api.ts';
import { earlierEndpoint, modelId, type Endpoint } from './endpoint.ts';
import { retryDelayMs } from './retry-delay.ts';
import { normalize } from './normalize.ts';

export interface HttpEncoder {
  /** Stored with its vectors. */
  readonly id: string;
  /** As the service knows it. */
  readonly model: string;
  readonly url: string;
  /** Of unit length, in the order of the texts, which hold no secrets any more. Throws when the service does not do it. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]>;
  /** For a question, which waits; a service that fails is no error then. */
  ask(text: string): Promise<AskedVector>;
  /** The same service with the model that made vectors of this id; undefined for any other. */
  earlier(id: string): HttpEncoder | undefined;
}

export type AskedVector =
  | { readonly kind: 'vector'; readonly vector: Float32Array }
  /** In a few words that go on from its name. */
  | { readonly kind: 'none'; readonly why: string };

export interface HttpEncoderParts {
  readonly endpoint: Endpoint;
  /** Never logged, never stored. */
  readonly key: string | undefined;
  /** Ends whatever is under way. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly limits?: Partial<HttpLimits>;
}

export interface HttpLimits {
  readonly batchTexts: number;
  readonly batchMs: number;
  readonly attempts: number;
  readonly askMs: number;
  /** After a question without an answer, the next ones do not wait for one. */
  readonly restMs: number;
}

const LIMITS: HttpLimits = { batchTexts: 32, batchMs: 60_000, attempts: 5, askMs: 2_000, restMs: 10_000 };
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_QUESTION_CHARS = 8_000;
const MOST_ASKED = 64;
const TOO_LARGE = 413;
/** A text that is refused though it is shorter is refused for another reason. */
const SHORTEST_CUT = 400;

/** Of a question's vector; indexing says it in full. */
export const NO_FIT =
  'gave no vector that fits: set encoderDimensions to what the model gives, or index again with `waymark clear`';

type BatchOutcome =
  | { readonly kind: 'vectors'; readonly vectors: readonly Float32Array[] }
  /** For this service, not only for these texts. */
  | { readonly kind: 'too_slow' }
  | { readonly kind: 'too_much' };

export function createHttpEncoder(parts: HttpEncoderParts): HttpEncoder {
  const { endpoint, key, clock } = parts;
  const limits = { ...LIMITS, ...parts.limits };
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const asked = new Map<string, Promise<AskedVector>>();
  let { dimensions } = endpoint;
  let batchTexts = limits.batchTexts;
  let hasWorked = false;
  let restUntil = -Infinity;
  let why = '';

  const post = (texts: readonly string[], timeoutMs: number, signal: AbortSignal): Promise<PostOutcome> => {
    const { url, body } = toRequest(endpoint, texts);
    return postJson(url, { body, headers, timeoutMs, maxBytes: MOST_BYTES, signal });
  };

  const accept = (body: unknown, count: number): readonly Float32Array[] => {
    const vectors = readVectors(endpoint, body, count);
    if (vectors === undefined)
      throw refused(
        endpoint,
        'does not answer with one vector for each text',
        'Check encoderUrl and encoderApi.',
      );
    for (const vector of vectors) {
      dimensions ??= vector.length;
      if (vector.length !== dimensions) throw wrongDimensions(endpoint, vector.length, dimensions);
      normalize(vector);
    }
    return vectors;
  };

  async function embedBatch(texts: readonly string[], signal: AbortSignal): Promise<BatchOutcome> {
    for (let attempt = 0; ; attempt++) {
      const outcome = await post(texts, limits.batchMs, signal);
      const status = outcome.kind === 'answer' ? outcome.status : undefined;
      if (outcome.kind === 'answer' && isSuccess(outcome.status)) {
        const vectors = accept(outcome.body, texts.length);
        hasWorked = true;
        return { kind: 'vectors', vectors };
      }
      if (outcome.kind === 'timed_out' && texts.length > 1) return { kind: 'too_slow' };
      // Where other texts were taken, it is not the settings: there are too many, or one is longer than the model takes.
      const isTooMuch = status === TOO_LARGE || (hasWorked && (status === 400 || status === 422));
      const mayShrink = texts.length > 1 || texts.some(({ length }) => length > SHORTEST_CUT);
      if (isTooMuch && mayShrink) return { kind: 'too_much' };
      if (status !== undefined && !isPassing(status)) throw refusedWith(endpoint, status);
      const retryAfter = outcome.kind === 'answer' ? outcome.retryAfter : undefined;
      const waitMs = retryDelayMs({ attempt, retryAfter, now: clock.now() });
      if (attempt + 1 >= limits.attempts || waitMs === undefined)
        throw unavailable(endpoint, whyNot(outcome));
      await delay(waitMs, undefined, { signal });
    }
  }

  async function askNow(text: string): Promise<AskedVector> {
    try {
      const outcome = await post([text], limits.askMs, parts.signal);
      if (outcome.kind !== 'answer' || !isSuccess(outcome.status))
        return { kind: 'none', why: whyNot(outcome) };
      const [vector] = accept(outcome.body, 1);
      return vector === undefined ? { kind: 'none', why: 'gave no vector' } : { kind: 'vector', vector };
    } catch (thrown) {
      if (parts.signal.aborted) return { kind: 'none', why: 'was stopped' };
      if (thrown instanceof AppError && thrown.facts.fault !== 'bug') return { kind: 'none', why: NO_FIT };
      throw thrown;
    }
  }

  return {
    id: modelId(endpoint),
    model: endpoint.model,
    url: endpoint.url,
    async embed(given, signal) {
      const texts = [...given];
      const vectors: Float32Array[] = [];
      let size = batchTexts;
      while (vectors.length < texts.length) {
        const batch = texts.slice(vectors.length, vectors.length + size);
        const made = await embedBatch(batch, signal);
        const half = Math.ceil(batch.length / 2);
        if (made.kind === 'vectors') {
          vectors.push(...made.vectors);
          size = batchTexts;
        } else if (made.kind === 'too_slow') size = batchTexts = half;
        else if (batch.length > 1) size = half;
        else texts[vectors.length] = firstHalf(batch[0] ?? '');
      }
      return vectors;
    },
    ask(question) {
      const text = redactSecrets(question).text.slice(0, MOST_QUESTION_CHARS);
      const known = asked.get(text);
      if (known !== undefined) return known;
      if (clock.elapsed() < restUntil) return Promise.resolve({ kind: 'none', why });
      const answer = askNow(text).then((found) => {
        if (found.kind === 'vector') return found;
        asked.delete(text);
        restUntil = clock.elapsed() + limits.restMs;
        why = found.why;
        return found;
      });
      const [oldest] = asked.keys();
      if (asked.size >= MOST_ASKED && oldest !== undefined) asked.delete(oldest);
      asked.set(text, answer);
      return answer;
    },
    earlier(id) {
      const before = id === modelId(endpoint) ? undefined : earlierEndpoint(id, endpoint);
      return before === undefined ? undefined : createHttpEncoder({ ...parts, endpoint: before });
    },
  };
}

/** Its beginning says most; a pair of code units stays together. */
function firstHalf(text: string): string {
  return text.slice(0, Math.ceil(text.length / 2)).replace(/[\uD800-\uDBFF]$/, '');
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function isPassing(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

export function whyNot(outcome: PostOutcome): string {
  switch (outcome.kind) {
    case 'answer':
      return `answered with status ${outcome.status}`;
    case 'timed_out':
      return 'did not answer in time';
    case 'unreachable':
      return 'could not be reached';
  }
}

function unavailable({ url }: Endpoint, what: string): AppError {
  return new AppError('encoder_unavailable', `The encoder at ${url} ${what}.`, {
    hint: 'Search goes on with the vectors that are there. See to the service; `waymark doctor` tries it.',
  });
}

function refused({ url }: Endpoint, what: string, hint: string): AppError {
  return new AppError('encoder_refused', `The encoder at ${url} ${what}.`, { hint });
}

function refusedWith(endpoint: Endpoint, status: number): AppError {
  const hint =
    status === 401 || status === 403
      ? 'Set the key in WAYMARK_ENCODER_KEY or as encoderKey in your own config file.'
      : `Check encoderUrl, encoderApi and encoderModel: does the service have the model ${endpoint.model}?`;
  return refused(endpoint, `answers with status ${status}`, hint);
}

export function wrongDimensions(
  { url, model }: Pick<Endpoint, 'url' | 'model'>,
  found: number,
  expected: number,
): AppError {
  return new AppError(
    'encoder_refused',
    `The encoder at ${url} gives vectors of ${found} numbers by ${model} where ${expected} are expected.`,
    {
      hint: `Set encoderDimensions (WAYMARK_ENCODER_DIMENSIONS) to ${found}, if that is what the model gives; the index then gets new vectors. If another model was put behind its name, run \`waymark clear\`, then \`waymark index\`.`,
    },
  );
}
