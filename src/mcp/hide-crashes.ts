/** The last guard on the wire: no client reads the insides of a handler that broke, whoever wrote it. */
import type { JSONRPCErrorResponse, JSONRPCMessage, McpServer, Server } from '@modelcontextprotocol/server';
import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import { INTERNAL_ERROR, renderCrash } from './crash-guard.ts';
import { innerServer } from './inner-server.ts';

/** The same server; an internal error without a reference gets one, and `report` hears what it said. */
export function hideCrashes<Made extends Server | McpServer>(
  made: Made,
  report: (said: string) => string,
): Made {
  const server = innerServer(made);
  const connect = server.connect.bind(server);
  server.connect = (transport) => {
    const send = transport.send.bind(transport);
    transport.send = (message, options) =>
      send(isCrash(message) ? hidden(message, report) : message, options);
    return connect(transport);
  };
  return made;
}

function isCrash(message: JSONRPCMessage): message is JSONRPCErrorResponse {
  return (
    'error' in message &&
    message.error.code === ProtocolErrorCode.InternalError &&
    !message.error.message.startsWith(INTERNAL_ERROR)
  );
}

function hidden(message: JSONRPCErrorResponse, report: (said: string) => string): JSONRPCErrorResponse {
  const { code, message: said } = message.error;
  return { ...message, error: { code, message: renderCrash(report(said)) } };
}
