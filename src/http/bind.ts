/** What a server needs before it may listen where others can reach it. Pure. */
import { AppError } from '../core/index.ts';
import { isLoopback } from '../text/index.ts';

export interface BindFacts {
  readonly host: string;
  readonly hasToken: boolean;
  readonly allowHost: readonly string[];
  readonly allowProjectRoot: readonly string[];
}

/** Throws unless the address is our own machine's, or everything that makes another one safe was given. */
export function checkBind({ host, hasToken, allowHost, allowProjectRoot }: BindFacts): void {
  if (isLoopback(host)) return;
  const missing = [
    ...(hasToken ? [] : ['a token (--token, or --require-token with the one `waymark token` prints)']),
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
