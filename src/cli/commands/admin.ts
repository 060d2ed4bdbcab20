/** What the operator of a team's server does: tables, tenants, their tokens, and copies of a tenant's memory. */
import { join, resolve } from 'node:path';
import { listApiTokens, revokeApiTokens } from '../../auth/index.ts';
import { AppError, isTenantName, OWN_TENANT } from '../../core/index.ts';
import { readableNames, systemClock } from '../../platform/index.ts';
import type { StorageAdmin, TenantSize } from '../../storage/index.ts';
import { countOf, escapeControl } from '../../text/index.ts';
import type { Command, CommandContext, OptionValues, Services } from '../command.ts';
import { needed } from '../options.ts';

/** Loaded by the commands that need it. */
const loadMemory = () => import('../../memory/index.ts');

/** Brings the tables of the database to what this release needs. */
export const adminMigrateCommand: Command = {
  name: 'admin migrate',
  family: "Look after a team's server: tables, tenants, tokens, copies",
  group: 'Set up',
  summary: 'Bring the tables of a shared database to what this release needs',
  examples: ['waymark admin migrate', 'waymark admin migrate --status', 'waymark admin migrate --contract'],
  options: [
    { name: 'status', description: 'only say what is done and what is not' },
    { name: 'contract', description: 'also do steps that older releases cannot live with' },
  ],
  run: (context, _argument, options) =>
    withAdmin(context, async (admin) => {
      const isAsked = options['status'] === true;
      const done = isAsked ? [] : await admin.migrate({ contract: options['contract'] === true });
      const { version, waiting } = await admin.schema();
      const lines = [
        ...done.map((step) => `  done: ${step.version} ${step.name}`),
        `The tables are of version ${version}.`,
        ...waiting.map(
          (step) =>
            `  not done: ${step.version} ${step.name}${step.contracts === undefined ? '' : ' (--contract)'}`,
        ),
      ];
      const value = { version, done: done.map(toStep), waiting: waiting.map(toStep) };
      context.output.answer(lines.join('\n'), value);
    }),
};

/** Lists the tenants of the database, makes one, or takes one away. */
export const adminTenantsCommand: Command = {
  name: 'admin tenants',
  group: 'Set up',
  summary: 'List the tenants of a shared database, add one or remove one',
  examples: [
    'waymark admin tenants',
    'waymark admin tenants --add acme',
    'waymark admin tenants --remove acme',
  ],
  options: [
    { name: 'add', valueName: 'name', description: 'make room for a tenant before its first call' },
    { name: 'remove', valueName: 'name', description: 'delete a tenant with all that is kept of it' },
    { name: 'yes', description: 'do not ask before removing' },
  ],
  run: (context, _argument, { add, remove, yes }) =>
    withAdmin(context, async (admin) => {
      if (typeof add === 'string') return addTenant(context, admin, add);
      if (typeof remove === 'string')
        return removeTenant(context, { admin, name: remove, isSure: yes === true });
      const tenants = await admin.tenants();
      context.output.answer(
        tenants.length === 0 ? 'There are no tenants.' : tenants.map(renderTenant).join('\n'),
        { tenants },
      );
    }),
};

/** Lists tokens of programs by tenant, or ends all of a tenant's. */
export const adminTokensCommand: Command = {
  name: 'admin tokens',
  group: 'Set up',
  summary: 'List the tokens of programs by tenant, or end those of one',
  examples: ['waymark admin tokens', 'waymark admin tokens --tenant acme'],
  options: [
    { name: 'tenant', valueName: 'name', description: 'only those of this tenant' },
    { name: 'revoke-all', valueName: 'tenant', description: 'end every token of this tenant' },
  ],
  async run({ resolved, output }, _argument, { tenant, 'revoke-all': ended }) {
    const { dataDir } = resolved.config;
    if (typeof ended === 'string') {
      const revoked = revokeTenant(dataDir, ended);
      const text = `${countOf(revoked, 'token')} of ${escapeControl(ended)} can no longer be used.`;
      return output.answer(text, { revoked });
    }
    const tokens = listApiTokens(dataDir).filter(
      (one) => tenant === undefined || (one.tenant ?? OWN_TENANT) === tenant,
    );
    const lines = tokens.map(
      (one) => `${escapeControl(one.tenant ?? OWN_TENANT)}  ${one.id}  ${one.name}: ${one.scopes.join(', ')}`,
    );
    output.answer(lines.length === 0 ? 'There are no tokens of programs.' : lines.join('\n'), { tokens });
  },
};

const OF_TENANT = [
  { name: 'tenant', valueName: 'name', description: 'whose; your own if left out' },
  { name: 'space', valueName: 'name', description: 'only this memory' },
] as const;

export const adminBackupCommand: Command = {
  name: 'admin backup',
  group: 'Set up',
  summary: "Copy a tenant's memories to a folder, each to a file of its own",
  examples: ['waymark admin backup /backups/acme --tenant acme'],
  argument: { name: 'folder', description: 'a new folder' },
  options: OF_TENANT,
  run: (context, argument, options) =>
    withMemory(context, options, async (memory, space) => {
      const folder = resolve(needed(argument, 'admin backup', 'FOLDER'));
      if (readableNames(folder).length > 0)
        throw new AppError('bad_argument', `The folder ${folder} is not empty.`, {
          hint: 'Name a new folder.',
        });
      const names = await (await loadMemory()).backUp(memory, folder, space);
      const text = `${countOf(names.length, 'memory is', 'memories are')} in ${escapeControl(folder)}.`;
      context.output.answer(text, { folder, memories: names });
    }),
};

