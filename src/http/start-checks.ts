/** What must hold before the listener opens: settings that would let strangers in, or shut out all, are refused at start. */
import { AppError } from '../core/index.ts';
import { isLoopback } from '../text/index.ts';

export interface BindFacts {
  readonly host: string;
  readonly hasToken: boolean;
  readonly allowHost: readonly string[];
  readonly allowProjectRoot: readonly string[];
}

/** Throws unless the address is a loopback one, or everything that makes another one safe was given. */
export function checkBind({ host, hasToken, allowHost, allowProjectRoot }: BindFacts): void {
  if (isLoopback(host)) return;
  const missing = [
    ...(hasToken
      ? []
      : [
          'a token (--token-file, --token, or --require-token with the one `waymark token` prints) or an issuer of tokens (--oauth-issuer)',
        ]),
    ...(allowHost.length > 0 ? [] : ['the host names clients will use (--allow-host)']),
    ...(allowProjectRoot.length > 0 ? [] : ['the folders clients may name (--allow-project-root)']),
  ];
  if (missing.length === 0) return;
  throw new AppError(
    'bad_config',
    `Refusing to listen on ${host}, which other machines can reach, without ${missing.join(', ')}.`,
    {
      hint: 'Give what is missing, or leave --host out to listen on 127.0.0.1 only.',
    },
  );
}

/** Shorter ones can be guessed; `waymark token` makes 43 characters. */
const MIN_TOKEN_LENGTH = 32;

/** Throws for a token that can be guessed, or that no header can carry. */
export function checkToken(token: string): void {
  const hint =
    'Leave it out and use --require-token with the one that `waymark token` prints, or make one: openssl rand -hex 32';
  if (!/^[\x21-\x7e]*$/.test(token))
    throw new AppError('bad_config', 'The token holds blanks or letters that no HTTP header can carry.', {
      hint,
    });
  if (token.length < MIN_TOKEN_LENGTH)
    throw new AppError(
      'bad_config',
      `The token has ${token.length} characters; at least ${MIN_TOKEN_LENGTH} are needed, so that it cannot be guessed.`,
      { hint },
    );
}

/** Throws unless each is one origin of one site: `null` is every page without one, and `*` is every page. */
export function checkOrigins(origins: readonly string[]): void {
  if (origins.every((origin) => ORIGIN.test(origin))) return;
  throw new AppError(
    'bad_config',
    '--allow-origin takes whole origins such as https://app.example or http://app.example:8080: neither `null`, nor `*`, nor a path.',
    { hint: 'Name each page that may talk to the server by scheme, host and port.' },
  );
}

/** Throws unless each is a bare name or address: a request is compared with it letter by letter. */
export function checkHosts(hosts: readonly string[]): void {
  if (hosts.every((host) => HOST.test(host))) return;
  throw new AppError(
    'bad_config',
    '--allow-host takes names and addresses such as box.lan or [fd00::5]: neither `*`, nor a port, nor a scheme.',
    { hint: 'Name each host that clients write in their address, without its port.' },
  );
}

const ORIGIN = /^(?!file:)[a-z][a-z0-9+.-]*:\/\/(?:\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::\d{1,5})?$/i;
const HOST = /^(?:\[[0-9a-f:.]+\]|[a-z0-9_.-]+)$/i;
