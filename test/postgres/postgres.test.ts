/** The PostgreSQL engine on a real server: what every engine does, and what only this one has to. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  POSTGRES_MAJOR,
  startPostgres,
  whyNoPostgres,
  type PostgresServer,
} from '../support/postgres-server.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { describeCatalog } from '../storage/catalog-contract.ts';
import { indexBulkContract } from '../storage/index-bulk-contract.ts';
import { indexStoreContract } from '../storage/index-contract.ts';
import { describeIndexes } from '../storage/index-stores-contract.ts';
import { describeMemory } from '../storage/memory-contract.ts';
import { describeSpaces } from '../storage/memory-spaces-contract.ts';
import { describeAdministering } from './administering.ts';
import { describeCommits } from './commits.ts';
import { describeDeployments } from './deployments.ts';
import { describePushing } from './pushing.ts';
import { describeSharing } from './sharing.ts';
import { describeTeam } from './team.ts';
import { describeTenants } from './tenants.ts';
import { newTenant } from './new-tenant.ts';

const missing = whyNoPostgres();

test('a server of PostgreSQL runs here, or it is said why none does', () => {
  if (missing !== undefined) process.stderr.write(`${missing}\n`);

  expect(missing ?? 'runs').toMatch(/^runs$|is not tried here/);
});

describe.runIf(missing === undefined)(`PostgreSQL ${POSTGRES_MAJOR}`, () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.remove());

  const oneTenant = () => {
    const tenant = newTenant(server.url);
    return { first: tenant.open(), another: () => tenant.open() };
  };

  describeCatalog('PostgreSQL', () => {
    const tenant = newTenant(server.url);
    return { empty: () => tenant.open().catalog(), reopen: () => tenant.open().catalog() };
  });
  describeMemory('PostgreSQL', () => {
    const { first, another } = oneTenant();
    const copy = tempFolder().join('copy.db');
    const space = 'shop-0123456789abcdef';
    return {
      empty: () => first.memory.open(space),
      reopen: () => another().memory.open(space),
      copyPath: () => copy,
    };
  });
  describeSpaces('PostgreSQL', () => {
    const { first, another } = oneTenant();
    return { empty: async () => first.memory, reopen: async () => another().memory };
  });
  describeIndexes('PostgreSQL', () => {
    const { first, another } = oneTenant();
    return { empty: async () => first.indexes, other: async () => another().indexes };
  });
  describe('an index in PostgreSQL', () => {
    const open = () => newTenant(server.url).open().indexes.open('/home/me/web-shop');
    indexStoreContract(open);
    indexBulkContract(open);
  });
  describeCommits(() => server);
  describeSharing(() => server);
  describeTeam(() => server);
  describeTenants(() => server);
  describePushing(() => server);
  describeAdministering(() => server);
  describeDeployments(() => server);
});
