/**
 * Makes an entry and its keys of a text that is then dropped. Node compiles a function when it first runs, and its patterns when
 * they first match: a server does that while the client's model thinks, instead of in the first save.
 */
import { gate } from './admit-entry.ts';
import { createKeyMaker, type Encoder } from './entry-keys.ts';
import { makeEntry, type Surroundings } from './make-entry.ts';

const NO_PLACE = { root: '', name: '', identity: '', folder: '' } as const;
const NOTHING_AROUND: Surroundings = {
  placeOf: () => NO_PLACE,
  hashFile: () => undefined,
  readFile: () => undefined,
  uncommitted: async () => ({ files: [], isPartial: false }),
  user: '',
  person: '',
  readGuides: () => [],
  matcher: () => () => false,
};
const TEXT =
  'Done: the parser in `src/parse.ts` reads "one\\ntwo", see parse_all(). Next: what is left.\n1: Error: none\n';

export function rehearse(encoder: Encoder | undefined): void {
  const author = { origin: 'agent', client: 'waymark', tool: 'rehearsal' } as const;
  const draft = { kind: 'checkpoint', name: 'rehearsal', content: TEXT, tags: ['one'] } as const;
  const options = { id: '', now: 0, place: NO_PLACE, author, around: NOTHING_AROUND };
  createKeyMaker(encoder).keysOf(gate.admit(makeEntry(draft, options)).entry);
}
