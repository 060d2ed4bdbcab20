import type { Command } from '../command.ts';
import { CLIENT_IDS } from '../setup/client-ids.ts';

/** Tells the user's clients about Waymark, shows every change first, and tries what was written. */
export const setupCommand: Command = {
  name: 'setup',
  group: 'Connect an agent',
  summary: 'Find your agents and connect them; every change is shown first',
  examples: [
    'waymark setup',
    'waymark setup --except cursor,codex',
    'waymark setup cursor codex --dry-run',
    'waymark setup --scope project --yes',
  ],
  places: [],
  argument: {
    name: 'client',
    description: 'which ones; all that are found if left out',
    choices: CLIENT_IDS,
    many: true,
  },
  options: [
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
    { name: 'skip-index', description: 'do not index the project afterwards' },
  ],
  async run(context, _argument, options) {
    // Editing files takes parsers that no other command should pay for.
    const { setup } = await import('../setup/setup.ts');
    return setup(context, options);
  },
};
