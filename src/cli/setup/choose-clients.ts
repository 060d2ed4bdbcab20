/** Which clients a command is about: those named, or those found on the machine. */
import { CLIENTS, findSign, type Client, type Places, type Scope } from '../../clients/index.ts';
import { AppError } from '../../core/index.ts';
import { nearest } from '../../text/index.ts';

export interface Choice {
  /** The clients that were named; all that are found if there are none. */
  readonly words: readonly string[];
  /** Those to leave out, separated by commas. */
  readonly except: string | undefined;
  readonly scope: Scope;
}

export function chooseClients({ words, except = '', scope }: Choice, places: Places): readonly Client[] {
  const leftOut = except
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(clientNamed);
  const chosen =
    words.length > 0
      ? words.map(clientNamed)
      : CLIENTS.filter(
          (client) =>
            findSign(client, places) !== undefined &&
            (scope === 'user' ? client.userFiles : client.projectFiles) !== undefined,
        );
  return chosen.filter((client) => !leftOut.includes(client));
}

function clientNamed(word: string): Client {
  const plain = word.toLowerCase();
  const found = CLIENTS.find(({ id, name }) => id === plain || name.toLowerCase() === plain);
  if (found !== undefined) return found;
  const ids = CLIENTS.map(({ id }) => id);
  const meant = nearest(plain, ids);
  throw new AppError('bad_argument', `Waymark knows no client called ${word}.`, {
    hint: meant === undefined ? `It knows ${ids.join(', ')}.` : `Did you mean \`${meant}\`?`,
  });
}
