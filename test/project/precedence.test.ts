/** R001, R002: every pair of sources, on every transport, through real clients. */
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import type { ProjectSource } from '../../src/core/index.ts';
import {
  addressFor,
  CLIENT_KINDS,
  isStdio,
  keepsState,
  openClient,
  type ClientKind,
  type OpenClient,
} from '../support/clients.ts';
import { shareServers } from '../support/shared-servers.ts';
import { collectEnds, tempFolder } from '../support/temp-folder.ts';

/** The order of the contract, written out: the chain's own would prove only that it agrees with itself. */
const TRUSTED_FIRST: readonly ProjectSource[] = [
  'argument',
  'switched',
  'roots',
  'client_meta',
  'query_param',
  'env',
  'cwd',
  'pwd',
];

/** Sources that a transport has at all. */
function sourcesOf(kind: ClientKind): readonly ProjectSource[] {
  return TRUSTED_FIRST.filter((source) => {
    if (source === 'query_param') return !isStdio(kind);
    if (source === 'pwd') return isStdio(kind);
    if (source === 'switched') return keepsState(kind);
    return true;
  });
}

/** Pairs with a switched project come last: a connection that has switched cannot go back. */
function pairsOf(kind: ClientKind): readonly (readonly [ProjectSource, ProjectSource])[] {
  const sources = sourcesOf(kind);
  const pairs = sources.flatMap((winner, index) =>
    sources.slice(index + 1).map((loser) => [winner, loser] as const),
  );
  const switches = (pair: readonly ProjectSource[]): boolean => pair.includes('switched');
  return [...pairs.filter((pair) => !switches(pair)), ...pairs.filter(switches)];
}

const { onEnd, end } = collectEnds();
afterAll(end);
const at = folders();
const server = shareServers();

/** A folder per source, so that the answer tells which of them was believed. */
function folders(): Readonly<Record<ProjectSource, string>> {
  const base = tempFolder(
    Object.fromEntries(TRUSTED_FIRST.map((source) => [`${source}/.git/HEAD`, 'ref: refs/heads/main\n'])),
    onEnd,
  );
  // Every source has its folder by the line above.
  return Object.fromEntries(TRUSTED_FIRST.map((source) => [source, base.join(source)])) as Record<
    ProjectSource,
    string
  >;
}

/** Connections that can serve several pairs are opened once: only the environment, the working directory and the URL are fixed with them. */
function createAsker(kind: ClientKind) {
  const clients = new Map<string, Promise<OpenClient>>();
  let openRoots: readonly string[] = [];

  const serverFor = async (fixed: readonly ProjectSource[]): Promise<string> => {
    const env = fixed.includes('env') ? { WAYMARK_PROJECT: at.env } : {};
    const cwd = fixed.includes('cwd') ? { cwd: at.cwd } : {};
    const flags = fixed.includes('cwd') ? ['--project-from-cwd'] : [];
    return (await server(flags, { env, ...cwd })).url;
  };

  const open = async (active: readonly ProjectSource[]): Promise<OpenClient> => {
    const has = (source: ProjectSource): boolean => active.includes(source);
    const target = isStdio(kind)
      ? {
          env: { ...(has('env') ? { WAYMARK_PROJECT: at.env } : {}), ...(has('pwd') ? { PWD: at.pwd } : {}) },
          ...(has('cwd') ? { cwd: at.cwd } : {}),
        }
      : {
          url: toUrl(
            await serverFor(active.filter((source) => source === 'env' || source === 'cwd')),
            has('query_param'),
          ),
        };
    return openClient({ kind, ...target, roots: () => openRoots });
  };

  const toUrl = (base: string, named: boolean): string => {
    const url = addressFor(kind, base);
    return named ? `${url}?project_path=${encodeURIComponent(at.query_param)}` : url;
  };

  return async (active: readonly ProjectSource[]): Promise<unknown> => {
    const fixed = active.filter(
      (source) => !['argument', 'switched', 'roots', 'client_meta'].includes(source),
    );
    const opened = clients.get(fixed.join()) ?? open(fixed);
    clients.set(fixed.join(), opened);
    const client = await opened;
    if (active.includes('switched')) await client.call('switch_project', { project: at.switched });
    openRoots = active.includes('roots') ? [pathToFileURL(at.roots).href] : [];
    const args = active.includes('argument') ? { project: at.argument } : {};
    const meta = active.includes('client_meta') ? { 'agent-working-dir': at.client_meta } : undefined;
    const { structured } = await client.call('project_status', args, meta);
    return structured['project'];
  };
}

// Over stdio most pairs need a process of their own, one after the other.
const SLOW = { timeout: 240_000 };

test.each(CLIENT_KINDS)(
  'R001 R002 R003 the more trusted of any two sources wins over %s',
  SLOW,
  async (kind) => {
    const ask = createAsker(kind);

    const outcomes: string[] = [];
    for (const [winner, loser] of pairsOf(kind)) {
      // The tool's own schema says so.
      const project = (await ask([winner, loser])) as {
        readonly source: string;
        readonly name: string;
      } | null;
      outcomes.push(`${winner} and ${loser}: ${project?.source}, ${project?.name}`);
    }

    expect(outcomes).toEqual(
      pairsOf(kind).map(([winner, loser]) => `${winner} and ${loser}: ${winner}, ${winner}`),
    );
  },
);
