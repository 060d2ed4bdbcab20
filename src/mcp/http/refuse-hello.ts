/** What a session keeps of its client comes from initialize, so initialize has a limit of its own. */
import { isRecord, readableId } from './classify.ts';
import { invalidRequest, type Reply } from './reply.ts';

/** A client's name, version, capabilities and icons by address; times the number of sessions it is memory anybody can take. */
export const MAX_HELLO_CHARACTERS = 32 * 1024;

export function refuseHello(body: unknown): Reply | undefined {
  // Sessions begin with a message of its own; in a batch it would pass every check of a first message.
  if (Array.isArray(body)) {
    const hello = body.find(isHello);
    if (hello === undefined) return undefined;
    return invalidRequest(400, 'Invalid Request: initialize cannot be part of a batch', readableId(hello));
  }
  if (!isHello(body) || JSON.stringify(body).length <= MAX_HELLO_CHARACTERS) return undefined;
  return invalidRequest(413, `initialize takes at most ${MAX_HELLO_CHARACTERS} characters`, readableId(body));
}

function isHello(message: unknown): boolean {
  return isRecord(message) && message['method'] === 'initialize';
}
