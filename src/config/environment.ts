/** The process environment as a value. This is the only place that touches process.env. */

export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment as it is now; a later change of process.env does not show in it. */
export function readEnvironment(): Environment {
  return Object.freeze({ ...process.env });
}

/**
 * Whether to colour output. NO_COLOR beats FORCE_COLOR: someone who asked for none is hurt more by a wrong yes than
 * someone who asked for colour by a wrong no.
 */
export function wantsColor(env: Environment, isTty: boolean): boolean {
  const force = env['FORCE_COLOR'];
  if ((env['NO_COLOR'] ?? '') !== '') return false;
  if (force !== undefined) return force !== '0' && force !== 'false';
  return isTty && env['TERM'] !== 'dumb';
}
