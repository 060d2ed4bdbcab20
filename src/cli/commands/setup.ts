/** Commands about the clients of this machine. What they need, parsers among it, is loaded when they run. */
import type { Command } from '../command.ts';

/** The ids of the table in clients/, for help and completions: the table itself is loaded when it is needed. A test compares. */
export const CLIENT_IDS = [
  'claude-code',
  'claude-desktop',
  'cursor',
  'vscode',
  'windsurf',
  'zed',
  'gemini-cli',
  'antigravity',
  'codex',
  'opencode',
  'junie',
  'cline',
  'cline-cli',
  'roo-code',
  'goose',
  'kilo',
  'qwen-code',
  'continue-cli',
  'kimi-code',
  'copilot-cli',
  'mcp-json',
] as const;

/** Tells the user's clients about Waymark, shows every change first, and tries what was written. */
export const setupCommand: Command = {
  name: 'setup',
  group: 'Connect an agent',
  summary: 'Find your agents and connect them; every change is shown first',
  examples: [
    'waymark setup',
    'waymark setup --only cursor,codex',
    'waymark setup cursor codex --dry-run',
    'waymark setup --scope project --yes',
  ],
  argument: {
    name: 'client',
    description: 'which ones; all that are found if left out',
    choices: CLIENT_IDS,
    many: true,
  },
  options: [
    { name: 'only', valueName: 'clients', description: 'connect only these: ids, separated by commas' },
    { name: 'except', valueName: 'clients', description: 'leave these out: ids, separated by commas' },
    { name: 'yes', description: 'write without asking' },
    { name: 'dry-run', description: 'show what would change, write nothing' },
    { name: 'print', description: 'print the entries to paste, write nothing' },
    {
      name: 'scope',
      valueName: 'scope',
      description: 'your own files, or those of the project you are in',
      choices: ['user', 'project'],
    },
    { name: 'http', valueName: 'url', description: 'connect to this running server instead of starting one' },
    { name: 'with-token', description: 'with --http: the clients send the token in WAYMARK_TOKEN' },
    { name: 'agents-md', description: 'also put a short block into AGENTS.md of the project' },
    { name: 'no-hooks', description: 'do not tell sessions where the work stood, nor keep what they did' },
    { name: 'skip-index', description: 'do not index the project afterwards' },
  ],
  main: ['only', 'except', 'scope', 'dry-run', 'yes', 'http'],
  async run(context, _argument, options) {
    // Editing files takes parsers that no other command should pay for.
    const { setup } = await import('../setup/setup.ts');
    return setup(context, options);
  },
};

/** Looks at the installation, the data and every client's entry, and says what to do about what is wrong. */
export const doctorCommand: Command = {
  name: 'doctor',
  group: 'Set up',
  summary: 'Find out what does not work, and what to do about it',
  examples: ['waymark doctor', 'waymark doctor --fix', 'waymark doctor --json', 'waymark doctor --bundle'],
  options: [
    { name: 'fix', description: 'put damaged memories aside and keep every entry that can be read' },
    { name: 'bundle', description: 'write a report for a bug report, without secrets' },
  ],
  async run(context, _argument, options) {
    const { runDoctor } = await import('../doctor/run-doctor.ts');
    return runDoctor(context, { bundle: options['bundle'] === true, fix: options['fix'] === true });
  },
};

/** Takes out of the clients' files what setup wrote into them. */
export const uninstallCommand: Command = {
  name: 'uninstall',
  group: 'Set up',
  summary: 'Take back what `waymark setup` wrote, and only that',
  examples: ['waymark uninstall', 'waymark uninstall --dry-run', 'waymark uninstall --purge'],
  options: [
    { name: 'yes', description: 'do it without asking' },
    { name: 'dry-run', description: 'say what would be done, change nothing' },
    { name: 'purge', description: 'remove the indexes and set the data aside too' },
  ],
  async run(context, _argument, options) {
    const { takeBack } = await import('../setup/uninstall.ts');
    return takeBack(context, options);
  },
};
