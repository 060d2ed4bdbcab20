/** How far work is, in words. */
import type { Freshness, IndexState } from '../indexing/index.ts';
import { escapeControl } from '../text/index.ts';

/** `34 %, 20 s left`; only what is known. */
export function renderProgress(percent: number | undefined, etaMs: number | undefined): string {
  const parts = [
    percent === undefined ? undefined : `${percent} %`,
    etaMs === undefined ? undefined : `${renderDuration(etaMs)} left`,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? 'counting' : parts.join(', ');
}

export function renderDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  const seconds = Math.round(ms / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

/** The line every answer from the index carries. */
export function renderFreshness(freshness: Freshness | IndexState): string {
  switch (freshness.state) {
    case 'fresh':
      return 'index: fresh';
    case 'indexed':
      return 'index: ready';
    case 'missing':
      return 'index: none yet';
    case 'stale':
      return `index: may be stale (${escapeControl(freshness.why)})`;
    case 'updating': {
      const { percent, etaMs, operationId } = freshness;
      if (operationId === undefined) return 'index: updating in another process';
      const follow = `project_status with operation_id=${JSON.stringify(operationId)} follows it`;
      return `index: updating (${renderProgress(percent, etaMs)}); ${follow}`;
    }
  }
}

/** The same for a program. */
export function toFreshnessValue(freshness: Freshness | IndexState): {
  state: string;
  why?: string;
  percent?: number;
  eta_ms?: number;
  operation_id?: string;
} {
  if (freshness.state === 'stale') return { state: 'stale', why: freshness.why };
  if (freshness.state !== 'updating') return { state: freshness.state };
  const { percent, etaMs, operationId } = freshness;
  return {
    state: 'updating',
    ...(percent === undefined ? {} : { percent }),
    ...(etaMs === undefined ? {} : { eta_ms: etaMs }),
    ...(operationId === undefined ? {} : { operation_id: operationId }),
  };
}