export const adminRestoreCommand: Command = {
  name: 'admin restore',
  group: 'Set up',
  summary: "Put copies of a tenant's memories in place of what is there now",
  examples: ['waymark admin restore /backups/acme --tenant acme'],
  argument: { name: 'folder', description: 'a folder that `waymark admin backup` or `waymark backup` wrote' },
  options: OF_TENANT,
  run: (context, argument, options) =>
    withMemory(context, options, async (memory, space) => {
      const folder = resolve(needed(argument, 'admin restore', 'FOLDER'));
      const names = readableNames(folder).filter((name) => {
        const own = name.slice(0, -'.db'.length);
        return name.endsWith('.db') && memory.spaces.isSpace(own) && (space === undefined || own === space);
      });
      if (names.length === 0)
        throw new AppError('bad_argument', `There is no backup in ${folder}. Nothing was changed.`, {
          hint: 'Name a folder that `waymark admin backup` wrote.',
        });
      const stamp = new Date(systemClock.now()).toISOString().replaceAll(/[-:]|\.\d+/g, '');
      const safety = join(context.resolved.config.dataDir, 'backups', `${stamp}-before-restore`);
      const restored = await (await loadMemory()).restore(memory, names, folder, safety);
      const many = countOf(restored.length, 'memory was', 'memories were');
      const text = `${many} restored; what was there is in ${escapeControl(safety)}.`;
      context.output.answer(text, { safety, restored });
    }),
};

async function withAdmin(
  { resolved }: CommandContext,
  work: (admin: StorageAdmin) => Promise<void>,
): Promise<void> {
  const { storage } = resolved.config;
  if (storage === undefined)
    throw new AppError('bad_argument', 'This is about a shared database, and none is named.', {
      hint: 'Set WAYMARK_STORAGE to its address: postgres://user@host:5432/database',
    });
  const { openAdmin } = await import('../push/open-admin.ts');
  const admin = openAdmin(storage);
  try {
    await work(admin);
  } finally {
    await admin.close();
  }
}

type TenantMemory = ReturnType<Services['memoryOf']>;

async function withMemory(
  { services }: CommandContext,
  { tenant, space }: OptionValues,
  work: (memory: TenantMemory, space: string | undefined) => Promise<void>,
): Promise<void> {
  const name = typeof tenant === 'string' ? tenant : OWN_TENANT;
  if (name !== OWN_TENANT) checkName(name);
  const memory = (await services()).memoryOf(name);
  try {
    await work(memory, typeof space === 'string' ? space : undefined);
  } finally {
    await memory.close();
  }
}

async function addTenant({ output }: CommandContext, admin: StorageAdmin, name: string): Promise<void> {
  checkName(name);
  await admin.addTenant(name);
  output.answer(`${escapeControl(name)} is a tenant.`, { added: name });
}

interface Removal {
  readonly admin: StorageAdmin;
  readonly name: string;
  readonly isSure: boolean;
}

/** Says what goes before it goes. */
async function removeTenant(
  { output, ask, resolved }: CommandContext,
  { admin, name, isSure }: Removal,
): Promise<void> {
  checkName(name);
  const tenant = (await admin.tenants()).find((one) => one.name === name);
  if (tenant === undefined)
    throw new AppError('not_found', 'There is no tenant of that name.', {
      hint: 'See them: waymark admin tenants',
    });
  output.talk(
    `This deletes ${renderTenant(tenant)}, and ends its tokens. It cannot be undone: waymark admin backup copies its memory.`,
  );
  const said = isSure ? name : await ask('Type the name of the tenant to delete it: ');
  if (said?.trim() !== name)
    throw new AppError('bad_argument', 'Nothing was deleted.', {
      hint: 'Type the name when asked, or give --yes.',
    });
  await admin.removeTenant(name);
  const tokens = revokeTenant(resolved.config.dataDir, name);
  output.answer(
    `${escapeControl(name)} is gone: ${renderSize(tenant)}, and ${countOf(tokens, 'token')}. Restart the servers before the name is used again.`,
    { removed: tenant, tokens },
  );
}

function checkName(name: string): void {
  if (isTenantName(name)) return;
  throw new AppError('bad_argument', 'No tenant can have this name.', {
    hint: `It begins with a letter or a digit, has up to 200 characters, and is not ${OWN_TENANT}, which is yours.`,
  });
}

function revokeTenant(dataDir: string, tenant: string): number {
  const own = listApiTokens(dataDir).filter((token) => token.tenant === tenant);
  for (const { id } of own) revokeApiTokens(dataDir, id);
  return own.length;
}

function renderTenant(tenant: TenantSize): string {
  return `${escapeControl(tenant.name)}: ${renderSize(tenant)}`;
}

function renderSize({ projects, files, memories, entries }: TenantSize): string {
  return [
    countOf(projects, 'project'),
    countOf(files, 'indexed file'),
    `${countOf(memories, 'memory', 'memories')} with ${countOf(entries, 'entry', 'entries')}`,
  ].join(', ');
}

function toStep({ version, name }: { readonly version: number; readonly name: string }) {
  return { version, name };
}
