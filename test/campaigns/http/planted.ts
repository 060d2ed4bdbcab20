/** The one request that may answer with a 5xx: it reads a resource that crashes. */
import { modern, modernHeaders, rpc, type Message } from './messages.ts';

export const CRASH_URI = 'waymark://crash';

export function plantedCrash(era: 'legacy' | 'modern'): {
  readonly message: Message;
  readonly headers: Readonly<Record<string, string>>;
} {
  const message = rpc('planted', 'resources/read', { uri: CRASH_URI });
  if (era === 'legacy') return { message, headers: {} };
  return { message: modern(message), headers: modernHeaders(message) };
}
