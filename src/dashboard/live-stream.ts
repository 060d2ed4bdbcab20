/** The live screen's stream: every tick tells what came, as much as a reader can take, and counts the rest. */
import type { Clock } from '../core/index.ts';
import type { Engine } from '../engine/index.ts';
import { EVENT_STREAM_HEADERS, keepAlive, type Reply, type StreamSink } from '../transport/index.ts';
import type { LiveEvent, LiveTotals, SeriesPoint } from './api.ts';
import { toCallRow, type CallLog, type NotedCall } from './call-log.ts';

const TICK_MS = 500;
const KEEP_ALIVE_MS = 15_000;
const MOST_ROWS_PER_TICK = 40;
const MOST_ROWS_FIRST = 200;
const MOST_STREAMS = 20;
const SERIES_STEP_MS = 5_000;
const SERIES_POINTS = 60;
/** Of source code, about. */
const BYTES_PER_TOKEN = 3.6;
const SIZES_KEPT_MS = 5 * 60_000;
const MOST_ROOTS = 8;

export interface LiveStream {
  open(): Reply;
  close(): void;
}

export interface LiveStreamParts {
  readonly log: CallLog;
  readonly engine: Pick<Engine, 'fileSizes'>;
  readonly clock: Clock;
}

export function createLiveStream({ log, engine, clock }: LiveStreamParts): LiveStream {
  const sinks = new Set<StreamSink>();
  const sizesOf = createSizes(engine, clock);
  const seen = new Map<number, { readonly tokens: number; readonly fileTokens: number }>();
  let timer: NodeJS.Timeout | undefined;
  let told = 0;
  let isTelling = false;
  let retellAt = 0;

  const rowsOf = async (calls: readonly NotedCall[]) =>
    Promise.all(
      calls.map(async (call) => {
        const row = toCallRow(call, await sizesOf(call));
        seen.set(row.id, { tokens: row.tokens, fileTokens: row.fileTokens ?? 0 });
        return row;
      }),
    );
  const totals = (): LiveTotals => {
    const kept = log.after(0);
    const first = kept[0]?.id ?? 0;
    for (const id of seen.keys()) if (id < first) seen.delete(id);
    let [tokens, fileTokens] = [0, 0];
    for (const each of seen.values())
      if (each.fileTokens > 0) [tokens, fileTokens] = [tokens + each.tokens, fileTokens + each.fileTokens];
    return { ...log.counts(), tokens, fileTokens, series: toSeries(kept, clock.now()) };
  };
  const tell = async (): Promise<void> => {
    const calls = log.after(told);
    // Time goes on without calls too: what was asked five minutes ago leaves the chart.
    const isIdle = calls.length === 0;
    if (isTelling || (isIdle && clock.now() < retellAt)) return;
    retellAt = clock.now() + SERIES_STEP_MS;
    const last = log.after(0).at(-1)?.at ?? 0;
    if (isIdle && last < clock.now() - (SERIES_POINTS + 1) * SERIES_STEP_MS) return;
    isTelling = true;
    told = calls.at(-1)?.id ?? told;
    try {
      const rows = await rowsOf(calls.slice(-MOST_ROWS_PER_TICK));
      const text = toEvent({ calls: rows, unlisted: calls.length - rows.length, totals: totals() });
      for (const sink of sinks) sink.write(text);
    } finally {
      isTelling = false;
    }
  };
  const leave = (sink: StreamSink): void => {
    sinks.delete(sink);
    if (sinks.size === 0 && timer !== undefined) {
      clearInterval(timer);
      timer = undefined;
    }
  };
  return {
    open: () => ({
      kind: 'stream',
      status: 200,
      headers: { ...EVENT_STREAM_HEADERS, 'Cache-Control': 'no-store' },
      start(sink) {
        const [oldest] = sinks;
        if (sinks.size >= MOST_STREAMS && oldest !== undefined) {
          leave(oldest);
          oldest.end();
        }
        const quiet = keepAlive(sink, KEEP_ALIVE_MS);
        const kept = log.after(0).slice(-MOST_ROWS_FIRST);
        if (sinks.size === 0) told = kept.at(-1)?.id ?? 0;
        sinks.add(sink);
        void rowsOf(kept)
          .then((calls) => sink.write(toEvent({ calls, unlisted: 0, totals: totals() })))
          .catch(() => sink.end());
        // A tick that fails has told nothing; the next one tells what came since.
        timer ??= setInterval(() => void tell().catch(() => {}), TICK_MS).unref();
        return () => {
          quiet();
          leave(sink);
        };
      },
    }),
    close() {
      for (const sink of sinks) {
        leave(sink);
        sink.end();
      }
    },
  };
}

function toEvent(event: LiveEvent): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}

function toSeries(calls: readonly NotedCall[], now: number): readonly SeriesPoint[] {
  const end = Math.floor(now / SERIES_STEP_MS) * SERIES_STEP_MS;
  const start = end - (SERIES_POINTS - 1) * SERIES_STEP_MS;
  const times = Array.from({ length: SERIES_POINTS }, (): number[] => []);
  for (const { at, ms } of calls) times[Math.floor((at - start) / SERIES_STEP_MS)]?.push(ms);
  return times.map((each, step) => {
    const sorted = each.toSorted((a, b) => a - b);
    const at = (share: number): number | null =>
      sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? null;
    return { at: start + step * SERIES_STEP_MS, calls: each.length, p50: at(0.5), p95: at(0.95) };
  });
}

/** Tokens of the files that a call showed. What an index says of sizes is asked once in a while: nothing is read for it. */
function createSizes(engine: Pick<Engine, 'fileSizes'>, clock: Clock) {
  const kept = new Map<
    string,
    { readonly at: number; readonly sizes: Promise<ReadonlyMap<string, number>> }
  >();
  return async ({ root, paths }: NotedCall): Promise<number | undefined> => {
    if (root === undefined || paths === undefined || paths.length === 0) return undefined;
    let known = kept.get(root);
    if (known === undefined || clock.elapsed() - known.at > SIZES_KEPT_MS) {
      const sizes = engine.fileSizes({ root }).then(
        (files) => new Map(files),
        () => new Map<string, number>(),
      );
      known = { at: clock.elapsed(), sizes };
      kept.set(root, known);
      const [oldest] = kept.keys();
      if (kept.size > MOST_ROOTS && oldest !== undefined) kept.delete(oldest);
    }
    const sizes = await known.sizes;
    const bytes = [...new Set(paths)].reduce((sum, path) => sum + (sizes.get(path) ?? 0), 0);
    return bytes === 0 ? undefined : Math.round(bytes / BYTES_PER_TOKEN);
  };
}
