/** What the campaign of hooks must know of an agent beside what every campaign knows: its own tools, and how a session goes on. */
import type { Step } from '../conversation.ts';

export interface HookAgent {
  readonly id: string;
  readonly run: (command: string) => Step;
  readonly edit: (folder: string, change: Change) => Step;
  readonly ask: (question: string) => readonly string[];
  /** The last session goes on. */
  readonly goOn: (question: string) => readonly string[];
  /** Makes it compact its session, and what tells the request in which it does. */
  readonly compact?: { readonly args: readonly string[]; readonly isAsked: (request: string) => boolean };
  /** Whether the next start can read what a killed session did; a plugin's program dies with it. */
  readonly keepsTranscript?: false;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Change {
  readonly path: string;
  readonly from: string;
  readonly to: string;
}

const claude = (...args: readonly string[]): readonly string[] => ['--dangerously-skip-permissions', ...args];
const codex = (...args: readonly string[]): readonly string[] => [
  'exec',
  ...args.slice(0, -1),
  '--skip-git-repo-check',
  '--dangerously-bypass-approvals-and-sandbox',
  // A person trusts hooks in a session; without one there is this.
  '--dangerously-bypass-hook-trust',
  ...args.slice(-1),
];

const fileEdit =
  (tool: string) =>
  (folder: string, { path, from, to }: Change): Step => ({
    tool,
    args: { file_path: `${folder}/${path}`, old_string: from, new_string: to },
  });

export const HOOK_AGENTS: readonly HookAgent[] = [
  {
    id: 'claude-code',
    run: (command) => ({ tool: 'Bash', args: { command, description: 'a command' } }),
    edit: fileEdit('Edit'),
    ask: (question) => claude('-p', question),
    goOn: (question) => claude('--continue', '-p', question),
    compact: {
      args: claude('--continue', '-p', '/compact'),
      isAsked: (request) => /summary of the conversation|create a detailed summary/i.test(request),
    },
    // As root it asks for nothing only where it is told that this is a sandbox.
    env: { IS_SANDBOX: '1' },
  },
  {
    id: 'codex',
    run: (command) => ({ tool: 'exec_command', args: { cmd: command } }),
    // It offers no tool for edits to a model that it does not know; the command is known to it.
    edit: (_folder, { path, from, to }) => ({
      tool: 'exec_command',
      args: {
        cmd: `apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: ${path}\n@@\n-${from}\n+${to}\n*** End Patch\nEOF\n`,
      },
    }),
    ask: (question) => codex(question),
    goOn: (question) => codex('resume', '--last', question),
    compact: {
      args: codex('resume', '--last', '-c', 'model_auto_compact_token_limit=10', 'Go on.'),
      isAsked: (request) => /CONTEXT CHECKPOINT COMPACTION|compact/i.test(request),
    },
  },
  {
    id: 'gemini-cli',
    run: (command) => ({ tool: 'run_shell_command', args: { command } }),
    edit: (folder, change) => {
      const { tool, args } = fileEdit('replace')(folder, change);
      return { tool, args: { ...args, instruction: 'as asked' } };
    },
    ask: (question) => ['-p', question, '--yolo', '-m', 'gemini-2.5-flash'],
    goOn: (question) => ['--resume', 'latest', '-p', question, '--yolo', '-m', 'gemini-2.5-flash'],
  },
  {
    id: 'opencode',
    run: (command) => ({ tool: 'bash', args: { command, description: 'a command' } }),
    edit: (folder, { path, from, to }) => ({
      tool: 'edit',
      args: { filePath: `${folder}/${path}`, oldString: from, newString: to },
    }),
    ask: (question) => ['run', question],
    goOn: (question) => ['run', '--continue', question],
    keepsTranscript: false,
  },
];
