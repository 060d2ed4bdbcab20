/** Clients that run commands at the start and the end of a session: where that is written, and where they keep transcripts. */
import { join } from 'node:path';
import type { Client, Places } from '../client.ts';
import type { Entry } from '../edit/document-format.ts';
import { CURSOR } from './editors.ts';
import { opencodePlugin, type HookCommands } from './opencode-plugin.ts';
import { CLAUDE_CODE, CODEX, GEMINI_CLI, OPENCODE, opencodeFolder } from './terminal-agents.ts';

export const HOOK_CLIENT_IDS = ['claude-code', 'codex', 'gemini-cli', 'cursor', 'opencode'] as const;
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
  readonly answers: 'hook_output' | 'additional_context' | 'text';
  /** Whether its hooks are told where the transcript is, or bring it along, a line for each message. */
  readonly sends: 'path' | 'lines';
  /** What the user has to do before it runs. */
  readonly needs?: string;
}

/** A start that tells, and a capture that only notes what another process reads. */
const QUICK_SECONDS = 5;
const END_SECONDS = 20;
/** Codex warns in every session of more. */
const CODEX_END_SECONDS = 3;

function grouped(command: string, timeout: number): Entry {
  return { hooks: [{ type: 'command', command, timeout }] };
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

export const HOOK_CLIENTS: readonly HookClient[] = [
  {
    id: 'claude-code',
    file: hookFile(CLAUDE_CODE, (places) => [join(claudeFolder(places), 'settings.json')], 'json-hooks'),
    folder: claudeFolder,
    toEntry: ({ start, capture }) => ({
      SessionStart: grouped(start, QUICK_SECONDS),
      Stop: grouped(capture, QUICK_SECONDS),
      PreCompact: grouped(capture, QUICK_SECONDS),
      SessionEnd: grouped(capture, END_SECONDS),
    }),
    answers: 'hook_output',
    sends: 'path',
  },
  {
    id: 'codex',
    file: hookFile(CODEX, (places) => [join(codexFolder(places), 'hooks.json')], 'json-hooks'),
    folder: codexFolder,
    toEntry: ({ start, capture }) => ({
      SessionStart: grouped(start, QUICK_SECONDS),
      Stop: grouped(capture, QUICK_SECONDS),
      PreCompact: grouped(capture, QUICK_SECONDS),
      SessionEnd: grouped(capture, CODEX_END_SECONDS),
    }),
    answers: 'hook_output',
    sends: 'path',
    needs: 'Codex runs them once you have trusted them: `/hooks` in a session.',
  },
  {
    id: 'gemini-cli',
    file: hookFile(GEMINI_CLI, (places) => [join(geminiFolder(places), 'settings.json')], 'json-hooks'),
    folder: geminiFolder,
    // Its times are in milliseconds. No `PreCompress`: 0.61 runs that before every question to the model.
    toEntry: ({ start, capture }) => ({
      SessionStart: grouped(start, QUICK_SECONDS * 1_000),
      AfterAgent: grouped(capture, QUICK_SECONDS * 1_000),
      SessionEnd: grouped(capture, END_SECONDS * 1_000),
    }),
    answers: 'hook_output',
    sends: 'path',
  },
  {
    id: 'cursor',
    file: hookFile(CURSOR, (places) => [join(cursorFolder(places), 'hooks.json')], 'json-hooks-1'),
    folder: cursorFolder,
    toEntry: ({ start, capture }) => ({
      sessionStart: { command: start },
      stop: { command: capture },
      preCompact: { command: capture },
      sessionEnd: { command: capture },
    }),
    answers: 'additional_context',
    sends: 'path',
  },
  {
    id: 'opencode',
    file: {
      ...hookFile(
        OPENCODE,
        (places) => [join(opencodeFolder(places), 'plugins', 'waymark.js')],
        'script-block',
      ),
      key: ['block'],
    },
    folder: opencodeFolder,
    toEntry: (commands) => ({ text: opencodePlugin(commands) }),
    answers: 'text',
    sends: 'lines',
  },
];

export function hookClientOf(id: string): HookClient | undefined {
  return HOOK_CLIENTS.find((client) => client.id === id);
}
