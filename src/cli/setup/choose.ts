/** What setup is to do: for which clients, and what is written into their files. */
import {
  CLIENTS,
  copyPlace,
  findSign,
  isTemporaryInstall,
  makePermanentCopy,
  scriptInCopy,
  stableNodePath,
  TOKEN_VARIABLE,
  type Client,
  type Connection,
  type Places,
  type Scope,
} from '../../clients/index.ts';
import { AppError } from '../../core/index.ts';
import { realPath, systemIds } from '../../platform/index.ts';
import { nearest } from '../../text/index.ts';
import type { CommandContext, OptionValues } from '../command.ts';
import { shortPath } from '../look/paths.ts';

export interface Choice {
  /** The clients that were named; all that are found if there are none. */
  readonly words: readonly string[];
  readonly except: readonly string[];
  readonly scope: Scope;
}

export function chooseClients({ words, except, scope }: Choice, places: Places): readonly Client[] {
  const leftOut = except.map(clientNamed);
  const chosen =
    words.length > 0
      ? words.map(clientNamed)
      : CLIENTS.filter(
          (client) =>
            findSign(client, places) !== undefined &&
            (scope === 'user' ? client.userFiles : client.projectFiles) !== undefined,
        );
  return chosen.filter((client) => !leftOut.includes(client));
}

/** Separated by commas or blanks. */
export function wordsIn(list: string | undefined): readonly string[] {
  return (list ?? '').split(/[\s,]+/).filter(Boolean);
}

/** Which of the clients an answer means: numbers from 1, ids or names; undefined if it means none. */
export function pickClients(answer: string, clients: readonly Client[]): readonly Client[] | undefined {
  if (['', 'y', 'yes', 'all'].includes(answer)) return clients;
  if (['n', 'no', 'none'].includes(answer)) return undefined;
  const named = clients.find(({ name }) => name.toLowerCase() === answer);
  if (named !== undefined) return [named];
  return wordsIn(answer).map((word) => {
    const client = /^\d{1,3}$/.test(word) ? clients[Number(word) - 1] : clientNamed(word);
    if (client !== undefined && clients.includes(client)) return client;
    throw new AppError('bad_argument', `${word} is not in the list above; nothing was written.`, {
      hint: 'Answer with numbers or ids of the list, such as 1,3.',
    });
  });
}

function clientNamed(word: string): Client {
  const plain = word.toLowerCase();
  const found = CLIENTS.find(({ id, name }) => id === plain || name.toLowerCase() === plain);
  if (found !== undefined) return found;
  const ids = CLIENTS.map(({ id }) => id);
  const meant = nearest(plain, ids);
  throw new AppError('bad_argument', `Waymark knows no client called ${word}.`, {
    hint: meant === undefined ? `It knows ${ids.join(', ')}.` : `Did you mean \`${meant}\`?`,
  });
}

export interface ChosenConnection {
  readonly connection: Connection;
  /** What must be done before the connection works, and why; undefined if nothing. */
  readonly makeReady: { readonly why: string; readonly act: () => void } | undefined;
}

export function chooseConnection(
  { resolved, version }: Pick<CommandContext, 'resolved' | 'version'>,
  places: Places,
  { http, 'with-token': withToken }: OptionValues,
): ChosenConnection {
  if (typeof http === 'string') {
    const token = withToken === true ? ({ kind: 'variable', name: TOKEN_VARIABLE } as const) : undefined;
    return { connection: { kind: 'http', url: toUrl(http), ...(token && { token }) }, makeReady: undefined };
  }
  if (withToken === true) {
    throw new AppError('bad_argument', '--with-token is for servers that are reached by --http.', {
      hint: 'A server that the client starts itself needs no token.',
    });
  }
  const node = process.execPath;
  const script = realPath(process.argv[1] ?? '') ?? '';
  const command = stableNodePath({ node, script }, places);
  const env = ownDirectories(resolved);
  if (!isTemporaryInstall(script)) {
    return { connection: { kind: 'stdio', command, args: [script, 'mcp'], env }, makeReady: undefined };
  }
  const place = copyPlace(resolved.config.dataDir, version);
  const lasting = scriptInCopy(script, place);
  return {
    connection: { kind: 'stdio', command, args: [lasting, 'mcp'], env },
    makeReady: {
      why: `Waymark runs from a cache that is emptied some day; a lasting copy goes to ${shortPath(place, places.home)}`,
      act: () => makePermanentCopy(script, place, systemIds),
    },
  };
}

/** Directories given by flag or variable also go into the entry: clients do not see the shell's variables. */
function ownDirectories({ config, origins }: CommandContext['resolved']): Readonly<Record<string, string>> {
  const chosen = (kind: string): boolean => kind === 'flag' || kind === 'env';
  return {
    ...(chosen(origins.dataDir.kind) ? { WAYMARK_DATA_DIR: config.dataDir } : {}),
    ...(chosen(origins.cacheDir.kind) ? { WAYMARK_CACHE_DIR: config.cacheDir } : {}),
  };
}

function toUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url.href;
  throw new AppError('bad_argument', `--http wants an address; ${text} is none.`, {
    hint: 'Start `waymark serve` and give the address that it prints: --http http://127.0.0.1:7411/mcp',
  });
}
