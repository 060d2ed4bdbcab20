/** From a command or address to the entry a client wants, and back, with its variables expanded as the client does. */
import type { Client, HttpShape, VariableForm } from './client.ts';
import { nest, type Entry, type EntryPath } from './edit/document-format.ts';

/** The name under which every client knows us. */
export const SERVER_NAME = 'waymark';

export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Only in entries that setup did not write. */
  readonly cwd?: string;
}

export interface Address {
  readonly url: string;
  readonly token?: TokenSource;
  /** As they stand in the file. */
  readonly headers?: Readonly<Record<string, string>>;
}

export type Connection = ({ readonly kind: 'stdio' } & Launch) | ({ readonly kind: 'http' } & Address);

/** The token itself is never written: the entry names a variable. `text` is what another program wrote, or a place to fill in. */
type TokenSource =
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string };

/** The variable that clients are told to take the token from; `waymark serve` reads the same one. */
export const TOKEN_VARIABLE = 'WAYMARK_TOKEN';

/** Undefined where the client cannot be told this in its file. */
export function toEntry(client: Client, connection: Connection): Entry | undefined {
  if (connection.kind === 'http') {
    const shape = client.http;
    const token = shape && toTokenFields(shape, connection.token);
    return shape && token && { ...shape.first, [shape.address]: connection.url, ...token, ...shape.last };
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

const HEADERS: EntryPath = ['headers'];

function toTokenFields(
  { token: shape, headers = HEADERS }: HttpShape,
  token: TokenSource | undefined,
): Entry | undefined {
  if (token === undefined) return {};
  if (token.kind === 'text') return nest(headers, { Authorization: `Bearer ${token.text}` });
  if (shape === undefined) return undefined;
  if (shape.kind === 'name') return { [shape.key]: token.name };
  return { ...nest(headers, { Authorization: `Bearer ${shape.reads}` }), ...shape.also };
}

/** What an entry in a file says, from setup or not; undefined if it names no command and no address. */
export function readConnection(client: Client, entry: unknown): Connection | undefined {
  if (typeof entry !== 'object' || entry === null) return undefined;
  const fields: ReadonlyMap<string, unknown> = new Map(Object.entries(entry));
  const url = ['url', 'httpUrl', 'serverUrl', 'uri'].map((key) => fields.get(key)).find(isText);
  if (url !== undefined) return { kind: 'http', url, ...readToken(client, fields) };
  const { program, env } = client.stdio;
  const first = fields.get(program === 'list' ? 'command' : program);
  const words = (Array.isArray(first) ? first : [first, ...listOf(fields.get('args'))]).filter(isText);
  const [command, ...args] = words;
  if (command === undefined) return undefined;
  const cwd = fields.get('cwd');
  return {
    kind: 'stdio',
    command,
    args,
    env: textsOf(fields.get(env)),
    ...(isText(cwd) ? { cwd } : {}),
  };
}

function readToken(
  { http }: Client,
  fields: ReadonlyMap<string, unknown>,
): Pick<Address, 'token' | 'headers'> {
  const shape = http?.token;
  const headers = readHeaders(http, fields);
  const name = shape?.kind === 'name' ? fields.get(shape.key) : undefined;
  if (isText(name)) return { token: { kind: 'variable', name }, headers };
  const header = Object.entries(headers).find(([key]) => key.toLowerCase() === 'authorization')?.[1];
  if (header === undefined) return { headers };
  return shape?.kind === 'header' && header.includes(shape.reads)
    ? { token: { kind: 'variable', name: TOKEN_VARIABLE }, headers }
    : { token: { kind: 'text', text: header.replace(/^Bearer +/i, '') }, headers };
}

function readHeaders(
  http: HttpShape | undefined,
  fields: ReadonlyMap<string, unknown>,
): Readonly<Record<string, string>> {
  const [first, ...rest] = http?.headers ?? HEADERS;
  return textsOf(rest.reduce((inner: unknown, key) => Reflect.get(Object(inner), key), fields.get(first)));
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

interface VariableValues {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The project that is open in the client. */
  readonly root: string | undefined;
}

export type ExpandVariables = (text: string) => string;

const NAME = '[A-Za-z_][A-Za-z0-9_]*';
const FORMS: Readonly<Record<VariableForm, RegExp>> = {
  '${NAME}': new RegExp(`\\$\\{(${NAME})\\}`, 'g'),
  '${NAME:-default}': new RegExp(`\\$\\{(${NAME}):-([^}]*)\\}`, 'g'),
  $NAME: new RegExp(`\\$(${NAME})`, 'g'),
  '${env:NAME}': new RegExp(`\\$\\{env:(${NAME})\\}`, 'g'),
  '{env:NAME}': new RegExp(`\\{env:(${NAME})\\}`, 'g'),
  '${{ secrets.NAME }}': new RegExp(`\\$\\{\\{\\s*secrets\\.(${NAME})\\s*\\}\\}`, 'g'),
};

/** `where`: some clients expand variables in headers alone. */
export function variableExpander(
  { expands, workspaceVariable }: Client,
  where: 'headers' | 'launch',
  { env, root }: VariableValues,
): ExpandVariables {
  const forms = expands?.only === 'headers' && where !== 'headers' ? [] : (expands?.forms ?? []);
  return (text) => {
    const opened =
      workspaceVariable === undefined || root === undefined ? text : text.replaceAll(workspaceVariable, root);
    return forms.reduce(
      (filled, form) =>
        filled.replace(FORMS[form], (asWritten: string, name: string, other: unknown) =>
          valueOf(form, { value: env[name], asWritten, other }),
        ),
      opened,
    );
  };
}

/** An unset variable stays as it is written, unless its form has a default. */
function valueOf(
  form: VariableForm,
  { value, asWritten, other }: { value: string | undefined; asWritten: string; other: unknown },
): string {
  if (value !== undefined && value !== '') return value;
  if (form === '${NAME:-default}') return String(other);
  return form === '{env:NAME}' ? '' : asWritten;
}

/** Variables whose values only the client can ask for or look up. */
const PROMPT_VARIABLE = /\$\{(?:input|file|command|config):[^}]*\}/;

export function findPromptVariable(texts: readonly string[]): string | undefined {
  return texts.map((text) => PROMPT_VARIABLE.exec(text)?.[0]).find((found) => found !== undefined);
}
