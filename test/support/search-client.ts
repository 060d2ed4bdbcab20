/** A client of a real server, and what its searches answer. */
import {
  addressFor,
  CLIENT_KINDS,
  isStdio,
  openClient,
  type CallAnswer,
  type ClientKind,
  type OpenClient,
  type Roots,
} from './clients.ts';
import { afterAll, beforeAll } from 'vitest';
import { searchShop } from './search-shop.ts';
import { collectEnds, type OnEnd, type TempFolder } from './temp-folder.ts';
import { emptyHome, serve, type Home } from './waymark.ts';

/** One of each SDK over each transport. */
export const SEARCH_CLIENTS: readonly ClientKind[] = CLIENT_KINDS.filter(
  (kind) => kind !== 'HTTP, version 2, legacy',
);

export interface ConnectOptions {
  readonly home?: Home;
  readonly args?: readonly string[];
  readonly cwd: string;
  readonly roots?: Roots;
  readonly onEnd?: OnEnd;
}

export async function connect(
  kind: ClientKind,
  { home, args = [], cwd, ...more }: ConnectOptions,
): Promise<OpenClient> {
  const { env } = home ?? emptyHome(more.onEnd);
  if (isStdio(kind)) return openClient({ kind, args, env, cwd, ...more });
  const { url } = await serve(['--project-from-cwd', ...args], { ...more, env, cwd });
  return openClient({ kind, url: addressFor(kind, url), ...more });
}

/** One client for the tests of a file that only ask, in a shop that stays as it is. */
export function shareReader(kind: ClientKind = 'stdio, version 2, modern'): {
  readonly shop: TempFolder;
  call: OpenClient['call'];
} {
  const { onEnd, end } = collectEnds();
  const shop = searchShop(onEnd);
  let client: OpenClient | undefined;
  beforeAll(async () => {
    client = await connect(kind, { cwd: shop.path, onEnd });
  });
  afterAll(end);
  return {
    shop,
    call(...args) {
      if (client === undefined) throw new Error('asked before the tests of the file began');
      return client.call(...args);
    },
  };
}

export interface FoundHit {
  readonly path: string;
  readonly project?: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly symbol?: string;
  readonly score: number;
  readonly why: readonly string[];
}

export function hitsOf({ structured }: CallAnswer): readonly FoundHit[] {
  // The tool's output schema says so, and the client has checked it.
  return (structured['hits'] ?? []) as readonly FoundHit[];
}

export function pathsOf(answer: CallAnswer): readonly string[] {
  return hitsOf(answer).map(({ path }) => path);
}

export function cursorOf({ structured }: CallAnswer): string | undefined {
  const cursor = structured['next_cursor'];
  return typeof cursor === 'string' ? cursor : undefined;
}
