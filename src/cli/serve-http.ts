/** Serves many clients over HTTP until we are told to stop, and says how to connect. */
import type { Detector } from '../project/index.ts';
import { escapeControl } from '../text/index.ts';
import type { CommandContext } from './command.ts';
import { untilStopped } from './until-stopped.ts';

interface ServeOptions {
  /** The address to name to clients; Streamable HTTP's by default. */
  readonly path?: '/mcp' | '/sse';
  /** The project of clients that name none: an absolute path. */
  readonly project?: string | undefined;
}

export async function serveHttp(
  { front, stop, output }: CommandContext,
  { path = '/mcp', project }: ServeOptions = {},
): Promise<void> {
  const { listen, config, detector } = await front({ project });
  const listener = await listen();
  const url = listener.url.replace(/\/mcp$/, path);
  const needsToken = config.requireToken || config.token !== undefined;
  // A token of the user's own is not repeated on the screen.
  const isOwn = config.token !== undefined;
  const header = needsToken
    ? ` --header "Authorization: Bearer ${isOwn ? '$WAYMARK_TOKEN' : '$(waymark token)'}"`
    : '';
  const served = await findServed(detector);
  const address = listener.clientUrl.replace(/\/mcp$/, path);
  const asked = served.kind === 'here' ? `"${withProject(address, served.root)}"` : address;
  const paste = `claude mcp add --transport ${path === '/mcp' ? 'http' : 'sse'} waymark ${asked}${header}`;
  output.answer(
    [
      `Waymark is serving ${url}`,
      ...(served.kind === 'default' ? [`Clients that name no project work on ${served.words}.`] : []),
      '',
      'Connect a client by pasting:',
      `  ${paste}`,
      ...(isOwn ? ['where WAYMARK_TOKEN holds the token that this server was given.'] : []),
      ...(served.kind === 'none'
        ? [
            'A client that does not tell which folder is open needs the project in the address:',
            `  ${address}?project_path=/path/to/project`,
          ]
        : []),
      '',
      ...(config.rest
        ? [
            `Plain HTTP at ${listener.clientUrl}/…, with the token that ${isOwn ? 'this server was given' : '`waymark token` prints'}.`,
            '',
          ]
        : []),
      'Stop with Ctrl-C.',
    ].join('\n'),
    { url, paste, project: served.kind === 'none' ? null : served.root },
  );
  await untilStopped(stop);
  await listener.close();
}

type Served =
  /** Clients that name no project get this one. */
  | { readonly kind: 'default'; readonly root: string; readonly words: string }
  /** They get none, but the server was started in this one. */
  | { readonly kind: 'here'; readonly root: string }
  | { readonly kind: 'none' };

async function findServed(detector: Detector): Promise<Served> {
  const usual = await detector.detect({ transport: 'http' });
  if (usual.kind === 'found' && !usual.weak) {
    const { project, via } = usual;
    return { kind: 'default', root: project.root, words: escapeControl(`${project.root} (${via})`) };
  }
  const here = await detector.detect({ transport: 'cli' });
  const isHere = here.kind === 'found' && here.source === 'cwd';
  // A folder that clients may not name would be refused as pasted.
  return isHere && detector.checkQuery(here.project.root).kind === 'found'
    ? { kind: 'here', root: here.project.root }
    : { kind: 'none' };
}

/** Between double quotes no shell changes anything in it. */
function withProject(address: string, root: string): string {
  const path = root.split('/').map(encodeURIComponent).join('/').replaceAll('!', '%21');
  return `${address}?project_path=${path}`;
}
