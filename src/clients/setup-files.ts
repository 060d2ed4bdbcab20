/** What setup does to the file of each client: plan, which writes nothing, then apply. */
import { join } from 'node:path';
import { AppError, toAppError } from '../core/index.ts';
import { pathExists, readEditable, replaceEditable, type EditableFile, type Ids } from '../platform/index.ts';
import type { Client, Places, Scope } from './client.ts';
import type { Entry } from './edit/document-format.ts';
import { putEntry, type DocumentPlace } from './edit/edit-document.ts';
import { SERVER_NAME, toEntry, type Connection } from './entry.ts';
import { digestOf, type ManifestStore, type WrittenFile } from './manifest.ts';
import { HOOK_CLIENTS } from './table/hooks.ts';
import { AGENTS_FILE, AGENTS_TEXT } from './table/shared-files.ts';

export interface SetupWish {
  readonly scope: Scope;
  /** The project's root; needed for its own files. */
  readonly root: string | undefined;
  readonly connection: Connection;
}

interface Planned {
  readonly client: Client;
  readonly absPath: string;
}

export interface PlannedEdit extends Planned {
  readonly kind: 'create' | 'add' | 'replace' | 'same';
  readonly file: EditableFile;
  readonly place: DocumentPlace;
  readonly scope: Scope;
  readonly entry: Entry;
  readonly before: string;
  readonly after: string;
  readonly added: number;
}

export type PlannedFile =
  | PlannedEdit
  | (Planned & { readonly kind: 'refused'; readonly error: AppError })
  | { readonly kind: 'unsupported'; readonly client: Client; readonly why: string; readonly hint?: string };

export function planFile(client: Client, places: Places, wish: SetupWish): PlannedFile {
  const absPath = fileOf(client, places, wish);
  if (absPath === undefined) {
    return { kind: 'unsupported', client, why: `has no file of the ${wish.scope}` };
  }
  if (client.needsFile !== undefined && !pathExists(absPath)) {
    return { kind: 'unsupported', client, why: 'has no such file yet', hint: client.needsFile };
  }
  const entry = toEntry(client, toConnection(client, wish));
  if (entry === undefined) {
    if (client.http === undefined)
      return { kind: 'unsupported', client, why: 'takes no address from its file' };
    const why = 'takes a token only in the clear';
    const hint = `\`waymark setup ${client.id}\` without --http needs no token. If the file is yours alone, the token can stand in it: the same command with ${client.id} and --print shows where, \`waymark token\` the token.`;
    return { kind: 'unsupported', client, why, hint };
  }
  return planEntry(client, { absPath, entry, scope: wish.scope, root: wish.root });
}

interface WantedEntry {
  readonly absPath: string;
  readonly entry: Entry;
  readonly scope: Scope;
  readonly root: string | undefined;
}

function planEntry(client: Client, { absPath, entry, scope, root }: WantedEntry): PlannedFile {
  try {
    // A repository is not trusted: never follow a link out of it.
    const file = readEditable(absPath, scope === 'project' ? root : undefined);
    const place = placeOf(client, absPath);
    const before = decode(file);
    const { text: after, before: old, added } = putEntry(before, place, entry);
    const change = old === undefined ? 'add' : 'replace';
    const kind = after === before ? 'same' : file.bytes === undefined ? 'create' : change;
    return { kind, client, absPath, file, place, scope, entry, before, after, added };
  } catch (thrown) {
    return { kind: 'refused', client, absPath, error: toAppError(thrown) };
  }
}

/** The block for AGENTS.md, which many agents read in every session. It is written only when asked for. */
export function planAgentsFile(root: string): PlannedFile {
  const absPath = join(root, 'AGENTS.md');
  return planEntry(AGENTS_FILE, { absPath, entry: { text: AGENTS_TEXT }, scope: 'project', root });
}

/** The hooks of these clients, which start a program as their servers are started: a server that runs elsewhere has none. */
export function planHooks(
  clients: readonly Client[],
  places: Places,
  wish: SetupWish,
): readonly PlannedFile[] {
  const { connection, scope, root } = wish;
  if (connection.kind !== 'stdio' || scope !== 'user') return [];
  return HOOK_CLIENTS.filter(({ id }) => clients.some((client) => client.id === id)).flatMap(
    ({ id, file, toEntry: entryOf }) => {
      const absPath = fileOf(file, places, wish);
      if (absPath === undefined) return [];
      // The last argument is what starts a server.
      const program = [connection.command, ...connection.args.slice(0, -1)].map(shellWord).join(' ');
      const directories = directoryFlags(connection.env);
      const run = (what: 'start' | 'capture'): string => `${program} hooks ${what} ${id}${directories}`;
      const entry = entryOf({ start: run('start'), capture: run('capture') });
      return [planEntry(file, { absPath, entry, scope, root })];
    },
  );
}

