/** The setup command: reads its options, then prints the entries or runs setup. */
import {
  CLIENTS,
  currentPlaces,
  fileOf,
  planAgentsFile,
  putEntry,
  SERVER_NAME,
  toConnection,
  toEntry,
  type Client,
  type Connection,
  type Places,
  type SetupWish,
} from '../../clients/index.ts';
import { AppError } from '../../core/index.ts';
import type { CommandContext, OptionValues } from '../command.ts';
import { shortPath } from '../look/paths.ts';
import { wrap } from '../look/width.ts';
import type { Output } from '../output.ts';
import { textOf } from '../options.ts';
import { chooseClients, chooseConnection, wordsIn } from './choose.ts';
import { runSetup } from './run-setup.ts';

export async function setup(context: CommandContext, options: OptionValues): Promise<number> {
  const places = currentPlaces(context.env);
  const scope = options['scope'] === 'project' ? 'project' : 'user';
  const detection = await (await context.services()).detector.detect({ transport: 'cli' });
  const root = detection.kind === 'found' ? detection.project.root : undefined;
  if ((scope === 'project' || options['agents-md'] === true) && root === undefined) {
    throw new AppError('no_project', 'This directory belongs to no project.', {
      hint: 'Change into the directory of a project first.',
    });
  }
  const { connection, makeReady } = chooseConnection(context, places, options);
  const wish = { scope, root, connection } as const;
  const words = [...context.words, ...wordsIn(textOf(options, 'only'))];
  const chosen = chooseClients({ words, except: wordsIn(textOf(options, 'except')), scope }, places);
  if (options['print'] === true) {
    if (makeReady !== undefined)
      context.output.talk(
        wrap(`${makeReady.why} with \`waymark setup\`: until then the path below is not there.`, ''),
      );
    renderSnippets(context.output, words.length === 0 ? CLIENTS : chosen, places, wish);
    return 0;
  }
  return runSetup(context, {
    places,
    wish,
    clients: chosen,
    makeReady,
    mode: options['dry-run'] === true ? 'show' : options['yes'] === true ? 'write' : 'ask',
    agentsFile: options['agents-md'] === true && root !== undefined ? planAgentsFile(root) : undefined,
    // The parser takes `--no-NAME` as NAME that is off.
    hooks: options['no-hooks'] !== false,
    index: options['skip-index'] !== true && root !== undefined,
  });
}

function renderSnippets(output: Output, clients: readonly Client[], places: Places, wish: SetupWish): void {
  const snippets = clients.flatMap((client) => {
    const file = fileOf(client, places, wish);
    const connection = toConnection(client, wish);
    const entry = toEntry(client, connection) ?? toEntry(client, toFillIn(connection));
    if (file === undefined || entry === undefined) return [];
    const place = { format: client.format, path: [...client.key, SERVER_NAME] as const, file };
    // As in a new file.
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
