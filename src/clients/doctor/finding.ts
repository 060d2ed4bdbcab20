/** What the doctor has to say about one thing. */

export interface Finding {
  /** Stable: the troubleshooting page and bug reports name it. */
  readonly id: FindingId;
  /** `problem`: something does not work or will not. `note`: worth knowing. */
  readonly level: 'ok' | 'note' | 'problem';
  /** What was seen. May hold paths and names of the user's: escape before printing. */
  readonly seen: string;
}

/** Every finding there is, with what it means and what to do about it: docs/guides/troubleshooting.md is made from it. */
export const FINDINGS = {
  node: {
    means: 'The Node that runs Waymark.',
    todo: 'Install Node 20 or newer, then run `waymark setup` again.',
  },
  sqlite: {
    means: 'The SQLite that keeps indexes and memory.',
    todo: 'Use the current Node 24, which brings one along, or reinstall Waymark for this platform.',
  },
  clock: {
    means: 'Files of Waymark are dated in the future: the clock was set back, or is wrong.',
    todo: 'Set the clock of this machine; ages and freshness are wrong until then.',
  },
  watcher: {
    means: 'How many folders this system lets one user watch.',
    todo: 'Raise it: sudo sysctl fs.inotify.max_user_watches=524288',
  },
  folder: {
    means: 'A directory of Waymark cannot be used.',
    todo: 'Make it a directory that you can write to, or choose another with --data-dir or --cache-dir.',
  },
  'open-to-others': {
    means: 'Others on this machine can read what Waymark keeps.',
    todo: 'Take their access away: chmod go-rwx on what is named.',
  },
  disk: {
    means: 'There is little room left on the disk.',
    todo: 'Make room, or choose another disk with --cache-dir.',
  },
  store: {
    means: 'A database of Waymark is damaged or is not ours.',
    todo: 'An index: delete the file, it is made again. The catalogue: the next start moves it aside and fills a new one.',
  },
  memory: {
    means: 'A memory is damaged, or holds something that Waymark does not write.',
    todo: 'Run `waymark doctor --fix`: it puts the file aside and keeps every entry that can be read. Or restore a backup.',
  },
  lock: {
    means: 'A lock was left behind by a database that is gone.',
    todo: 'Delete the file; it holds nothing.',
  },
  'index-missing': { means: 'This project has no index yet.', todo: 'Run `waymark index`.' },
  'index-stale': {
    means: 'Files changed since this project was indexed.',
    todo: 'Run `waymark index`, or let a server run, which follows changes.',
  },
  encoder: {
    means: 'What makes the vectors that search compares; a service for it is asked for one word.',
    todo: 'Start the service, or correct encoderUrl, encoderModel and WAYMARK_ENCODER_KEY; the static model answers meanwhile.',
  },
  reranker: {
    means: 'A service that puts the first hits in order is asked about one word.',
    todo: 'Start the service, or correct rerankerUrl, rerankerApi, rerankerModel and WAYMARK_RERANKER_KEY; searches keep their own order meanwhile.',
  },
  'server-gone': {
    means: 'A server ended without clearing up its note.',
    todo: 'Delete the note that is named; nothing runs there.',
  },
  'two-servers': {
    means: 'Several HTTP servers run at once.',
    todo: 'Stop all but one: each holds its own sessions, and clients may talk to the wrong one.',
  },
  'server-version': {
    means: 'A server of another version runs.',
    todo: 'Stop it and start it again.',
  },
  'client-file': {
    means: 'The file of a client cannot be read.',
    todo: 'Correct it where the message says; the client cannot read it either.',
  },
  'client-program': {
    means: 'A client would start a program or script that is not there.',
    todo: 'Run `waymark setup` for this client again.',
  },
  'client-node': {
    means: 'A client would start Waymark with a Node that is too old.',
    todo: 'Run `waymark setup` with Node 20 or newer.',
  },
  'client-passing': {
    means: 'A client starts Waymark from a cache that is emptied some day.',
    todo: 'Run `waymark setup` for this client again: it makes a lasting copy.',
  },
  'client-address': {
    means: 'A client wants to reach a server where none answers.',
    todo: 'Start `waymark serve` on that port, or run `waymark setup --http` with the address that is served.',
  },
  'client-project': {
    means: 'The entry of a client names a project that is not there.',
    todo: 'Correct WAYMARK_PROJECT in the entry, or run `waymark setup` for this client again.',
  },
  'client-off': { means: 'A client has the server switched off.', todo: 'Switch it on in the client.' },
  'client-greeting': {
    means: 'A client would start the server and get no proper answer.',
    todo: 'Run the command that is named by hand and read what it prints; `waymark setup` writes a fresh entry.',
  },
  'client-token': {
    means: 'A server asks for a token that the client does not send, or not the right one.',
    todo: 'Run `waymark setup --http` with the address and --with-token, and start the client where WAYMARK_TOKEN is set: export WAYMARK_TOKEN="$(waymark token)". A client that fills in no variables: `waymark setup` without --http, which needs no token.',
  },
  'client-untried': {
    means: 'The entry of a client was read and could not be tried as the client would.',
    todo: 'Ask the client itself for its list of servers.',
  },
  'client-lost': {
    means: 'Setup wrote an entry that is no longer there.',
    todo: 'Run `waymark setup` for this client, or `waymark uninstall` to forget it.',
  },
  'client-foreign': {
    means:
      'A file of this project names a server called waymark that setup did not write. It was not started.',
    todo: 'Read the entry; if you trust it, `waymark setup --scope project` writes one of its own.',
  },
  'client-none': { means: 'No client is set up.', todo: 'Run `waymark setup`.' },
  client: {
    means:
      'A handshake as the client makes it, with its command, directory, variables, address and headers, was answered.',
    todo: '',
  },
  grammar: {
    means: 'Parsers for some languages are missing from the installation.',
    todo: 'Install Waymark again; until then those languages are read by the fast outline alone.',
  },
  setting: { means: 'A setting is not understood.', todo: 'Correct the variable or file that is named.' },
} as const satisfies Record<string, { readonly means: string; readonly todo: string }>;

export type FindingId = keyof typeof FINDINGS;

export const ok = (id: FindingId, seen: string): Finding => ({ id, level: 'ok', seen });
export const note = (id: FindingId, seen: string): Finding => ({ id, level: 'note', seen });
export const problem = (id: FindingId, seen: string): Finding => ({ id, level: 'problem', seen });