/** What the entry of a server says in its environment, a command says in its flags. */
function directoryFlags(env: Readonly<Record<string, string>>): string {
  const flags = { '--data-dir': env['WAYMARK_DATA_DIR'], '--cache-dir': env['WAYMARK_CACHE_DIR'] };
  return Object.entries(flags)
    .flatMap(([flag, path]) => (path === undefined ? [] : [` ${flag} ${shellWord(path)}`]))
    .join('');
}

/** As shells of every system take it: in double quotes where it is no plain word. */
function shellWord(word: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(word) ? word : `"${word.replaceAll(/(["$`])/g, '\\$1')}"`;
}

/** The file that holds the client's servers: the first that exists, else the first. */
export function fileOf(
  { userFiles, projectFiles }: Client,
  places: Places,
  { scope, root }: Pick<SetupWish, 'scope' | 'root'>,
): string | undefined {
  const files =
    scope === 'user' ? userFiles?.(places) : root && projectFiles?.map((path) => join(root, path));
  if (files === undefined || files === '') return undefined;
  return files.find((file) => pathExists(file)) ?? files[0];
}

export function placeOf({ format, key }: Client, file: string): DocumentPlace {
  return { format, path: [...key, SERVER_NAME], file };
}

export function decode({ bytes, absPath }: EditableFile): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes ?? new Uint8Array());
  } catch (cause) {
    throw new AppError('file_unavailable', `${absPath} is not UTF-8 text.`, {
      hint: 'Save it as UTF-8 and run the same command again.',
      cause,
    });
  }
}

/** The connection with what lets this client's servers know the project. */
export function toConnection(client: Client, { connection, scope, root }: SetupWish): Connection {
  const project = scope === 'project' && client.namesNoProject === true ? root : client.workspaceVariable;
  if (connection.kind === 'http') {
    const url = new URL(connection.url);
    if (scope === 'project' && root !== undefined && !url.searchParams.has('project_path')) {
      // Slashes may stand in a query, and are easier to read than their codes.
      const path = encodeURIComponent(root).replaceAll('%2F', '/');
      return {
        ...connection,
        url: `${url.href}${url.search === '' ? '?' : '&'}project_path=${path}`,
      };
    }
    return connection;
  }
  if (project === undefined) return connection;
  return { ...connection, env: { ...connection.env, WAYMARK_PROJECT: project } };
}

/** Write-ahead: the manifest is written before the file, because a missing record would leave the entry behind. */
export function applyEdit(edit: PlannedEdit, store: ManifestStore, ids: Ids): void {
  if (edit.kind === 'same') return;
  const bytes = Buffer.from(edit.after);
  const { files } = store.read();
  const known = files.find(({ absPath, client }) => absPath === edit.absPath && client === edit.client.id);
  const others = files.filter((file) => file !== known);
  const record: WrittenFile = {
    client: edit.client.id,
    scope: edit.scope,
    absPath: edit.absPath,
    entry: { ...edit.entry },
    digest: digestOf(bytes),
    added: Math.max(edit.added, known?.added ?? 0),
    restore: restoreOf(edit, known, store),
  };
  store.write([...others, record]);
  const folders = replaceEditable(edit.file, bytes, ids);
  if (record.restore.kind === 'remove' && folders.length > 0) {
    store.write([...others, { ...record, restore: { kind: 'remove', folders: [...folders] } }]);
  }
}

function restoreOf(
  edit: PlannedEdit,
  known: WrittenFile | undefined,
  store: ManifestStore,
): WrittenFile['restore'] {
  const { bytes } = edit.file;
  if (bytes === undefined) return { kind: 'remove', folders: [] };
  // What setup wrote earlier is no original: keep the first backup.
  if (known !== undefined && digestOf(bytes) === known.digest) return known.restore;
  const digest = store.keep(bytes);
  return known === undefined ? { kind: 'backup', digest } : { kind: 'edit' };
}
