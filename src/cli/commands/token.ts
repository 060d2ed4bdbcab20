/** Commands about tokens: the one of this installation, and those made for programs. */
import { join } from 'node:path';
import { createApiToken, listApiTokens, revokeApiTokens } from '../../auth/index.ts';
import type { Config } from '../../config/index.ts';
import {
  AppError,
  isTenantName,
  LOCAL_PRINCIPAL,
  OWN_TENANT,
  parseScope,
  SCOPES,
  type Scope,
} from '../../core/index.ts';
import { createAuditLog } from '../../operations/index.ts';
import {
  openLogSink,
  readOrCreateSecret,
  replaceSecret,
  systemClock,
  systemIds,
} from '../../platform/index.ts';
import type { Command } from '../command.ts';

/** Prints the token of this installation, which `serve --require-token` asks for. */
export const tokenCommand: Command = {
  name: 'token',
  group: 'Set up',
  summary: 'Print the token that `serve --require-token` asks clients for',
  examples: ['waymark token', 'waymark token --rotate'],
  options: [{ name: 'rotate', description: 'make a new token; the old one ends when servers restart' }],
  async run({ resolved, output }, _argument, options) {
    const file = join(resolved.config.dataDir, 'token');
    const isRotated = options['rotate'] === true;
    const token = isRotated ? replaceSecret(file, systemIds) : readOrCreateSecret(file, systemIds);
    if (isRotated) noteWrite(resolved.config, 'token --rotate');
    output.answer(token, { token, file });
  },
};

/** Makes a token for a program, such as a build, and shows it this once. */
export const tokenCreateCommand: Command = {
  name: 'token create',
  group: 'Set up',
  summary: 'Make a token for a program, and print it this once',
  examples: [
    'waymark token create ci --scope search --expires 90',
    'waymark token create notes --scope search,memory:write --expires never',
  ],
  argument: { name: 'name', description: 'what the token is for' },
  options: [
    {
      name: 'scope',
      valueName: 'scope',
      repeatable: true,
      description: 'what the token allows; search if left out',
      choices: SCOPES,
    },
    {
      name: 'expires',
      valueName: 'days',
      description: 'in how many days it ends, or `never`; 90 if left out',
    },
    {
      name: 'tenant',
      valueName: 'name',
      description: 'whom its program works for; your own projects and memory if left out',
    },
  ],
  async run({ resolved, output }, name, options) {
    if (name === undefined)
      throw new AppError('bad_argument', 'The token has no name.', {
        hint: 'Name what it is for: waymark token create ci --scope search',
      });
    const scopes = toScopes(options['scope']);
    const expiresAt = toExpiry(options['expires']);
    const tenant = toTenant(options['tenant']);
    const { token, made } = createApiToken(
      resolved.config.dataDir,
      { name, scopes, tenant, expiresAt },
      { ids: systemIds, clock: systemClock },
    );
    noteWrite(resolved.config, 'token create');
    output.answer(token, { token, ...made });
    output.talk(`It allows ${scopes.join(', ')}, and ${renderEnd(expiresAt)}. It is not shown again.`);
  },
};

export const tokenListCommand: Command = {
  name: 'token list',
  group: 'Set up',
  summary: 'List the tokens of programs, without the tokens themselves',
  examples: ['waymark token list', 'waymark token list --json'],
  async run({ resolved, output }) {
    const tokens = listApiTokens(resolved.config.dataDir);
    const lines = tokens.map(
      ({ id, name, scopes, tenant, expiresAt }) =>
        `${id}  ${name}${tenant === undefined ? '' : ` of ${tenant}`}: ${scopes.join(', ')}; ${renderEnd(expiresAt)}`,
    );
    output.answer(lines.length === 0 ? 'There are no tokens of programs.' : lines.join('\n'), { tokens });
  },
};

export const tokenRevokeCommand: Command = {
  name: 'token revoke',
  group: 'Set up',
  summary: 'End a token of a program, on servers that run too',
  examples: ['waymark token revoke ci'],
  argument: { name: 'token', description: 'its name or its id' },
  async run({ resolved, output }, wanted) {
    const hint = 'See them: waymark token list';
    if (wanted === undefined) throw new AppError('bad_argument', 'No token is named.', { hint });
    const revoked = revokeApiTokens(resolved.config.dataDir, wanted);
    if (revoked.length === 0)
      throw new AppError('not_found', 'There is no token of that name or id.', { hint });
    noteWrite(resolved.config, 'token revoke');
    output.answer(`${revoked.map(({ name }) => name).join(', ')} can no longer be used.`, { revoked });
  },
};

/** Who may ask the server is worth a line of the log that tells who wrote what. */
function noteWrite({ auditFile, dataDir }: Config, tool: string): void {
  const sink = openLogSink(auditFile ?? join(dataDir, 'audit.jsonl'), { flag: '--audit-file' });
  const audit = createAuditLog({ clock: systemClock, write: (line) => sink.write(line) });
  audit.wrote({ principal: LOCAL_PRINCIPAL, tool, client: 'waymark' });
  sink.close();
}

function toScopes(given: unknown): readonly Scope[] {
  const words = (Array.isArray(given) ? given : []).flatMap((part) => String(part).split(','));
  const wanted = words.map((word) => word.trim()).filter((word) => word !== '');
  if (wanted.some((word) => parseScope(word) === undefined))
    throw new AppError('bad_argument', 'There is no such scope.', {
      hint: `Choose from ${SCOPES.join(', ')}.`,
    });
  return wanted.length === 0 ? ['search'] : SCOPES.filter((scope) => wanted.includes(scope));
}

export function toTenant(given: unknown): string | undefined {
  if (given === undefined) return undefined;
  if (typeof given === 'string' && isTenantName(given)) return given;
  throw new AppError('bad_argument', 'No tenant can have this name.', {
    hint: `It begins with a letter or a digit, has up to 200 characters, and is not ${OWN_TENANT}.`,
  });
}

const USUAL_DAYS = 90;
const MOST_DAYS = 3_650;
const DAY_MS = 24 * 3_600_000;

function toExpiry(given: unknown): number | undefined {
  if (given === 'never') return undefined;
  const days = given === undefined ? USUAL_DAYS : Number(given);
  if (!Number.isInteger(days) || days < 1 || days > MOST_DAYS)
    throw new AppError('bad_argument', `--expires takes a number of days from 1 to ${MOST_DAYS}, or never.`, {
      hint: `Leave it out for ${USUAL_DAYS} days.`,
    });
  return systemClock.now() + days * DAY_MS;
}

function renderEnd(expiresAt: number | undefined): string {
  if (expiresAt === undefined) return 'does not expire';
  const day = new Date(expiresAt).toISOString().slice(0, 10);
  return expiresAt <= systemClock.now() ? `expired on ${day}` : `ends on ${day}`;
}
