/**
 * The tables, tenant by tenant: every row begins with its tenant, and no statement reaches beyond one. Nothing here needs an extension.
 *
 * No two unique indexes of a table begin with the same column: a statement that is planned while a table is empty, before there are
 * statistics, would take one for the other by that column alone, and read all of a tenant for each row.
 */
import { COMMIT_MARK_STEP } from './commit-mark.ts';
import { PUSH_STEP } from './push-schema.ts';
import type { SchemaStep } from './schema-step.ts';

const FIRST_STEPS: readonly SchemaStep[] = [
  {
    version: 1,
    name: 'tenants, indexes, memories, projects',
    up: `
      CREATE TABLE tenant (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name text COLLATE "C" NOT NULL UNIQUE
      );

      -- One repository, wherever it is checked out.
      CREATE TABLE project (
        tenant_id integer NOT NULL REFERENCES tenant,
        id bigint GENERATED ALWAYS AS IDENTITY,
        identity text COLLATE "C" NOT NULL,
        PRIMARY KEY (id, tenant_id),
        UNIQUE (identity, tenant_id)
      );
      -- Its files as they are in one place.
      CREATE TABLE tree (
        tenant_id integer NOT NULL,
        id bigint GENERATED ALWAYS AS IDENTITY,
        project_id bigint NOT NULL,
        name text COLLATE "C" NOT NULL,
        is_indexed boolean NOT NULL DEFAULT false,
        generation bigint NOT NULL DEFAULT 0,
        embeddings bigint NOT NULL DEFAULT 0,
        history bigint NOT NULL DEFAULT 0,
        -- Grows with each holder of the writer's lock: who held it before commits nothing any more.
        epoch bigint NOT NULL DEFAULT 0,
        changed_at bigint NOT NULL DEFAULT 0,
        PRIMARY KEY (id, tenant_id),
        UNIQUE (project_id, name, tenant_id),
        FOREIGN KEY (tenant_id, project_id) REFERENCES project (tenant_id, id)
      );
      -- What is made of a file, by all that it is made of: trees of one project share it.
      CREATE TABLE content (
        tenant_id integer NOT NULL,
        id bigint GENERATED ALWAYS AS IDENTITY,
        project_id bigint NOT NULL,
        key bytea NOT NULL,
        hash text NOT NULL,
        analysis text NOT NULL,
        language text NOT NULL,
        lines integer NOT NULL,
        plain_by bigint NOT NULL,
        chunks integer NOT NULL,
        definitions integer NOT NULL,
        model text,
        dimensions integer,
        parser text,
        failure text,
        error_share double precision,
        size_bytes bigint NOT NULL,
        terms bytea NOT NULL,
        trigrams bytea NOT NULL,
        vectors bytea,
        outline bytea,
        facts bytea,
        PRIMARY KEY (id, tenant_id),
        UNIQUE (key, project_id, tenant_id),
        FOREIGN KEY (tenant_id, project_id) REFERENCES project (tenant_id, id)
      );
      CREATE TABLE tree_file (
        tenant_id integer NOT NULL,
        tree_id bigint NOT NULL,
        path text COLLATE "C" NOT NULL,
        content_id bigint NOT NULL,
        size_bytes bigint NOT NULL,
        mtime_ms double precision NOT NULL,
        generation bigint NOT NULL,
        PRIMARY KEY (tenant_id, tree_id, path),
        FOREIGN KEY (tenant_id, tree_id) REFERENCES tree (tenant_id, id),
        FOREIGN KEY (tenant_id, content_id) REFERENCES content (tenant_id, id)
      );
      CREATE INDEX tree_file_by_content ON tree_file (content_id, tree_id, tenant_id);
      CREATE TABLE skip (
        tenant_id integer NOT NULL,
        tree_id bigint NOT NULL,
        path text COLLATE "C" NOT NULL,
        reason text NOT NULL,
        detail text,
        size_bytes bigint,
        mtime_ms double precision,
        analysis text,
        PRIMARY KEY (tenant_id, tree_id, path),
        FOREIGN KEY (tenant_id, tree_id) REFERENCES tree (tenant_id, id)
      );
      CREATE TABLE embedding (
        tenant_id integer NOT NULL,
        tree_id bigint NOT NULL,
        path text COLLATE "C" NOT NULL,
        model text COLLATE "C" NOT NULL,
        content_id bigint NOT NULL,
        dimensions integer NOT NULL,
        digests bytea NOT NULL,
        packed bytea NOT NULL,
        PRIMARY KEY (tenant_id, tree_id, path, model),
        FOREIGN KEY (tenant_id, tree_id) REFERENCES tree (tenant_id, id)
      );
      CREATE INDEX embedding_by_content ON embedding (content_id, tree_id, model, tenant_id);
      CREATE TABLE history (
        tenant_id integer NOT NULL,
        tree_id bigint NOT NULL,
        maker text NOT NULL,
        tips text NOT NULL,
        commits integer NOT NULL,
        packed bytea NOT NULL,
        PRIMARY KEY (tenant_id, tree_id),
        FOREIGN KEY (tenant_id, tree_id) REFERENCES tree (tenant_id, id)
      );
      CREATE TABLE kept_view (
        tenant_id integer NOT NULL,
        tree_id bigint NOT NULL,
        generation bigint NOT NULL,
        digest text NOT NULL,
        lengths text NOT NULL,
        PRIMARY KEY (tenant_id, tree_id),
        FOREIGN KEY (tenant_id, tree_id) REFERENCES tree (tenant_id, id)
      );
      -- In pieces: a value has a limit, and memory for it is taken twice.
      CREATE TABLE kept_view_piece (
        tenant_id integer NOT NULL,
        tree_id bigint NOT NULL,
        place integer NOT NULL,
        bytes bytea NOT NULL,
        PRIMARY KEY (tenant_id, tree_id, place),
        FOREIGN KEY (tenant_id, tree_id) REFERENCES kept_view ON DELETE CASCADE
      );

      -- A memory. Its row is the lock of its writers, so that what they number becomes visible in that order.
      CREATE TABLE space (
        tenant_id integer NOT NULL REFERENCES tenant,
        id bigint GENERATED ALWAYS AS IDENTITY,
        name text COLLATE "C" NOT NULL,
        seq bigint NOT NULL DEFAULT 0,
        mark bigint NOT NULL DEFAULT 0,
        -- How many entries are found by words, and how many words they have in all.
        worded bigint NOT NULL DEFAULT 0,
        words bigint NOT NULL DEFAULT 0,
        keys_by text NOT NULL DEFAULT '',
        -- Grows with each write; what changed since a number is read again, and all of it if that is before the last clearing.
        change bigint NOT NULL DEFAULT 0,
        cleared bigint NOT NULL DEFAULT 0,
        PRIMARY KEY (id, tenant_id),
        UNIQUE (name, tenant_id)
      );
      CREATE TABLE link (
        tenant_id integer NOT NULL REFERENCES tenant,
        identity text COLLATE "C" NOT NULL,
        space text COLLATE "C" NOT NULL,
        PRIMARY KEY (tenant_id, identity)
      );
      -- The entry is text: jsonb refuses some characters that JSON has, and changes the order of others.
      CREATE TABLE entry (
        tenant_id integer NOT NULL,
        space_id bigint NOT NULL,
        seq bigint NOT NULL,
        id text COLLATE "C" NOT NULL,
        kind text COLLATE "C" NOT NULL,
        name_digest bytea NOT NULL,
        created_at bigint NOT NULL,
        deleted_at bigint,
        save_key text COLLATE "C",
        fingerprint text COLLATE "C",
        words integer NOT NULL,
        change bigint NOT NULL,
        doc text NOT NULL,
        sum text NOT NULL,
        PRIMARY KEY (tenant_id, space_id, seq),
        UNIQUE (id, space_id, tenant_id),
        UNIQUE (save_key, space_id, tenant_id),
        FOREIGN KEY (tenant_id, space_id) REFERENCES space (tenant_id, id)
      );
      CREATE INDEX entry_by_kind ON entry (tenant_id, space_id, kind, created_at DESC, seq DESC) WHERE deleted_at IS NULL;
      CREATE INDEX entry_by_time ON entry (tenant_id, space_id, created_at DESC, seq DESC) WHERE deleted_at IS NULL;
      CREATE INDEX entry_in_bin ON entry (tenant_id, space_id, deleted_at DESC) WHERE deleted_at IS NOT NULL;
      CREATE INDEX entry_by_fingerprint ON entry (tenant_id, space_id, fingerprint, seq DESC) WHERE fingerprint IS NOT NULL;
      CREATE INDEX entry_by_name ON entry (tenant_id, space_id, kind, name_digest) WHERE deleted_at IS NULL;
      -- All are above 0: the condition keeps statements that do not say so from taking it for the primary key.
      CREATE INDEX entry_by_change ON entry (tenant_id, space_id, change) WHERE change > 0;
      CREATE TABLE bin (
        tenant_id integer NOT NULL,
        space_id bigint NOT NULL,
        seq bigint NOT NULL,
        seen_at bigint NOT NULL,
        age_ms bigint NOT NULL,
        PRIMARY KEY (tenant_id, space_id, seq),
        FOREIGN KEY (tenant_id, space_id, seq) REFERENCES entry ON DELETE CASCADE
      );
      CREATE TABLE entry_version (
        tenant_id integer NOT NULL,
        space_id bigint NOT NULL,
        id bigint GENERATED ALWAYS AS IDENTITY,
        entry_id text COLLATE "C" NOT NULL,
        doc text NOT NULL,
        sum text NOT NULL,
        PRIMARY KEY (tenant_id, space_id, entry_id, id),
        FOREIGN KEY (tenant_id, space_id) REFERENCES space (tenant_id, id)
      );
      CREATE TABLE change (
        tenant_id integer NOT NULL,
        space_id bigint NOT NULL,
        id bigint GENERATED ALWAYS AS IDENTITY,
        doc text NOT NULL,
        sum text NOT NULL,
        PRIMARY KEY (tenant_id, space_id, id),
        FOREIGN KEY (tenant_id, space_id) REFERENCES space (tenant_id, id)
      );
      CREATE TABLE identity (
        tenant_id integer NOT NULL,
        space_id bigint NOT NULL,
        id bigint GENERATED ALWAYS AS IDENTITY,
        identity text COLLATE "C" NOT NULL,
        doc text NOT NULL,
        sum text NOT NULL,
        PRIMARY KEY (tenant_id, space_id, identity),
        FOREIGN KEY (tenant_id, space_id) REFERENCES space (tenant_id, id)
      );
      -- What an entry and its file said when they last agreed.
      CREATE TABLE linked_file (
        tenant_id integer NOT NULL,
        space_id bigint NOT NULL,
        entry_id text COLLATE "C" NOT NULL,
        digest text NOT NULL,
        PRIMARY KEY (tenant_id, space_id, entry_id),
        FOREIGN KEY (tenant_id, space_id) REFERENCES space (tenant_id, id)
      );
      CREATE TABLE entry_word (
        tenant_id integer NOT NULL,
        space_id bigint NOT NULL,
        word text COLLATE "C" NOT NULL,
        seq bigint NOT NULL,
        -- How often, a word of the title counting more.
        weight real NOT NULL,
        words integer NOT NULL,
        PRIMARY KEY (tenant_id, space_id, word, seq) INCLUDE (weight, words)
      );
      CREATE INDEX entry_word_by_entry ON entry_word (tenant_id, space_id, seq);
      CREATE TABLE entry_vector (
        tenant_id integer NOT NULL,
        space_id bigint NOT NULL,
        seq bigint NOT NULL,
        mark bigint NOT NULL,
        vector bytea NOT NULL,
        PRIMARY KEY (tenant_id, space_id, seq)
      );
      CREATE INDEX entry_vector_by_mark ON entry_vector (tenant_id, space_id, mark);

      -- Of the whole installation: what instances sign with.
      CREATE TABLE shared_key (
        name text COLLATE "C" PRIMARY KEY,
        current text NOT NULL,
        previous text,
        made_at bigint NOT NULL
      );

      -- Projects that were worked in, by where they lie.
      CREATE TABLE known_project (
        tenant_id integer NOT NULL REFERENCES tenant,
        root text COLLATE "C" NOT NULL,
        name text COLLATE "C" NOT NULL,
        seen_at bigint NOT NULL,
        PRIMARY KEY (tenant_id, root)
      );
      CREATE INDEX known_project_by_seen ON known_project (tenant_id, seen_at DESC, root);
      CREATE INDEX known_project_by_name ON known_project (tenant_id, name, seen_at DESC, root);

      -- Packed bytes do not get smaller, and are read from where they lie.
      ALTER TABLE content ALTER terms SET STORAGE EXTERNAL, ALTER trigrams SET STORAGE EXTERNAL,
        ALTER vectors SET STORAGE EXTERNAL, ALTER facts SET STORAGE EXTERNAL;
      ALTER TABLE embedding ALTER packed SET STORAGE EXTERNAL;
      ALTER TABLE history ALTER packed SET STORAGE EXTERNAL;
      ALTER TABLE kept_view_piece ALTER bytes SET STORAGE EXTERNAL;
      -- Long columns stay out of a row that is listed.
      ALTER TABLE content SET (toast_tuple_target = 256), ALTER key SET STORAGE MAIN, ALTER hash SET STORAGE MAIN,
        ALTER analysis SET STORAGE MAIN, ALTER parser SET STORAGE MAIN;
    `,
  },
];

export const SCHEMA_STEPS: readonly SchemaStep[] = [...FIRST_STEPS, PUSH_STEP, COMMIT_MARK_STEP];

export const SCHEMA_VERSION = Math.max(...SCHEMA_STEPS.map(({ version }) => version));
