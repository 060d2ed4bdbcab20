/** Wires how a client is told to connect: the command to paste, with the project in it where a client may not tell it. */
import type { HowToConnect, Served } from './cli/index.ts';
import type { Config } from './config/index.ts';
import type { Detector } from './project/index.ts';
import { escapeControl } from './text/index.ts';

interface ConnectParts {
  readonly config: Config;
  readonly detector: Detector;
  /** Of Streamable HTTP, as clients reach it. */
  readonly clientUrl: string;
}

export async function howToConnect(
  { config, detector, clientUrl }: ConnectParts,
  path: '/mcp' | '/sse' = '/mcp',
): Promise<HowToConnect> {
  const needsVariable = config.token !== undefined || config.tokenFile !== undefined;
  const needsToken = config.requireToken || needsVariable;
  const header = needsToken
    ? ` --header "Authorization: Bearer ${needsVariable ? '$WAYMARK_TOKEN' : '$(waymark token)'}"`
    : '';
  const served = await findServed(detector);
  const address = clientUrl.replace(/\/mcp$/, path);
  const asked = served.kind === 'here' ? `"${withProject(address, served.root)}"` : address;
  const paste = `claude mcp add --transport ${path === '/mcp' ? 'http' : 'sse'} waymark ${asked}${header}`;
  return { paste, address, served, needsVariable };
}

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
