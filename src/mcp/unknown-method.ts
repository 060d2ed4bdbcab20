/** Answers that name the method nobody knows: the SDK only says that there was one. */
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { RPC, type RequestId } from './http/reply.ts';
import { short } from './wire.ts';

export interface AskedMethods {
  /** A message from the client. */
  hear(message: JSONRPCMessage): void;
  /** What goes to the client: the same message, unless it says that a method is unknown. */
  say(message: JSONRPCMessage): JSONRPCMessage;
}

export function createAskedMethods(): AskedMethods {
  const methods = new Map<RequestId, string>();
  return {
    hear(message) {
      if (!('method' in message)) return;
      if ('id' in message) methods.set(message.id, message.method);
      // The SDK never answers a cancelled request.
      const cancelled =
        message.method === 'notifications/cancelled' ? message.params?.['requestId'] : undefined;
      if (typeof cancelled === 'string' || typeof cancelled === 'number') methods.delete(cancelled);
    },
    say(message) {
      if ('method' in message || message.id === undefined) return message;
      const method = methods.get(message.id);
      methods.delete(message.id);
      if (method === undefined || !('error' in message) || message.error.code !== RPC.methodNotFound)
        return message;
      return { ...message, error: { ...message.error, message: `unknown method: ${short(method)}` } };
    },
  };
}
