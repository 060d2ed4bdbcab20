/**
 * Calls of one process of the user, shown by the page of another: a client over stdio has a server of its own, and its calls are to be
 * seen all the same. They go to this user's servers alone: what listens at an address proves first that it has the key in its note.
 */
import { createHmac } from 'node:crypto';
import * as z from 'zod';
import { LOCAL_PRINCIPAL } from '../core/index.ts';
import type { StartedCall } from '../tools/index.ts';
import { toCallNote, toSources, type MadeCall } from './call-note.ts';
import type { CallLog, ToldCall } from './call-log.ts';

/** A page's address, with its slash, and the key in the note of its server. */
export interface PageDoor {
  readonly address: string;
  readonly key: string;
}

export type ListingClient = Pick<StartedCall, 'client' | 'transport'>;

export interface Told {
  readonly calls: readonly MadeCall[];
  readonly listings: readonly ListingClient[];
}

export interface TellParts {
  /** The answer, if there was one. */
  readonly post: (url: string, body: object, key?: string) => Promise<unknown>;
  readonly newSecret: () => string;
}

/** A body has to stay below what a server reads, in bytes and in elements. */
const MOST_CALLS = 20;
const MOST_CHARS = 500_000;

export async function tellCalls(
  { address, key }: PageDoor,
  { calls, listings }: Told,
  { post, newSecret }: TellParts,
): Promise<void> {
  const nonce = newSecret();
  const proof: unknown = await post(`${address}api/proof`, { nonce });
  if (Reflect.get(Object(proof), 'proof') !== proveKey(key, nonce)) return;
  const told = calls.flatMap((made): ToldCall[] => {
    const note = toCallNote(made);
    const reports = made.ended.detection?.reports;
    return note === undefined ? [] : [{ ...note, sources: reports && toSources(reports) }];
  });
  const names = listings.map(({ client, transport }) => ({ client, transport }));
  let [some, chars]: [ToldCall[], number] = [[], 0];
  for (const call of told) {
    const size = JSON.stringify(call).length;
    if (some.length === MOST_CALLS || (some.length > 0 && chars + size > MOST_CHARS)) {
      await post(`${address}api/calls`, { calls: some, listings: [] }, key);
      [some, chars] = [[], 0];
    }
    some.push(call);
    chars += size;
  }
  await post(`${address}api/calls`, { calls: some, listings: names }, key);
}

/** Nothing else is made of the key in this way. */
export function proveKey(key: string, nonce: string): string {
  return createHmac('sha256', key).update(`waymark page ${nonce}`).digest('base64url');
}

const NAME = z.string().max(500);
const PATH = z.string().max(8_192);
const COUNT = z.number().finite().min(0);
const TEXT = z.string().max(1_000_000);
const CLIENT = z.object({ client: NAME, transport: z.enum(['stdio', 'http']) });
const SOURCE = z.object({
  source: NAME,
  outcome: NAME,
  path: PATH.nullable(),
  why: z.string().max(10_000),
});
const TOLD = z.object({
  calls: z.array(
    CLIENT.extend({
      at: COUNT,
      ms: COUNT,
      tool: NAME,
      args: z.unknown(),
      root: PATH.optional(),
      text: TEXT.optional(),
      paths: z.array(PATH).max(1_000).optional(),
      isError: z.boolean(),
      sources: z.array(SOURCE).max(20).optional(),
    }),
  ),
  listings: z.array(CLIENT).max(200),
});
export const NONCE = z.object({ nonce: z.string().min(16).max(200) });

/** False if it is not what another process of this program tells. */
export function noteTold(log: CallLog, body: object): boolean {
  const read = TOLD.safeParse(body);
  if (!read.success) return false;
  log.told(
    read.data.calls.map(({ root, text, paths, sources, ...call }) => ({
      ...call,
      root,
      text,
      paths,
      sources,
    })),
  );
  for (const client of read.data.listings) log.listing({ ...client, principal: LOCAL_PRINCIPAL });
  return true;
}
