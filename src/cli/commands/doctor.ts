import type { Command } from '../command.ts';

/** Looks at the installation, the data and every client's entry, and says what to do about what is wrong. */
export const doctorCommand: Command = {
  name: 'doctor',
  group: 'Set up',
  summary: 'Find out what does not work, and what to do about it',
  examples: ['waymark doctor', 'waymark doctor --fix', 'waymark doctor --json', 'waymark doctor --bundle'],
  places: [],
  options: [
    { name: 'fix', description: 'put damaged memories aside and keep every entry that can be read' },
    { name: 'bundle', description: 'write a report for a bug report, without secrets' },
  ],
  async run(context, _argument, options) {
    const { runDoctor } = await import('../doctor/run-doctor.ts');
    return runDoctor(context, { bundle: options['bundle'] === true, fix: options['fix'] === true });
  },
};
