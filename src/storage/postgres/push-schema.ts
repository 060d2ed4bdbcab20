/** Tables of what is pushed. Only added: releases without them go on beside those with them. */
import type { SchemaStep } from './schema-step.ts';

export const PUSH_STEP: SchemaStep = {
  version: 2,
  name: 'pushed trees',
  up: `
    -- A tree that lies on no disk of a server. Without a person it is the branch; else what one has over it.
    CREATE TABLE pushed_tree (
      tenant_id integer NOT NULL,
      tree_id bigint NOT NULL,
      branch text COLLATE "C" NOT NULL,
      person text COLLATE "C",
      commit_id text,
      pushed_at bigint NOT NULL,
      PRIMARY KEY (tenant_id, tree_id),
      FOREIGN KEY (tenant_id, tree_id) REFERENCES tree (tenant_id, id) ON DELETE CASCADE
    );
    CREATE INDEX pushed_tree_by_time ON pushed_tree (tenant_id, pushed_at);
    -- The text of a file without secrets, where a server is told to keep it.
    CREATE TABLE content_source (
      tenant_id integer NOT NULL,
      content_id bigint NOT NULL,
      packed bytea NOT NULL,
      PRIMARY KEY (tenant_id, content_id),
      FOREIGN KEY (tenant_id, content_id) REFERENCES content (tenant_id, id) ON DELETE CASCADE
    );
    ALTER TABLE content_source ALTER packed SET STORAGE EXTERNAL;
  `,
};
