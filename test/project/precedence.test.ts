/** R001, R002: every pair of sources, on every transport, through real clients. */
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import type { ProjectSource } from '../../src/core/index.ts';
import {
  CLIENT_KINDS,
  isStdio,
  keepsState,
  openClient,
  type ClientKind,
  type OpenClient,
} from '../support/clients.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { serve } from '../support/waymark.ts';

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

function pairsOf(kind: ClientKind): readonly (readonly [ProjectSource, ProjectSource])[] {
  const sources = sourcesOf(kind);
  return sources.flatMap((winner, index) =>
    sources.slice(index + 1).map((loser) => [winner, loser] as const),
  );
}

/** A folder per source, so that the answer tells which of them was believed. */
function folders(): Readonly<Record<ProjectSource, string>> {
  const base = tempFolder(
    Object.fromEntries(TRUSTED_FIRST.map((source) => [`${source}/.git/HEAD`, 'ref: refs/heads/main\n'])),
  );
  // Every source has its folder by the line above.
  return Object.fromEntries(TRUSTED_FIRST.map((source) => [source, base.join(source)])) as Record<
    ProjectSource,
    string
  >;
}

/** Connections that can serve several pairs are opened once: only these sources are fixed when a server starts. */
function createAsker(kind: ClientKind) {
  const at = folders();
  const servers = new Map<string, Promise<string>>();
  const clients = new Map<string, Promise<OpenClient>>();
  let openRoots: readonly string[] = [];

  const serverFor = (fixed: readonly ProjectSource[]): Promise<string> => {
    const key = fixed.join();
    const env = fixed.includes('env') ? { WAYMARK_PROJECT: at.env } : {};
    const cwd = fixed.includes('cwd') ? { cwd: at.cwd } : {};
    const flags = fixed.includes('cwd') ? ['--project-from-cwd'] : [];
    const known = servers.get(key) ?? serve(flags, { env, ...cwd }).then(({ url }) => url);
    servers.set(key, known);
    return known;
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
    const client = await openClient({ kind, ...target, roots: () => openRoots });
    if (has('switched')) await client.call('switch_project', { project: at.switched });
    return client;
  };

  const toUrl = (base: string, named: boolean): string => {
    const url = kind.startsWith('HTTP+SSE') ? base.replace(/mcp$/, 'sse') : base;
    return named ? `${url}?project_path=${encodeURIComponent(at.query_param)}` : url;
  };

  return async (active: readonly ProjectSource[]): Promise<unknown> => {
    const fixed = active.filter((source) => !['argument', 'roots', 'client_meta'].includes(source));
    const client = clients.get(fixed.join()) ?? open(fixed);
    clients.set(fixed.join(), client);
    openRoots = active.includes('roots') ? [pathToFileURL(at.roots).href] : [];
    const args = active.includes('argument') ? { project: at.argument } : {};
    const meta = active.includes('client_meta') ? { 'agent-working-dir': at.client_meta } : undefined;
    const { structured } = await (await client).call('project_status', args, meta);
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
