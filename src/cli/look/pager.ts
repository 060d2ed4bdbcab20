/** Which pager shows what does not fit the window. */
import type { Environment } from '../../config/index.ts';
import { findProgram } from '../../platform/index.ts';

export interface Pager {
  /** For a shell. */
  readonly command: string;
  readonly env: Environment;
}

/** `F`: ends by itself where one screen is enough; `R`: colours pass; `X`: the text stays on the screen afterwards. */
const LESS = 'FRX';

/** The user's own, else `less`; none where there is neither, or a terminal that can only print. */
export function findPager(env: Environment): Pager | undefined {
  if (env['TERM'] === 'dumb') return undefined;
  const own = env['PAGER']?.trim();
  if (own === '' || own === 'cat') return undefined;
  const found =
    own ?? (findProgram('less', { path: env['PATH'], extensions: env['PATHEXT'] }) && `less -${LESS}`);
  return found === undefined ? undefined : { command: found, env: { LESS, ...env } };
}
