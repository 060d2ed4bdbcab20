/** A model of a service that any test can follow, and the settings that choose it. */
import type { EmbeddingServer } from './embedding-server.ts';

export const KEY = 'sk-test-51H8aQz0987654321zyxwv';

/** What the service thinks: everything about money is on one axis, and so are words that no file holds. */
export function moneyModel(text: string): readonly number[] {
  const money = (text.match(/charge|zebra|支払い/gi) ?? []).length;
  const other = (text.match(/[aeiou]/g) ?? []).length;
  return [money * 10, 1, other / 100, text.length / 10_000];
}

export function settings(server: EmbeddingServer, more: Record<string, string> = {}): Record<string, string> {
  return {
    WAYMARK_ENCODER: 'http',
    WAYMARK_ENCODER_URL: `${server.url}/v1`,
    WAYMARK_ENCODER_MODEL: 'money-1',
    WAYMARK_ENCODER_KEY: KEY,
    ...more,
  };
}
