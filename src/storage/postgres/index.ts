/** The PostgreSQL engine, with its client. Loaded by name, only where a database is given. */
export { createPostgresStorage, type PostgresStorageOptions } from './storage.ts';
