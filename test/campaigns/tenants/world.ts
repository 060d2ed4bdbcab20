/** Tenants of one server, each with a project, a memory and words that no other may ever be told. */
import { createApiToken } from '../../../src/auth/index.ts';
import { OWN_TENANT, SCOPES } from '../../../src/core/index.ts';
import { systemClock, systemIds } from '../../../src/platform/index.ts';
import type { TempFolder } from '../../support/temp-folder.ts';

/** A way of asking: everything that a tenant's program can send. */
export interface Asked {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Told {
  readonly status: number;
  /** Headers and body. */
  readonly text: string;
}

export interface TenantWorld {
  readonly name: string;
  readonly root: string;
  readonly token: string;
  /** Told to its own programs alone, and never sent by another one. */
  readonly secrets: readonly string[];
  /** What others may guess and name: paths, names, ids. */
  readonly handles: string[];
  /** Words that stand beside its secrets. */
  readonly markers: readonly string[];
}

export interface WorldOptions {
  readonly tenants: number;
  /** With a folder of each tenant's name, and `own` for who runs the server. */
  readonly folder: TempFolder;
  readonly dataDir: string;
}

/** Files and tokens; what is saved comes with `fillWorld`, once the server runs. */
export function makeWorld({ tenants, folder, dataDir }: WorldOptions): readonly TenantWorld[] {
  const names = [OWN_TENANT, ...Array.from({ length: tenants }, (_, at) => `tenant${at}`)];
  return names.map((name, at) => {
    const tag = `q${at}x${systemIds
      .token(6)
      .replaceAll(/[^a-z0-9]/gi, 'k')
      .toLowerCase()}`;
    const secret = (what: string): string => `zz${what}${tag}`;
    const marker = (what: string): string => `${what}marker${at}`;
    const place = name === OWN_TENANT ? 'own' : `tenants/${name}`;
    const project = `shop${at}`;
    folder.write({
      [`${place}/${project}/.git/HEAD`]: 'ref: refs/heads/main\n',
      [`${place}/${project}/.git/config`]: `[remote "origin"]\n\turl = https://git.example/acme/shop.git\n`,
      [`${place}/${project}/src/shared.ts`]: `export function ${marker('code')}() {\n  return '${secret('code')}';\n}\nexport const answer = ${marker('code')}();\n`,
      [`${place}/${project}/src/${secret('file')}.ts`]: `import { answer } from './shared.ts';\nexport const basket = answer;\n`,
      [`${place}/${project}/.waymark/guides/style/tabs.md`]: `# ${secret('guide')}\n`,
    });
    const { token } = createApiToken(
      dataDir,
      {
        name: `program ${at}`,
        scopes: SCOPES,
        tenant: name === OWN_TENANT ? undefined : name,
        expiresAt: undefined,
      },
      { ids: systemIds, clock: systemClock },
    );
    const root = folder.join(`${place}/${project}`);
    return {
      name,
      root,
      token,
      secrets: ['code', 'file', 'guide', 'note', 'fix', 'skill', 'fact', 'list'].map(secret),
      handles: [root, project],
      markers: ['code', 'note', 'fix', 'skill', 'fact'].map(marker),
    };
  });
}

/** All of them have this repository. */
export const REPOSITORY = 'git.example/acme/shop';

type Send = (tenant: TenantWorld, asked: Asked) => Promise<Told>;
/** Pushes the index of a tenant's project to a branch. */
export type Push = (tenant: TenantWorld, branch: string) => Promise<void>;

/** What each tenant saves, by the tools themselves; ids become handles that the others try. */
export async function fillWorld(world: readonly TenantWorld[], send: Send, push?: Push): Promise<void> {
  for (const tenant of world) {
    const secret = (what: string): string => tenant.secrets.find((one) => one.startsWith(`zz${what}`)) ?? '';
    const marker = (what: string): string => tenant.markers.find((one) => one.startsWith(what)) ?? '';
    const call = async (path: string, body: object): Promise<void> => {
      const { status, text } = await send(tenant, {
        method: 'POST',
        path,
        body: { project: tenant.root, ...body },
      });
      if (status >= 300) throw new Error(`${tenant.name} ${path}: ${status} ${text}`);
      const id = /"(?:id|operation_id)":"([\w-]+)"/.exec(text)?.[1];
      if (id !== undefined) tenant.handles.push(id);
    };
    await call('/mcp/search/code', { query: marker('code') });
    await call('/mcp/index/repository', { background: true });
    await call('/mcp/checkpoint/save', { content: `${marker('note')} ${secret('note')}. Next: tests.` });
    await call('/mcp/remediation/save', { error: marker('fix'), solution: secret('fix') });
    await call('/mcp/skill/save', { name: marker('skill'), content: secret('skill') });
    if (tenant.name === OWN_TENANT)
      await call('/mcp/fact/save', { fact: `${marker('fact')} ${secret('fact')}` });
    await call('/mcp/collection/create', {
      name: `all${world.indexOf(tenant)}`,
      description: secret('list'),
      expressions: ['style/tabs'],
    });
    tenant.handles.push(`all${world.indexOf(tenant)}`);
    if (push === undefined) continue;
    const branch = `branch${world.indexOf(tenant)}`;
    await push(tenant, branch);
    tenant.handles.push(`${REPOSITORY}@${branch}`);
  }
}
