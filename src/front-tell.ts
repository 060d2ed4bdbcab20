/** Wires how a process over stdio tells the pages of this user's servers of its calls. */
import { tellCalls, type ListingClient, type MadeCall } from './dashboard/index.ts';
import { pageAddress, postJson, systemIds, type NotedServer } from './platform/index.ts';

/** On this machine: longer only where it is very busy. */
const TELL_MS = 5_000;
const MOST_ANSWER_BYTES = 10_000;

/** A server that does not answer is passed over. */
export async function tellServers(
  servers: readonly NotedServer[],
  told: { readonly calls: readonly MadeCall[]; readonly listings: readonly ListingClient[] },
): Promise<void> {
  const post = async (url: string, body: object, key?: string): Promise<unknown> => {
    const asked = await postJson(url, {
      body,
      headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
      timeoutMs: TELL_MS,
      maxBytes: MOST_ANSWER_BYTES,
      signal: new AbortController().signal,
    });
    return asked.kind === 'answer' ? asked.body : undefined;
  };
  await Promise.all(
    servers.map(async (server) => {
      const door = { address: pageAddress(server), key: server.ui ?? '' };
      await tellCalls(door, told, { post, newSecret: () => systemIds.token(32) });
    }),
  );
}
