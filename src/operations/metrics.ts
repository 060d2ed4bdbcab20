/** Figures in Prometheus' text format. Labels are words of ours: no project, person or tenant is in them. */
import type { Clock } from '../core/index.ts';
import type { CallObserver } from '../tools/index.ts';
import { outcomeOf } from './observed-calls.ts';

/** When an index was last used, in milliseconds since the epoch, and its size. */
interface IndexFacts {
  readonly usedAt: number;
  readonly sizeBytes: number;
}

export interface MetricsParts {
  readonly version: string;
  readonly clock: Clock;
  readonly residentMb: () => number;
  readonly sessions: () => number;
  readonly indexes: () => Promise<readonly IndexFacts[]>;
}

export interface Metrics {
  readonly observe: CallObserver['call'];
  /** Told of every answer to a request. */
  answered(status: number): void;
  render(): Promise<string>;
}

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [labels: Labels, value: number];

/** Seconds: a warm search takes hundredths, a first index minutes. */
const BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120];
const DAY_MS = 24 * 3_600_000;
const AGES = [
  ['hour', DAY_MS / 24],
  ['day', DAY_MS],
  ['week', 7 * DAY_MS],
  ['month', 30 * DAY_MS],
] as const;

interface Duration {
  readonly counts: number[];
  sum: number;
}

export function createMetrics(parts: MetricsParts): Metrics {
  const { clock, version } = parts;
  const startedAt = clock.now();
  const calls = new Map<string, { readonly labels: Labels; count: number }>();
  const durations = new Map<string, Duration>();
  const answers = new Map<string, number>();
  let running = 0;

  const count = (tool: string, outcome: string): void => {
    const key = `${tool} ${outcome}`;
    const entry = calls.get(key) ?? { labels: { tool, outcome }, count: 0 };
    entry.count += 1;
    calls.set(key, entry);
  };
  const time = (tool: string, seconds: number): void => {
    const entry = durations.get(tool) ?? {
      counts: Array.from({ length: BUCKETS.length + 1 }, () => 0),
      sum: 0,
    };
    const at = BUCKETS.findIndex((most) => seconds <= most);
    const bucket = at === -1 ? BUCKETS.length : at;
    entry.counts[bucket] = (entry.counts[bucket] ?? 0) + 1;
    entry.sum += seconds;
    durations.set(tool, entry);
  };

  return {
    observe({ tool }) {
      const started = clock.elapsed();
      running += 1;
      return (end) => {
        running -= 1;
        count(tool, outcomeOf(end));
        time(tool, (clock.elapsed() - started) / 1000);
      };
    },
    answered(status) {
      answers.set(String(status), (answers.get(String(status)) ?? 0) + 1);
    },
    async render() {
      const indexes = await parts.indexes();
      const bytes = indexes.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
      return [
        family('waymark_info', 'gauge', 'The version that runs.', [[{ version }, 1]]),
        family('waymark_start_time_seconds', 'gauge', 'When it started, since the epoch.', [
          [{}, Math.round(startedAt / 1000)],
        ]),
        family('waymark_memory_resident_bytes', 'gauge', 'Memory of the process.', [
          [{}, Math.round(parts.residentMb() * 1024 * 1024)],
        ]),
        family(
          'waymark_tool_calls_total',
          'counter',
          'Calls of tools that have ended.',
          [...calls.values()].map((entry) => [entry.labels, entry.count] as const),
        ),
        renderDurations(durations),
        family('waymark_tool_calls_running', 'gauge', 'Calls that run or wait for their turn.', [
          [{}, running],
        ]),
        family(
          'waymark_http_answers_total',
          'counter',
          'Answers to HTTP requests by status.',
          [...answers].map(([status, value]) => [{ status }, value] as const),
        ),
        family('waymark_sessions', 'gauge', 'Sessions and streams of clients.', [[{}, parts.sessions()]]),
        family(
          'waymark_indexes',
          'gauge',
          'Indexes by when they were last used.',
          byAge(indexes, clock.now()),
        ),
        family('waymark_index_bytes', 'gauge', 'Size of all indexes on disk.', [[{}, bytes]]),
      ].join('');
    },
  };
}

/** Each index counts once, in the narrowest span that holds it. */
function byAge(indexes: readonly IndexFacts[], now: number): readonly Sample[] {
  const ageOf = ({ usedAt }: IndexFacts): string =>
    AGES.find(([, most]) => now - usedAt <= most)?.[0] ?? 'longer';
  const ages = indexes.map(ageOf);
  return [...AGES.map(([name]) => name), 'longer'].map((within) => [
    { within },
    ages.filter((age) => age === within).length,
  ]);
}

function family(name: string, type: string, help: string, samples: readonly Sample[]): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${samples.map((sample) => line(name, sample)).join('')}`;
}

function renderDurations(durations: ReadonlyMap<string, Duration>): string {
  const name = 'waymark_tool_call_duration_seconds';
  const lines = [...durations].map(([tool, { counts, sum }]) => {
    let total = 0;
    const buckets = [...BUCKETS.map(String), '+Inf'].map((le, at) => {
      total += counts[at] ?? 0;
      return line(`${name}_bucket`, [{ tool, le }, total]);
    });
    return [...buckets, line(`${name}_sum`, [{ tool }, sum]), line(`${name}_count`, [{ tool }, total])].join(
      '',
    );
  });
  return family(name, 'histogram', 'How long calls of tools take.', []) + lines.join('');
}

function line(name: string, [labels, value]: Sample): string {
  const written = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`);
  return `${name}${written.length === 0 ? '' : `{${written.join(',')}}`} ${value}\n`;
}

function escapeLabel(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
