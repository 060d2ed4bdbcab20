import type { Command } from '../command.ts';

/** Takes out of the clients' files what setup wrote into them. */
export const uninstallCommand: Command = {
  name: 'uninstall',
  group: 'Set up',
  summary: 'Take back what `waymark setup` wrote, and only that',
  examples: ['waymark uninstall', 'waymark uninstall --dry-run', 'waymark uninstall --purge'],
  places: [],
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
