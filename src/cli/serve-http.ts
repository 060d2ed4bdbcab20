/** Serves many clients over HTTP until we are told to stop, and says how to connect. */
import type { CommandContext } from './command.ts';
import { untilStopped } from './until-stopped.ts';

export async function serveHttp({ services, stop, output }: CommandContext, path = '/mcp'): Promise<void> {
  const { listen, config } = await services();
  const listener = await listen();
  const url = listener.url.replace(/\/mcp$/, path);
  const needsToken = config.requireToken || config.token !== undefined;
  // A token of the user's own is not repeated on the screen.
  const isOwn = config.token !== undefined;
  const header = needsToken
    ? ` --header "Authorization: Bearer ${isOwn ? '$WAYMARK_TOKEN' : '$(waymark token)'}"`
    : '';
  const asked = listener.clientUrl.replace(/\/mcp$/, path);
  const paste = `claude mcp add --transport ${path === '/mcp' ? 'http' : 'sse'} waymark ${asked}${header}`;
  output.answer(
    [
      `Waymark is serving ${url}`,
      '',
      'Connect a client by pasting:',
      `  ${paste}`,
      ...(isOwn ? ['where WAYMARK_TOKEN holds the token that this server was given.'] : []),
      '',
      ...(config.rest
        ? [
            `Plain HTTP at ${listener.clientUrl}/…, with the token that ${isOwn ? 'this server was given' : '`waymark token` prints'}.`,
            '',
          ]
        : []),
      'Stop with Ctrl-C.',
    ].join('\n'),
    { url, paste },
  );
  await untilStopped(stop);
  await listener.close();
}
