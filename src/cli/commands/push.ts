/** `waymark push`: the index of a working tree goes to the team's server. */
import type { Command } from '../command.ts';

export const pushCommand: Command = {
  name: 'push',
  group: 'Connect an agent',
  summary: "Send a project's index to the team's server",
  examples: [
    'waymark push --server https://waymark.example/mcp',
    'waymark push --watch',
    'waymark push --dry-run',
  ],
  places: ['push', 'index'],
  main: ['server', 'token-file', 'watch', 'dry-run', 'branch', 'json'],
  argument: { name: 'path', description: 'the project; the one you are in if left out' },
  options: [
    { name: 'watch', description: 'go on, and send what changes' },
    { name: 'dry-run', description: 'only say what would be sent' },
    {
      name: 'branch',
      valueName: 'name',
      description: 'the branch it goes to; the one checked out if left out',
    },
    {
      name: 'as',
      valueName: 'host/path',
      description: 'what the project is called there; by its remote if left out',
    },
    { name: 'force', description: 'replace the branch, even if it has commits that are not here' },
  ],
  async run(context, argument, options) {
    const { runPush } = await import('../push/run-push.ts');
    await runPush(context, argument, options);
  },
};
