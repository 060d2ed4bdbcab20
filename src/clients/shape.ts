/** From a command or address to the entry a client wants, and back. */
import type { Client } from './client.ts';
import type { Entry } from './edit/document-format.ts';

/** The name under which every client knows us. */
export const SERVER_NAME = 'waymark';

export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export type Connection =
  | ({ readonly kind: 'stdio' } & Launch)
  | { readonly kind: 'http'; readonly url: string };

/** Undefined where the client cannot be told this in its file. */
export function toEntry(client: Client, connection: Connection): Entry | undefined {
  if (connection.kind === 'http') {
    const shape = client.http;
    return shape && { ...shape.first, [shape.address]: connection.url, ...shape.last };
  }
  const { program, env, first, last } = client.stdio;
  const { command, args } = connection;
  return {
    ...first,
    ...(program === 'list' ? { command: [command, ...args] } : { [program]: command, args }),
    ...(Object.keys(connection.env).length === 0 ? {} : { [env]: connection.env }),
    ...last,
  };
}

/** What an entry in a file says, whoever wrote it; undefined if that cannot be told. */
export function readConnection(client: Client, entry: unknown): Connection | undefined {
  if (typeof entry !== 'object' || entry === null) return undefined;
  const fields: ReadonlyMap<string, unknown> = new Map(Object.entries(entry));
  const url = ['url', 'httpUrl', 'serverUrl', 'uri'].map((key) => fields.get(key)).find(isText);
  if (url !== undefined) return { kind: 'http', url };
  const { program, env } = client.stdio;
  const first = fields.get(program === 'list' ? 'command' : program);
  const words = (Array.isArray(first) ? first : [first, ...listOf(fields.get('args'))]).filter(isText);
  const [command, ...args] = words;
  return command === undefined ? undefined : { kind: 'stdio', command, args, env: textsOf(fields.get(env)) };
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textsOf(value: unknown): Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((pair): pair is [string, string] => isText(pair[1])),
  );
}
