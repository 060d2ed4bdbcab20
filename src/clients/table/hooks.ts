/** Clients that run commands at the start and the end of a session: where that is written, and where they keep transcripts. */
import { join } from 'node:path';
import type { Client, Places } from '../client.ts';
import type { Entry } from '../edit/document-format.ts';
import { CURSOR } from './editors.ts';
import { CLAUDE_CODE, CODEX, GEMINI_CLI } from './terminal-agents.ts';

export const HOOK_CLIENT_IDS = ['claude-code', 'codex', 'gemini-cli', 'cursor'] as const;
export type HookClientId = (typeof HOOK_CLIENT_IDS)[number];

export interface HookClient {
  readonly id: HookClientId;
  /** Shaped like a client, so that writing, showing and taking back are the same; it starts nothing. */
  readonly file: Client;
  /** Everything of the client's own, transcripts among it, lies below this folder. */
  readonly folder: (places: Places) => string;
  /** The entry of each event. The event that starts a session comes first. */
  readonly toEntry: (commands: HookCommands) => Entry;
  /** How what is printed at the start reaches the model. */
  readonly answers: 'hook_output' | 'additional_context';
  /** What the user has to do before it runs. */
  readonly needs?: string;
}

export interface HookCommands {
  readonly start: string;
  readonly capture: string;
}

const START_SECONDS = 5;
const CAPTURE_SECONDS = 20;

function grouped(command: string, timeout: number, matcher?: string): Entry {
  return { ...(matcher === undefined ? {} : { matcher }), hooks: [{ type: 'command', command, timeout }] };
}

function hookFile(
  client: Client,
  userFiles: NonNullable<Client['userFiles']>,
  format: Client['format'],
): Client {
  const { http: _http, projectFiles: _project, ...rest } = client;
  return {
    ...rest,
    id: `${client.id}-hooks`,
    name: `${client.name}, hooks`,
    userFiles,
    format,
    key: ['hooks'],
  };
}

const claudeFolder = ({ home, env }: Places): string => env['CLAUDE_CONFIG_DIR'] ?? join(home, '.claude');
const codexFolder = ({ home, env }: Places): string => env['CODEX_HOME'] ?? join(home, '.codex');
const geminiFolder = ({ home }: Places): string => join(home, '.gemini');
const cursorFolder = ({ home }: Places): string => join(home, '.cursor');

const ENDS = { PreCompact: CAPTURE_SECONDS, SessionEnd: CAPTURE_SECONDS } as const;

export const HOOK_CLIENTS: readonly HookClient[] = [
  {
    id: 'claude-code',
    file: hookFile(CLAUDE_CODE, (places) => [join(claudeFolder(places), 'settings.json')], 'json-hooks'),
    folder: claudeFolder,
    toEntry: ({ start, capture }) => ({
      SessionStart: grouped(start, START_SECONDS, 'startup|clear|compact'),
      PreCompact: grouped(capture, ENDS.PreCompact),
      SessionEnd: grouped(capture, ENDS.SessionEnd),
    }),
    answers: 'hook_output',
  },
  {
    id: 'codex',
    file: hookFile(CODEX, (places) => [join(codexFolder(places), 'hooks.json')], 'json-hooks'),
    folder: codexFolder,
    toEntry: ({ start, capture }) => ({
      SessionStart: grouped(start, START_SECONDS, 'startup|clear|compact'),
      PreCompact: grouped(capture, ENDS.PreCompact),
      SessionEnd: grouped(capture, ENDS.SessionEnd),
    }),
    answers: 'hook_output',
    needs: 'Codex runs them once you have trusted them: `/hooks` in a session.',
  },
  {
    id: 'gemini-cli',
    file: hookFile(GEMINI_CLI, (places) => [join(geminiFolder(places), 'settings.json')], 'json-hooks'),
    folder: geminiFolder,
    // Its times are in milliseconds.
    toEntry: ({ start, capture }) => ({
      SessionStart: grouped(start, START_SECONDS * 1_000),
      PreCompress: grouped(capture, CAPTURE_SECONDS * 1_000),
      SessionEnd: grouped(capture, CAPTURE_SECONDS * 1_000),
    }),
    answers: 'hook_output',
  },
  {
    id: 'cursor',
    file: hookFile(CURSOR, (places) => [join(cursorFolder(places), 'hooks.json')], 'json-hooks-1'),
    folder: cursorFolder,
    toEntry: ({ start, capture }) => ({
      sessionStart: { command: start },
      preCompact: { command: capture },
      sessionEnd: { command: capture },
    }),
    answers: 'additional_context',
  },
];

export function hookClientOf(id: string): HookClient | undefined {
  return HOOK_CLIENTS.find((client) => client.id === id);
}
