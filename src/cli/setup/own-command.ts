/** What to type for `waymark` where the shell does not find it: in a clone, or after a package runner. */
import { isTemporaryInstall, type Connection, type Places } from '../../clients/index.ts';
import { findProgram } from '../../platform/index.ts';
import { escapeControl } from '../../text/index.ts';
import { shortPath } from './layout.ts';

/** Undefined where `waymark` is on the path, or nothing is started from here. */
export function ownCommandNote(connection: Connection, { env, home }: Places): string | undefined {
  if (connection.kind === 'http') return undefined;
  const [script = ''] = connection.args;
  const found = findProgram('waymark', { path: env['PATH'], extensions: env['PATHEXT'] });
  if (found !== undefined && !isTemporaryInstall(found)) return undefined;
  // A tilde is not filled in between quotes.
  const word = /\s/.test(script) ? `"${escapeControl(script)}"` : shortPath(script, home);
  return `Your shell does not know \`waymark\`. In its place:\n  node ${word}`;
}
