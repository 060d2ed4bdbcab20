/** How the handshake went, for people and for programs. */
import type { Client, Greeting } from '../../clients/index.ts';
import { escapeControl, hideSecrets } from '../../text/index.ts';
import type { Paint } from '../output.ts';
import type { Connected } from './connected.ts';
import { cut, row, wrap } from './layout.ts';

const NAMES_NO_PROJECT = 'It does not tell which project is open: the agent names it with `switch_project`.';

export function renderGreeting(
  { name, restart, namesNoProject }: Client,
  greeting: Greeting,
  paint: Paint,
): string {
  if (greeting.kind === 'answered') {
    const { tools, tokens, ms } = greeting;
    const told = `handshake ok, ${tools} tools, about ${tokens} tokens, ${ms} ms`;
    const notes = [restart, ...(namesNoProject === true ? [NAMES_NO_PROJECT] : [])];
    return [
      `  ${paint.green('✓')} ${row([name, told], [18, 56])}`,
      ...notes.map((note) => `    ${paint.dim(wrap(note, '    '))}`),
    ].join('\n');
  }
  const why = cut(hideSecrets(escapeControl(greeting.detail)), 56);
  return `  ${paint.red('✗')} ${row([name, 'the server did not answer'], [18, 56])}\n    ${why}`;
}

export function toSetupValue(connected: readonly Connected[]): Record<string, unknown> {
  return {
    ok: connected.every(({ planned, greeting }) => planned.kind !== 'refused' && greeting?.kind !== 'failed'),
    clients: connected.map(({ planned, greeting }) => ({
      client: planned.client.id,
      action: planned.kind,
      ...(planned.kind === 'unsupported' ? { why: planned.why } : { file: planned.absPath }),
      ...(planned.kind === 'refused'
        ? { error: { code: planned.error.code, message: planned.error.message, hint: planned.error.hint } }
        : {}),
      ...(greeting === undefined ? {} : { handshake: greeting }),
    })),
  };
}
