/** A database, and the tenant whose rows are meant. */
import type { Database } from './database.ts';

export interface Tenancy {
  readonly database: Database;
  readonly tenant: number;
}
