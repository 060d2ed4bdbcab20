/** How many requests one client may make: a bucket per client that fills with time. Pure but for its own table. */
import type { Clock } from '../core/index.ts';

export interface RateLimit {
  /** Undefined if the request may pass, else how many seconds to wait. */
  take(client: string): number | undefined;
}

const MAX_CLIENTS = 10_000;

export function createRateLimit(perMinute: number, clock: Clock): RateLimit {
  const buckets = new Map<string, { tokens: number; at: number }>();
  return {
    take(client) {
      const now = clock.elapsed();
      const bucket = buckets.get(client) ?? { tokens: perMinute, at: now };
      bucket.tokens = Math.min(perMinute, bucket.tokens + ((now - bucket.at) / 60_000) * perMinute);
      bucket.at = now;
      // Re-inserting keeps the table in order of use, so the cap drops whoever was quiet the longest.
      buckets.delete(client);
      buckets.set(client, bucket);
      if (buckets.size > MAX_CLIENTS) buckets.delete(buckets.keys().next().value ?? client);
      if (bucket.tokens < 1) return Math.max(1, Math.ceil(((1 - bucket.tokens) * 60) / perMinute));
      bucket.tokens -= 1;
      return undefined;
    },
  };
}
