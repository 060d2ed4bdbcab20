/** Serves many clients over HTTP until we are told to stop, and says how to connect. */
import type { CommandContext } from './command.ts';
import { untilStopped } from './until-stopped.ts';

export async function serveHttp({ services, stop, output }: CommandContext, path = '/mcp'): Promise<void> {
  const { listen, config } = await services();
  const listener = await listen();
  const url = listener.url.replace(/\/mcp$/, path);
  const needsToken = config.requireToken || config.token !== undefined;
  const header = needsToken ? ' --header "Authorization: Bearer $(waymark token)"' : '';
  const paste = `claude mcp add --transport ${path === '/mcp' ? 'http' : 'sse'} waymark ${url}${header}`;
  output.answer(
    [
      `Waymark is serving ${url}`,
      '',
      'Connect a client by pasting:',
      `  ${paste}`,
      '',
      ...(config.rest
        ? [`Plain HTTP at ${listener.url}/…, with the token that \`waymark token\` prints.`, '']
        : []),
      'Stop with Ctrl-C.',
    ].join('\n'),
    { url, paste },
  );
  await untilStopped(stop);
  await listener.close();
}
