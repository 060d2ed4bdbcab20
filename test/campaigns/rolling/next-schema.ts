/** The schema of a release to come, in place of `postgres/schema.ts`: one step touches every table, and one takes something away. */
import { SCHEMA_STEPS as STEPS_NOW, SCHEMA_VERSION as NOW } from '../../../src/storage/postgres/schema.ts';
import type { SchemaStep } from '../../../src/storage/postgres/schema-step.ts';

const ADDS: SchemaStep = {
  version: NOW + 1,
  name: 'a column more in every table',
  up: `
    CREATE TABLE later (tenant_id integer NOT NULL REFERENCES tenant, note text NOT NULL, PRIMARY KEY (tenant_id, note));
    DO $$ DECLARE name text; BEGIN
      FOR name IN SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_name <> 'schema_step' LOOP
        EXECUTE format('ALTER TABLE %I ADD COLUMN later_note text NOT NULL DEFAULT ''''', name);
      END LOOP;
    END $$;
    CREATE INDEX entry_by_note ON entry (tenant_id, later_note);
  `,
};
const TAKES_AWAY: SchemaStep = {
  version: NOW + 2,
  name: 'without the table of the step before',
  contracts: NOW + 1,
  up: 'DROP TABLE later',
};

export const SCHEMA_STEPS: readonly SchemaStep[] = [...STEPS_NOW, ADDS, TAKES_AWAY];
export const SCHEMA_VERSION = TAKES_AWAY.version;
