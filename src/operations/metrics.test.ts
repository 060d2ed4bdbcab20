import { expect, test } from 'vitest';
import { LOCAL_PRINCIPAL } from '../core/index.ts';
import { createMetrics } from './metrics.ts';

function open() {
  let elapsed = 0;
  const now = 1_800_000_000_000;
  const hours = (count: number) => ({ usedAt: now - count * 3_600_000, sizeBytes: 100 });
  const metrics = createMetrics({
    version: '1.2.3',
    clock: { now: () => now, elapsed: () => elapsed },
    residentMb: () => 2,
    sessions: () => 7,
    indexes: async () => [hours(0.5), hours(5), hours(6), hours(100), hours(5_000)],
  });
  const call = (tool: string, ms: number, isError?: boolean) => {
    const ended = metrics.observe({
      tool,
      args: { query: 'said "by\n a client' },
      client: 'a client',
      transport: 'http',
      principal: LOCAL_PRINCIPAL,
      writes: false,
    });
    elapsed += ms;
    ended({
      answer: { text: 'a text', structured: {}, ...(isError === true ? { isError } : {}) },
      detection: undefined,
    });
  };
  return { metrics, call };
}

const linesWith = (text: string, name: string): readonly string[] =>
  text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));

test('R165 calls are counted by tool and outcome, and their times fall into growing buckets', async () => {
  const { metrics, call } = open();
  call('search_code', 8);
  call('search_code', 60, true);
  call('outline', 200_000);

  const text = await metrics.render();

  expect(linesWith(text, 'waymark_tool_calls_total')).toEqual([
    'waymark_tool_calls_total{tool="search_code",outcome="ok"} 1',
    'waymark_tool_calls_total{tool="search_code",outcome="failed"} 1',
    'waymark_tool_calls_total{tool="outline",outcome="ok"} 1',
  ]);
  const buckets = linesWith(text, 'waymark_tool_call_duration_seconds_bucket');
  expect(
    buckets.filter((line) => line.includes('search_code')).map((line) => Number(line.split(' ')[1])),
  ).toEqual([1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2]);
  expect(buckets.at(-1)).toBe('waymark_tool_call_duration_seconds_bucket{tool="outline",le="+Inf"} 1');
  expect(linesWith(text, 'waymark_tool_call_duration_seconds_sum')[0]).toMatch(
    /\{tool="search_code"\} 0\.068$/,
  );
});

test('R165 indexes are counted by when they were last used, beside sessions, answers and memory', async () => {
  const { metrics } = open();
  metrics.answered(200);
  metrics.answered(200);
  metrics.answered(401);

  const text = await metrics.render();

  expect(linesWith(text, 'waymark_indexes').map((line) => line.slice('waymark_indexes'.length))).toEqual([
    '{within="hour"} 1',
    '{within="day"} 2',
    '{within="week"} 1',
    '{within="month"} 0',
    '{within="longer"} 1',
  ]);
  expect(linesWith(text, 'waymark_http_answers_total').map((line) => line.split(' ')[1])).toEqual(['2', '1']);
  expect(text).toContain('\nwaymark_index_bytes 500\n');
  expect(text).toContain('\nwaymark_sessions 7\n');
  expect(text).toContain('\nwaymark_memory_resident_bytes 2097152\n');
});

test('R165 every line has the form that Prometheus reads, and nothing that a caller said', async () => {
  const { metrics, call } = open();
  call('search_code', 1);

  const text = await metrics.render();

  const form =
    /^(?:# (?:HELP|TYPE) waymark_\w+ .+|waymark_\w+(?:\{\w+="[^"\n]*"(?:,\w+="[^"\n]*")*\})? [\d.]+)$/;
  expect(
    text
      .trimEnd()
      .split('\n')
      .filter((line) => !form.test(line)),
  ).toEqual([]);
  expect(text).not.toMatch(/a client|said/);
});
