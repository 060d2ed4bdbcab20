/** The entries as text to paste, for people who rather edit their files themselves. */
import {
  fileOf,
  putEntry,
  SERVER_NAME,
  toConnection,
  toEntry,
  type Client,
  type Connection,
  type Places,
  type SetupWish,
} from '../../clients/index.ts';
import type { Output } from '../output.ts';
import { shortPath } from './layout.ts';

export function renderSnippets(
  output: Output,
  clients: readonly Client[],
  places: Places,
  wish: SetupWish,
): void {
  const snippets = clients.flatMap((client) => {
    const file = fileOf(client, places, wish);
    const connection = toConnection(client, wish);
    const entry = toEntry(client, connection) ?? toEntry(client, toFillIn(connection));
    if (file === undefined || entry === undefined) return [];
    const place = { format: client.format, path: [...client.key, SERVER_NAME] as const, file };
    // Of an empty file: whole and as it would stand there.
    return [{ client: client.id, name: client.name, file, entry, text: putEntry('', place, entry).text }];
  });
  const text = snippets
    .map(({ name, file, text: snippet }) => `# ${name}: ${shortPath(file, places.home)}\n${snippet}`)
    .join('\n');
  output.answer(
    text.trimEnd(),
    snippets.map(({ text: _text, ...rest }) => rest),
  );
}

/** For a client that takes a token only in the clear: the user puts it in, we do not. */
function toFillIn(connection: Connection): Connection {
  return connection.kind === 'http'
    ? { ...connection, token: { kind: 'text', text: 'PUT-THE-TOKEN-HERE' } }
    : connection;
}
