/** How the handshake went, for people and for programs. */
import {
  isTokenTrouble,
  TOKEN_VARIABLE,
  type Client,
  type Handshake,
  type TokenTrouble,
} from '../../clients/index.ts';
import { escapeControl, hideSecrets } from '../../text/index.ts';
import type { Paint } from '../output.ts';
import type { Connected } from './connected.ts';
import { cut, row, wrap } from './layout.ts';

const NAMES_NO_PROJECT = 'It does not tell which project is open: the agent names it with `switch_project`.';

const SET_VARIABLE = `Set it where the client is started: export ${TOKEN_VARIABLE}="$(waymark token)"`;
const TOKEN_ADVICE: Readonly<Record<TokenTrouble, string>> = {
  'no token': 'Run the same command with --with-token.',
  'no variable': SET_VARIABLE,
  'not filled in':
    'This client fills in no variables. Run the same command without --http: then no token is needed.',
  'wrong token': `${TOKEN_VARIABLE} is not that server's token. \`waymark token\` prints the one of this machine.`,
};

export function renderHandshake(
  { name, restart, namesNoProject }: Client,
  handshake: Handshake,
  paint: Paint,
): string {
  if (handshake.kind === 'answered') {
    const { tools, tokens, ms } = handshake;
    const told = `handshake ok, ${tools} tools, about ${tokens} tokens, ${ms} ms`;
    const notes = [restart, ...(namesNoProject === true ? [NAMES_NO_PROJECT] : [])];
    return [
      `  ${paint.green('✓')} ${row([name, told], [18, 56])}`,
      ...notes.map((note) => `    ${paint.dim(wrap(note, '    '))}`),
    ].join('\n');
  }
  if (handshake.kind === 'not tried') {
    return `  · ${row([name, 'not tried'], [18, 56])}\n    ${wrap(escapeControl(handshake.why), '    ')}`;
  }
  const { why, detail } = handshake;
  const known = isTokenTrouble(why);
  const told = known ? 'the server answers only with its token' : 'the server did not answer';
  return [
    `  ${paint.red('✗')} ${row([name, told], [18, 56])}`,
    `    ${wrap(cut(hideSecrets(escapeControl(detail)), 240), '    ')}`,
    ...(known ? [`    → ${wrap(TOKEN_ADVICE[why], '      ')}`] : []),
  ].join('\n');
}

export function toSetupValue(connected: readonly Connected[]): Record<string, unknown> {
  return {
    ok:
      connected.some(({ planned }) => planned.kind !== 'unsupported') &&
      connected.every(({ planned, handshake }) => planned.kind !== 'refused' && handshake?.kind !== 'failed'),
    clients: connected.map(({ planned, handshake }) => ({
      client: planned.client.id,
      action: planned.kind,
      ...(planned.kind === 'unsupported' ? { why: planned.why } : { file: planned.absPath }),
      ...(planned.kind === 'refused'
        ? { error: { code: planned.error.code, message: planned.error.message, hint: planned.error.hint } }
        : {}),
      ...(handshake === undefined ? {} : { handshake: handshake }),
    })),
  };
}
