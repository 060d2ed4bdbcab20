/** Which clients of this machine know Waymark, by their files alone: nothing is started. */
import { readEditable } from '../platform/index.ts';
import { findSign, SCOPES, type Client, type Places } from './client.ts';
import { readEntry } from './edit/edit-document.ts';
import { decode, fileOf, placeOf } from './setup-files.ts';
import { CLIENTS } from './table/index.ts';

export interface ClientState {
  readonly client: Client;
  /** `found`: it is installed, and its files do not name us. */
  readonly state: 'connected' | 'found';
}

/** Those that are connected, for the user or for the project, and those that could be; in the order of the table. */
export function listClientStates(places: Places, root: string | undefined): readonly ClientState[] {
  return CLIENTS.flatMap((client): ClientState[] => {
    const files = SCOPES.map((scope) => fileOf(client, places, { scope, root }));
    if (files.some((file) => file !== undefined && hasEntry(client, file)))
      return [{ client, state: 'connected' }];
    return findSign(client, places) === undefined ? [] : [{ client, state: 'found' }];
  });
}

/** A file that cannot be read or understood names nothing; `waymark doctor` says what is wrong with it. */
function hasEntry(client: Client, file: string): boolean {
  try {
    return readEntry(decode(readEditable(file)), placeOf(client, file)) !== undefined;
  } catch {
    return false;
  }
}
