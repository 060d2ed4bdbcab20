/** Which clients a command is about: those named, or those found on the machine. */
import { CLIENTS, findSign, type Client, type Places, type Scope } from '../../clients/index.ts';
import { AppError } from '../../core/index.ts';
import { nearest } from '../../text/index.ts';

export function chooseClients(words: readonly string[], places: Places, scope: Scope): readonly Client[] {
  if (words.length > 0) return words.map(clientNamed);
  return CLIENTS.filter(
    (client) =>
      findSign(client, places) !== undefined &&
      (scope === 'user' ? client.userFiles : client.projectFiles) !== undefined,
  );
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
